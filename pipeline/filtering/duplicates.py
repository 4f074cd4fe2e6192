"""Duplicates: the same pair of texts about the same image stays once."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence

from pipeline.filtering.wording import wording
from pipeline.instance import Instance, Verdict


def survey_duplicates(batches: Iterable[Sequence[Instance]]) -> dict[bytes, str]:
    """Pair -> the smallest id among the instances that have this image, caption and foil.

    The ids decide which one stays, so the order in which instances come does not matter.
    """
    first: dict[bytes, str] = {}
    for batch in batches:
        for instance in batch:
            pair = _pair(instance)
            first[pair] = min(instance.id, first.get(pair, instance.id))
    return first


def judge_duplicates(
    instances: Sequence[Instance], *, survey: Mapping[bytes, str] | None = None
) -> list[Verdict]:
    """Reject all but the first, by id, of those with one image, caption and foil.

    Texts are compared by their wording.

    Args:
        instances: The batch to judge.
        survey: What `survey_duplicates` found in all batches; None if this one is all.

    Returns:
        One verdict per instance; the reason is "same pair".
    """
    first = survey_duplicates([instances]) if survey is None else survey
    return [
        Verdict("duplicates", keep=True)
        if first[_pair(instance)] == instance.id
        else Verdict("duplicates", keep=False, reason="same pair")
        for instance in instances
    ]


def _pair(instance: Instance) -> bytes:
    """A digest: the survey holds one for each pair of a whole corpus."""
    image = instance.image
    key = [image.dataset, image.file_name, wording(instance.caption), wording(instance.foil)]
    return hashlib.blake2b(json.dumps(key).encode(), digest_size=12).digest()
