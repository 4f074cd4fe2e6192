"""Premises and hypotheses with their labels, in a part to learn from and a part kept apart."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from zlib import crc32

import texts
from classifying import Example
from derived import PairMaker

LABELS = ("entailment", "neutral", "contradiction")
PUBLISHED: dict[str, Callable[[Path], Iterator[tuple[str, str, str]]]] = {
    "snli": texts.snli,
    "breaking_nli": texts.breaking_nli,
    "med": texts.med,
}
_TIMES = {"snli": 2, "breaking_nli": 1, "med": 2}


def published(data: Path, name: str, *, held_out: bool) -> list[Example]:
    """The pairs of a published set whose premise is, or is not, in the tenth that is kept apart."""
    return [
        Example(first, LABELS.index(label), second)
        for label, first, second in PUBLISHED[name](data)
        if label in LABELS and (crc32(first.encode()) % 10 == 0) == held_out
    ]


def derived(captions: list[str], maker: PairMaker, seed: int) -> list[tuple[Example, str]]:
    """Pairs made of captions, with their kinds."""
    rng = Random(f"pairs {seed}")
    return [
        (Example(first, LABELS.index(label), second), kind)
        for caption in captions
        for label, first, second, kind in maker.pairs(caption, rng)
        if first != second or kind == "same"
    ]


def training_examples(
    captions: list[str], data: Path, maker: PairMaker, seed: int
) -> list[Example]:
    """All pairs to learn from; the small published sets several times."""
    examples = [example for example, _ in derived(captions, maker, seed)]
    for name, times in _TIMES.items():
        examples += published(data, name, held_out=False) * times
    return examples
