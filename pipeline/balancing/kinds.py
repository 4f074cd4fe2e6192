"""Records that are alike for a draw: with the same classes to give, in the same contexts."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from pipeline.balancing.records import Candidate, Record
from pipeline.balancing.words import words

Class = tuple[str, ...]

# A class with the word that follows it in the text ("3" before "people"); the word is empty where
# it is rare or does not matter.
Slot = tuple[Class, str]

# In fewer records a word cannot tell captions from foils by much, nor find its counterparts.
_FREQUENT = 10


@dataclass(frozen=True, slots=True)
class Kind:
    """Records that offer the same.

    Attributes:
        preferred: What the foils of the preferred candidates have, in order.
        others: The classes of all foils, if there are some beside the preferred ones.
        members: Numbers of the records, in the order in which they are drawn.
    """

    caption: Slot
    preferred: tuple[Slot, ...]
    others: frozenset[Class]
    members: tuple[int, ...]


def gather_kinds(
    records: Sequence[Record], *, preferred: int, in_context: bool, rng: Random
) -> list[Kind]:
    """The kinds of the records, in an order that depends on nothing else.

    Args:
        preferred: How many candidates of a record, from its first, are told apart from the rest.
        in_context: Whether the words that follow the classes matter.
        rng: Orders the members of each kind.
    """
    frequent = _frequent_words(records, preferred) if in_context else frozenset()
    members: dict[tuple[Slot, tuple[Slot, ...], tuple[Class, ...]], list[int]] = defaultdict(list)
    for number, record in enumerate(records):
        offered: dict[Class, Slot] = {}
        for candidate in record.candidates:
            foil = candidate.foil_class
            if foil not in offered:
                near = in_context and len(offered) < preferred
                offered[foil] = foil, _among(frequent, _foil_word(candidate)) if near else ""
        first = record.candidates[0]
        caption = first.caption_class, _among(frequent, _caption_word(first)) if in_context else ""
        # Sorted, so that the order of what is not preferred does not make a kind of its own.
        others = tuple(sorted(offered)) if len(offered) > preferred else ()
        members[caption, tuple(offered.values())[:preferred], others].append(number)
    kinds = []
    for (caption, first_foils, others), numbers in sorted(members.items()):
        rng.shuffle(numbers)
        kinds.append(Kind(caption, first_foils, frozenset(others), tuple(numbers)))
    return kinds


def following_word(text: str, start: int, name: Class) -> str:
    """The word after the class in a text, searched from `start`; empty if there is none.

    >>> following_word("There are exactly 3 people.", 18, ("3",))
    'people'
    """
    tokens, sought = words(text[start:]), words(" ".join(name))
    for place in range(len(tokens) - len(sought)):
        if tokens[place : place + len(sought)] == sought:
            return tokens[place + len(sought)]
    return ""


def _caption_word(candidate: Candidate) -> str:
    edit = candidate.instance.edit
    return following_word(candidate.instance.caption, edit.caption_start, edit.classes)


def _foil_word(candidate: Candidate) -> str:
    edit = candidate.instance.edit
    return following_word(candidate.instance.foil, edit.foil_start, edit.classes_foil)


def _frequent_words(records: Sequence[Record], preferred: int) -> frozenset[str]:
    counts: Counter[str] = Counter()
    for record in records:
        foils = {_foil_word(candidate) for candidate in record.candidates[:preferred]}
        counts.update({_caption_word(record.candidates[0])} | foils)
    return frozenset(word for word, count in counts.items() if count >= _FREQUENT)


def _among(frequent: frozenset[str], word: str) -> str:
    return word if word in frequent else ""
