"""Duplicates: the same pair of texts about the same image stays once."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.filtering.wording import wording
from pipeline.instance import Instance, Verdict
from pipeline.store import digest


@dataclass(frozen=True, slots=True)
class FirstOfPairs:
    """Which instance stays of each pair; 16 bytes a pair, since there is one of a whole corpus.

    Attributes:
        pairs: Digests of the pairs, sorted, each once (pairs,), uint64.
        ids: For each the smallest digest of an id among those that have it (pairs,), uint64.
    """

    pairs: np.ndarray
    ids: np.ndarray


def survey_duplicates(batches: Iterable[Sequence[Instance]]) -> FirstOfPairs:
    """Find, for each image with caption and foil, the smallest digest of an id that has them.

    The ids decide which one stays, so the order in which instances come does not matter.
    """
    digests = [_digests(batch) for batch in batches]
    pairs, ids = np.concatenate([np.empty((2, 0), np.uint64), *digests], axis=1)
    order = np.lexsort((ids, pairs))
    first, places = np.unique(pairs[order], return_index=True)
    return FirstOfPairs(first, ids[order][places])


def judge_duplicates(
    instances: Sequence[Instance], *, survey: FirstOfPairs | None = None
) -> list[Verdict]:
    """Reject all but one of those with one image, caption and foil.

    Texts are compared by their wording.

    Args:
        instances: The batch to judge.
        survey: What `survey_duplicates` found in all batches; None if this one is all.

    Returns:
        One verdict per instance; the reason is "same pair".
    """
    known = survey_duplicates([instances]) if survey is None else survey
    pairs, ids = _digests(instances)
    stays = known.ids[np.searchsorted(known.pairs, pairs)] == ids
    return [
        Verdict("duplicates", keep=True)
        if keep
        else Verdict("duplicates", keep=False, reason="same pair")
        for keep in stays
    ]


def _digests(instances: Sequence[Instance]) -> np.ndarray:
    """The digests of each pair and of its id (2, instances)."""
    rows = [
        (digest(json.dumps(_pair(instance))), digest(json.dumps(instance.id)))
        for instance in instances
    ]
    return np.array(rows, dtype=np.uint64).reshape(-1, 2).T


def _pair(instance: Instance) -> list[str]:
    image = instance.image
    return [image.dataset, image.file_name, wording(instance.caption), wording(instance.foil)]
