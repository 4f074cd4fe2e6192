"""Frames of a batch as sentences, the likeliest way of saying each."""

from collections.abc import Sequence

from pipeline.errors import Refusal
from pipeline.language.realisation import Realisation, rank, realise
from pipeline.sources.records import Frame


def say(frames: Sequence[Frame], *, profile: str) -> list[Realisation | Refusal]:
    """Say each frame in the way that the language model finds likeliest (VALSE, footnote 14).

    Args:
        frames: A batch; what is said of one does not depend on the others.
        profile: Names the checkpoint of the role "lm".

    Returns:
        For each frame a sentence, or the reason why there is none.
    """
    ways = [_ways(frame) for frame in frames]
    ranked = iter(rank([way for way in ways if not isinstance(way, Refusal)], profile))
    return [way if isinstance(way, Refusal) else next(ranked)[0] for way in ways]


def _ways(frame: Frame) -> list[Realisation] | Refusal:
    try:
        return realise(frame)
    except Refusal as refusal:
        return refusal
