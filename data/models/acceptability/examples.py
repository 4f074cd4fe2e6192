"""Sentences that are acceptable and sentences that are not."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import texts
from classifying import Example
from errors import ErrorMaker
from numbers_of_phrases import draw_number, in_simple_present, state
from phrases import join, split
from words import PREPOSITIONS, listed

_BLIMP_ITEMS = 1000
_BLIMP_HELD_OUT = 100
_PLACES = listed("on in under behind near beside above below over inside outside against by at")


def training_examples(
    captions: list[str], data: Path, maker: ErrorMaker, blimp_pairs: int, seed: int
) -> list[Example]:
    """Real captions, their rewritings and their broken forms, and a part of BLiMP's pairs."""
    rng = Random(f"acceptability {seed}")
    examples = [Example(caption, 1) for caption in captions]
    for caption in captions:
        examples += _made(caption, maker, rng)
    for _, good, bad in blimp_part(data, held_out=False, wanted=blimp_pairs):
        examples += [Example(good, 1), Example(bad, 0)]
    return examples


def _made(caption: str, maker: ErrorMaker, rng: Random) -> Iterator[Example]:
    """One broken form of a caption; now and then a rewriting, and its broken form."""
    words = split(caption)
    rewrite: Callable[[], list[str] | None] = rng.choice(
        [
            lambda: None,
            lambda: draw_number(words, maker.nouns, rng),
            lambda: state(words, maker.nouns, rng),
            lambda: in_simple_present(words, maker.nouns),
            lambda: _in_another_place(words, rng),
        ]
    )
    rewritten = rewrite()
    if rewritten:
        yield Example(join(rewritten), 1)
        words = rewritten
    kinds = list(maker.kinds)
    # Word order fits nearly every caption, so the other kinds come first.
    for kind in [*rng.sample(kinds, 3), "word order"]:
        broken = maker.kinds[kind](words, rng)
        if broken and broken != words:
            yield Example(join(broken), 0)
            return


def _in_another_place(words: list[str], rng: Random) -> list[str] | None:
    """The caption with one preposition of place for another: odd perhaps, but grammatical."""
    places = [
        place
        for place in range(1, len(words) - 1)
        if words[place] in _PLACES
        and words[place + 1] in {"a", "an", "the"}
        and words[place - 1] not in PREPOSITIONS
    ]
    if not places:
        return None
    place = rng.choice(places)
    return [*words[:place], rng.choice(sorted(_PLACES - {words[place]})), *words[place + 1 :]]


def broken(
    captions: list[str], kind: str, maker: ErrorMaker, wanted: int, seed: int
) -> list[tuple[str, str]]:
    """Up to `wanted` captions with their broken form of one kind."""
    rng = Random(f"broken {kind} {seed}")
    pairs = []
    for caption in captions:
        words = split(caption)
        changed = maker.kinds[kind](words, rng)
        if changed and changed != words and len(pairs) < wanted:
            pairs.append((caption, join(changed)))
    return pairs


def blimp_part(data: Path, *, held_out: bool, wanted: int) -> Iterator[tuple[str, str, str]]:
    """Of each paradigm, the last items, or as many of the others as wanted."""
    seen: dict[str, int] = {}
    for paradigm, good, bad in texts.blimp(data):
        number = seen[paradigm] = seen.get(paradigm, -1) + 1
        is_held_out = number >= _BLIMP_ITEMS - _BLIMP_HELD_OUT
        if is_held_out == held_out and (held_out or number < wanted):
            yield paradigm, good, bad
