"""Identity: a foil that says the same as its caption is none (VALSE publishes 24 such pairs)."""

from collections.abc import Sequence

from pipeline.filtering.wording import wording
from pipeline.instance import Instance, Verdict


def judge_identity(instances: Sequence[Instance]) -> list[Verdict]:
    """Reject where caption and foil have the same wording, but perhaps for spaces ("t shirt").

    Returns:
        One verdict per instance; the reason is "same text".
    """
    return [
        Verdict("identity", keep=False, reason="same text")
        if _unspaced(instance.caption) == _unspaced(instance.foil)
        else Verdict("identity", keep=True)
        for instance in instances
    ]


def _unspaced(text: str) -> str:
    return wording(text).replace(" ", "")
