"""Duplicates: the same pair of texts about the same image stays once."""

from collections.abc import Sequence

from pipeline.filtering.wording import wording
from pipeline.instance import Instance, Verdict


def judge_duplicates(instances: Sequence[Instance]) -> list[Verdict]:
    """Reject all but the first, by id, of those with one image, caption and foil.

    Texts are compared by their wording. The ids decide, so that the answer is the same in
    whatever order the instances come; the batch has to be all instances.

    Returns:
        One verdict per instance; the reason is "same pair".
    """
    first: dict[tuple[str, ...], int] = {}
    pairs = [_pair(instance) for instance in instances]
    for place in sorted(range(len(instances)), key=lambda place: instances[place].id):
        first.setdefault(pairs[place], place)
    return [
        Verdict("duplicates", keep=True)
        if first[pair] == place
        else Verdict("duplicates", keep=False, reason="same pair")
        for place, pair in enumerate(pairs)
    ]


def _pair(instance: Instance) -> tuple[str, ...]:
    image = instance.image
    return image.dataset, image.file_name, wording(instance.caption), wording(instance.foil)
