"""The objects of COCO's categories that a parsed caption names, and whether one can be renamed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.errors import Refusal
from pipeline.language.coco_objects import Naming, namings, vocabulary
from pipeline.language.inflection import grammatical_number
from pipeline.language.noun_phrases import NOUN_TAGS, number_of

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from pipeline.proposing import Proposal

_MODIFIER_TAGS = frozenset({"JJ", "JJR", "JJS", "VBN", "VBG", "NN", ",", "HYPH"})
_DETERMINERS = frozenset({"det", "poss", "nummod", "predet", "quantmod"})
_OF_SEVERAL = frozenset({"these", "those", "many", "several", "few", "both", "various", "multiple"})
_OF_A_MASS = frozenset({"some", "much", "more", "any"})
# "A bear shaped cake", "a car-like thing".
_MAKING_ADJECTIVES = frozenset({"-", "/", "shaped", "themed", "sized", "like", "print", "printed"})

MASS_FOODS = frozenset({"pizza", "cake", "broccoli"})
"""Foods that are spoken of as a mass, too ("a slice of cake"); the others are counted."""


@dataclass(frozen=True, slots=True)
class NamedObject:
    """An object that a caption names, and what might be named in its place.

    Attributes:
        start: Where its name begins, in characters.
        end: Where it ends (exclusive).
        category: Its category in COCO.
        several: Whether the name is plural.
        uncounted: Whether it is food spoken of as a mass.
        proposals: All names of its supercategory in this number, its own too, best first.
    """

    start: int
    end: int
    category: str
    several: bool = False
    uncounted: bool = False
    proposals: tuple[Proposal, ...] = ()


@dataclass(frozen=True, slots=True)
class Objects:
    """What a caption says of objects.

    Attributes:
        named: All categories that any of its words may mean.
        replaceable: Those named once, by the head of a noun phrase, in a plain word.
        refused: Why the others are left as they are.
    """

    named: frozenset[str]
    replaceable: tuple[NamedObject, ...]
    refused: tuple[Refusal, ...] = ()


def objects_in(doc: Doc) -> Objects:
    """What a parsed caption says of objects; without proposals."""
    names = list(namings([token.lower_ for token in doc]))
    replaceable, refused = [], []
    for name in names:
        if not name.plain:
            continue
        others = (other for other in names if other is not name)
        try:
            if any(name.categories & other.categories for other in others):
                raise Refusal("named twice", doc[name.start : name.end].text)
            replaceable.append(_named_object(doc, name))
        except Refusal as refusal:
            refused.append(refusal)
    named = frozenset[str]().union(*(name.categories for name in names))
    return Objects(named, tuple(replaceable), tuple(refused))


def _named_object(doc: Doc, name: Naming) -> NamedObject:
    """The object that a name stands for.

    Raises:
        Refusal: The name is not the head of a noun phrase, or the words around it go with no other.
    """
    first, head = doc[name.start], doc[name.end - 1]
    text = doc[name.start : name.end].text
    (category,) = name.categories
    several = _is_plural(head)
    words = [child for child in head.lefts if child.i < name.start]
    if _clashes(words, several=several):
        raise Refusal("number and noun clash", doc[words[0].i : name.end].text)
    if head.tag_ not in NOUN_TAGS or _modifies(head, several=several):
        raise Refusal("not a head", text)
    if _is_of_a_kind(first):
        raise Refusal("a kind of its own", doc[max(0, name.start - 2) : name.end].text)
    bare = not several and not any(word.dep_ in _DETERMINERS for word in words)
    mass = grammatical_number(head.lower_) == "mass" or any(w.lower_ in _OF_A_MASS for w in words)
    if vocabulary().categories[category].supercategory != "food":
        if bare and name.start and doc[name.start - 1].tag_ in ("IN", "TO", "RP"):
            raise Refusal("fixed phrase", doc[name.start - 1 : name.end].text)
        uncounted = False
    else:
        uncounted = not several and (bare or mass)
        if uncounted and category not in MASS_FOODS:
            raise Refusal("without article", text)
    return NamedObject(first.idx, head.idx + len(head), category, several, uncounted)


def _modifies(head: Token, *, several: bool) -> bool:
    """Whether a noun stands before another that it belongs to ("dog house", "dog-shaped")."""
    if head.i + 1 == len(head.doc):
        return False
    following = head.nbor()
    # A base form after a singular noun is a noun that the parser took for a verb ("a car wash").
    disagrees = not several and following.tag_ in ("VB", "VBP") and following.lower_ != "are"
    ties = following.tag_ in NOUN_TAGS or following.lower_ in _MAKING_ADJECTIVES
    colour = head.lower_ == "orange" and (following.lower_ in ("and", ",") or not head.i)
    compound = head.dep_ in ("compound", "amod") and head.head.i > head.i
    return ties or disagrees or colour or compound


def _is_of_a_kind(first: Token) -> bool:
    """Whether what stands before a name says of which kind it is ("polar bear", "cable car")."""
    before = first.nbor(-1) if first.i else None
    if before is not None and (before.tag_ in NOUN_TAGS or before.text in ("-", "/")):
        return True
    while before is not None:
        if before.lower_ in vocabulary().particular:
            return True
        if before.tag_ not in _MODIFIER_TAGS or not before.i:
            return False
        before = before.nbor(-1)
    return False


def _clashes(words: list[Token], *, several: bool) -> bool:
    """Whether what stands before a noun asks for the other number ("an umbrellas")."""
    if several:
        return any(word.lower_ in ("a", "an", "one") and word.dep_ != "nummod" for word in words)
    counted = [word for word in words if word.tag_ == "CD" and word.lower_ not in ("one", "1")]
    return bool(counted) or any(word.lower_ in _OF_SEVERAL for word in words)


def _is_plural(head: Token) -> bool:
    number = grammatical_number(head.lower_)
    return number_of(head) == "plural" if number == "either" else number == "plural"
