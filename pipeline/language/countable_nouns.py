"""Which nouns of captions name things that one can count, and which name the same thing."""

from __future__ import annotations

from functools import cache

from pipeline.errors import Refusal
from pipeline.language import lexicons, wordnet
from pipeline.language.closed_classes import words
from pipeline.language.inflection import grammatical_number, singular
from pipeline.language.pronouns import kind_of

singular_of = cache(singular)
"""The singular of a noun, which is asked for again with every caption."""

_number = cache(grammatical_number)
_CONCRETE = words(
    "noun.person noun.animal noun.artifact noun.food noun.plant noun.object noun.location "
    "noun.group"
)


_REASONS = {
    "part": "part of something",
    "unique": "unique or unbounded",
    "picture": "the picture itself",
    "group": "group or amount",
    "act": "act or time",
    "substance": "substance",
    "body": "part of the body",
}


def check_noun(noun: str, *, plural: bool) -> None:
    """Check that a noun is counted, and that one and several of it look different.

    Args:
        noun: As it stands in the caption.

    Raises:
        Refusal: "mass noun", "plural only noun", "one form only", "not a word", "no thing", "plural
            by nature", or the class of data/lexicons/uncounted_phrases.txt that it is in.
    """
    number = _number(noun)
    if number in ("mass", "plural only", "either"):
        raise Refusal("one form only" if number == "either" else f"{number} noun", noun)
    if not noun.replace("-", "").isalpha():
        raise Refusal("not a word", noun)
    one = singular_of(noun.lower())
    for kind, reason in _REASONS.items():
        if one in listed(kind):
            raise Refusal(reason, noun)
    if plural and one in listed("system"):
        raise Refusal("plural by nature", noun)
    if one not in listed("thing") and not _is_thing(one):
        raise Refusal("no thing", noun)


def is_person(noun: str) -> bool:
    """Whether a noun in the singular is said of persons."""
    return kind_of(noun) in ("male", "female", "person")


def may_be_same_person(noun: str, other: str, *, plural: bool) -> bool:
    """Whether another person or persons (`plural`) spoken of may be among these."""
    mine, theirs = kind_of(noun), kind_of(other)
    if other in ("crowd", "group", "team", "audience", "family", "people", "person", "public"):
        return True
    if theirs not in ("male", "female", "person") or {mine, theirs} == {"male", "female"}:
        return False
    return noun in ("person", "people") or plural


@cache
def is_kind_of(noun: str, other: str) -> bool:
    """Whether one noun's first sense is a kind of the other's ("car", "vehicle")."""
    mine, theirs = wordnet.synsets(noun, "n")[:1], wordnet.synsets(other, "n")[:1]
    return bool(mine and theirs) and any(theirs[0] in path for path in mine[0].hypernym_paths())


@cache
def _is_thing(noun: str) -> bool:
    """Whether the most frequent senses of a noun, or of its last part, are things one can see."""
    senses = wordnet.synsets(noun.rpartition("-")[2], "n")[:3]
    return any(sense.lexname() in _CONCRETE for sense in senses)


@cache
def listed(name: str) -> frozenset[str]:
    """The words of one class of data/lexicons/uncounted_phrases.txt."""
    lines = (line.partition(":") for line in lexicons.entries("uncounted_phrases"))
    return frozenset(word for kind, _, words in lines if kind == name for word in words.split())
