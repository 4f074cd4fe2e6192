"""Simple noun phrases of captions, found by patterns, for made-up training pairs.

What the patterns are not sure of they leave out: training pairs need not cover everything.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from words import NUMBERS, PREPOSITIONS, is_verb, listed

from pipeline.language.dictionary import verb_forms
from pipeline.language.inflection import grammatical_number, plural, singular

SINGULAR_DETERMINERS = frozenset(
    {"a", "an", "one", "1", "each", "every", "another", "this", "that"}
)
PLURAL_DETERMINERS = frozenset(
    listed("two three four five six seven eight nine ten several many some few both these those")
    | {str(number) for number in range(2, 21)}
)
_EITHER = frozenset({"the", "his", "her", "its", "their", "no"})
_GROUPS = frozenset(
    listed(
        "couple lot bunch group pair number kind type sort variety set row herd crowd pile stack "
        "part piece series bit majority assortment array team flock line slice front side top "
        "back middle corner edge end close picture photo way total out"
    )
)
AGREEING = {"is": "are", "was": "were", "has": "have"}
_STOPS = PREPOSITIONS | {"and", "or", "that", "which", "who", "is", "are", "was", "were", "next"}


def split(text: str) -> list[str]:
    """Words and punctuation marks."""
    return re.findall(r"[\w'-]+|[^\w\s]", text)


def join(words: list[str]) -> str:
    """The text of words and marks."""
    return re.sub(r" (?=[.,;:!?])", "", " ".join(words))


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase: its determiner at `start`, its head noun at `head`, and the head's number."""

    start: int
    head: int
    is_plural: bool


@dataclass(frozen=True, slots=True)
class Nouns:
    """Count nouns that the captions use in both numbers."""

    singular: frozenset[str]
    plural: frozenset[str]


def learn_nouns(captions: Iterable[str]) -> Nouns:
    """The nouns that follow "a" and end their phrase, and whose plural the captions know too."""
    ones: Counter[str] = Counter()
    used: Counter[str] = Counter()
    for caption in captions:
        words = split(caption)
        used.update(words)
        for place, word in enumerate(words):
            head = _head(words, place) if word in {"a", "an"} else None
            if head:
                ones[words[head]] += 1
    both = {
        noun
        for noun, count in ones.items()
        if count >= 5 and noun not in _GROUPS and grammatical_number(noun) == "singular"
    }
    both = {noun for noun in both if used[plural(noun)] >= 5}
    return Nouns(frozenset(both), frozenset(plural(noun) for noun in both))


def phrases(words: list[str], nouns: Nouns) -> list[Phrase]:
    """Phrases whose determiner, if it has a number, agrees with their head."""
    found = []
    for place, word in enumerate(words):
        begins = word in SINGULAR_DETERMINERS | PLURAL_DETERMINERS | _EITHER
        if not begins or (word == "that" and place > 0):
            continue
        head = _head(words, place)
        if not head:
            continue
        if words[head] in nouns.singular and word not in PLURAL_DETERMINERS:
            found.append(Phrase(place, head, False))
        elif words[head] in nouns.plural and word not in SINGULAR_DETERMINERS:
            found.append(Phrase(place, head, True))
    return found


def verb_after(words: list[str], phrase: Phrase) -> int | None:
    """Where the finite verb of a phrase stands, if right after it or after "that" or "who"."""
    place = phrase.head + 1
    if place < len(words) and words[place] in {"that", "who", "which"}:
        place += 1
    if place + 1 >= len(words):
        return None
    word = words[place]
    if word in AGREEING or word in AGREEING.values():
        return place
    forms = verb_forms(word)
    wanted = "VBP" if phrase.is_plural else "VBZ"
    if (
        wanted in forms
        and "VBN" not in forms
        and "VBD" not in forms
        and is_clear(word, words[place + 1])
    ):
        return place
    return None


def is_clear(word: str, following: str) -> bool:
    """Whether a word that may be a noun too is a verb here, by what follows it."""
    return following in PREPOSITIONS | {"a", "an", "the", "his", "her", "its", "their", "while"}


def other_number(noun: str, is_plural: bool) -> str:
    """The same noun in the other number."""
    return singular(noun) if is_plural else plural(noun)


def is_sentence_subject(words: list[str], phrase: Phrase) -> bool:
    """Whether nothing before the phrase could be the verb's subject instead."""
    before = words[: phrase.start]
    return not any(word in PREPOSITIONS or word == "and" for word in before)


def _head(words: list[str], place: int) -> int | None:
    """The last word of the phrase that a determiner begins, with at most two words before it."""
    for head in range(place + 1, min(place + 4, len(words))):
        word = words[head]
        if word in _STOPS or word in NUMBERS or not word.isalpha() or word in {"a", "an", "the"}:
            return None
        following = words[head + 1] if head + 1 < len(words) else "."
        ends = following in _STOPS or not following[0].isalnum() or is_verb(following)
        if ends or (verb_forms(following) & {"VBZ", "VBP"} and _verb_follows(words, head + 1)):
            return head
    return None


def _verb_follows(words: list[str], place: int) -> bool:
    return place + 1 < len(words) and is_clear(words[place], words[place + 1])
