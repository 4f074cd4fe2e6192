"""The noun phrases of a caption: what can be counted and put in another number (VALSE, A.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from pipeline.language import lexicons
from pipeline.language.inflection import grammatical_number
from pipeline.language.parse import parse

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

NOUN_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_INSIDE = frozenset({"compound", "amod", "nmod", "quantmod", "nummod"})
"""Labels of nouns that only modify a noun to their right ("street" in "street sign")."""

_OUTSIDE = frozenset({"IN", "TO", "EX", "MD", "VBZ", "VBP", "VBD", "WDT", "WP", "WRB"})
"""Tags of words that stand in no phrase before its noun, whatever a wrong tree says."""

_INNER_SIGNS = frozenset({"-", ",", "'", '"'})

_SINGULAR_WORDS = frozenset({"a", "an", "one", "1", "this", "that", "each", "every", "another"})
_PLURAL_WORDS = frozenset(
    {"these", "those", "many", "several", "few", "some", "both", "various", "multiple", "numerous"}
)


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A noun with what stands before it: determiner, numeral, adjectives, nouns.

    Attributes:
        text: The phrase as it stands in the caption, without what follows the noun.
        head: The noun in lower case.
        number: What the noun's form says; a mass noun is singular, "scissors" plural.
        start: Where the phrase begins, in characters.
        end: Where the phrase and its noun end, in characters (exclusive).
        head_start: Where the noun begins, in characters.
        first_token: Index of the phrase's first token.
        head_token: Index of the noun.
    """

    text: str
    head: str
    number: Literal["singular", "plural"]
    start: int
    end: int
    head_start: int
    first_token: int
    head_token: int


def noun_phrases(caption: str) -> list[NounPhrase]:
    """Return the noun phrases of a caption from left to right; pronouns are none.

    Unlike `doc.noun_chunks`, phrases that are adverbials ("standing two feet away") and possessors
    ("the man's hat") are among them.
    """
    return list(noun_phrases_of(next(parse([caption]))))


def noun_phrases_of(doc: Doc) -> Iterator[NounPhrase]:
    """Yield the noun phrases of a parsed caption from left to right."""
    text = doc.text
    return (phrase_of(token, text) for token in doc if _is_head(token))


def phrase_of(noun: Token, text: str) -> NounPhrase:
    """Return the phrase of one noun of a text."""
    first = _first_token(noun)
    end = noun.idx + len(noun)
    return NounPhrase(
        text=text[first.idx : end],
        head=noun.lower_,
        number=number_of(noun),
        start=first.idx,
        end=end,
        head_start=noun.idx,
        first_token=first.i,
        head_token=noun.i,
    )


def number_of(noun: Token) -> Literal["singular", "plural"]:
    """Return the number of a noun, from its form if that is clear, else from its words and tag."""
    known = _known_number(noun.lower_)
    if known in ("singular", "plural"):
        return "plural" if known == "plural" else "singular"
    if known == "mass":
        return "singular"
    if known == "plural only":
        return "plural"
    for child in noun.lefts:
        if child.lower_ in _SINGULAR_WORDS:
            return "singular"
        if child.lower_ in _PLURAL_WORDS or child.tag_ == "CD":
            return "plural"
    return "plural" if noun.tag_ in ("NNS", "NNPS") else "singular"


# A word's number is asked again with every caption that has it.
_known_number = cache(grammatical_number)


def _is_head(token: Token) -> bool:
    if token.tag_ not in NOUN_TAGS:
        return False
    return not (token.dep_ in _INSIDE and token.head.i > token.i)


def _first_token(noun: Token) -> Token:
    """Return the first token of the unbroken stretch of words that belong to a noun before it."""
    first, doc = noun, noun.doc
    for index in range(noun.i - 1, noun.left_edge.i - 1, -1):
        token = doc[index]
        if token.tag_ in _OUTSIDE or (token.is_punct and token.text not in _INNER_SIGNS):
            break
        if _begins_clause(token):
            break
        first = first if token.text in _INNER_SIGNS and token.text != '"' else token
    return first


def _begins_clause(token: Token) -> bool:
    """Whether a word in -ing is a verb with an object ("train carrying freight containers")."""
    if token.tag_ != "VBG" or token.i == 0 or token.lower_ in lexicons.words("attributive_ing"):
        return False
    before = token.nbor(-1)
    return before.tag_ in NOUN_TAGS or before.lemma_ == "be"
