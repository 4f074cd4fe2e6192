"""The preposition spans of a caption: what the relations piece replaces (VALSE 3.4, A.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.language.closed_classes import words
from pipeline.language.parse import parse

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

MAX_SPAN = 3
"""How many prepositions a span may have (VALSE A.4: SpanBERT's masks of one to three tokens)."""

_ALWAYS = words(
    "across against along alongside amid among amongst at atop behind below beneath beside "
    "besides between by during for from in into of off on onto out throughout through to "
    "toward towards under underneath up upon via with within without"
)
"""Words that are prepositions or particles whatever a parser takes them for."""

_SOMETIMES = words(
    "aboard about above after around as away back before beyond down inside like near "
    "nearby opposite outside over past round"
)
"""Words that are prepositions or particles unless their tag says noun, adjective or verb."""

_OTHER_TAGS = ("NN", "JJ", "VB", "CD", "DT", "PDT")

_SUBORDINATING = frozenset({"after", "as", "before", "for", "in", "like"})

_ESTIMATES = frozenset({"about", "above", "around", "over", "under"})
"""Words that before a numeral say that it is not exact ("over 20 people")."""

_BEFORE = frozenset({"next", "close", "due", "such", "because", "instead", "according", "prior"})
"""Words that make one preposition with the next ("next to")."""

_PARTS = frozenset({"front", "top", "side", "middle", "center", "back", "edge"})
"""Bare nouns between two prepositions that make one with both ("in front of", "on top of")."""


@dataclass(frozen=True, slots=True)
class PrepositionSpan:
    """One to three prepositions or particles in a row.

    Attributes:
        text: The words as they stand in the caption.
        start: Where they begin, in characters.
        end: Where they end, in characters (exclusive).
        whole: Whether another span can stand here alone: no preposition touches this one, and no
            larger preposition such as "next to" or "in front of" would be cut. ("out" of "out of"
            is not whole: replacing it by "in" leaves "in of".)
    """

    text: str
    start: int
    end: int
    whole: bool


def preposition_spans(caption: str) -> list[PrepositionSpan]:
    """Return all spans of one to three consecutive prepositions, particles included.

    They come from left to right, shorter first; those within a longer run are marked as not whole.
    The "to" of infinitives, conjunctions ("as he falls") and estimates ("about 20") are none.
    """
    return list(preposition_spans_of(next(parse([caption]))))


def preposition_spans_of(doc: Doc) -> Iterator[PrepositionSpan]:
    """Yield the preposition spans of a parsed caption from left to right, shorter first."""
    text = doc.text
    for first, last in _runs(doc):
        for start in range(first, last):
            for end in range(start + 1, min(start + MAX_SPAN, last) + 1):
                first_character = doc[start].idx
                last_character = doc[end - 1].idx + len(doc[end - 1])
                yield PrepositionSpan(
                    text=text[first_character:last_character],
                    start=first_character,
                    end=last_character,
                    whole=(start, end) == (first, last) and not _is_cut(doc, first, last),
                )


def _runs(doc: Doc) -> Iterator[tuple[int, int]]:
    """Yield the unbroken runs of prepositions as half-open token ranges."""
    first = None
    for index, token in enumerate(doc):
        if is_preposition(token):
            first = index if first is None else first
        elif first is not None:
            yield first, index
            first = None
    if first is not None:
        yield first, len(doc)


def is_preposition(token: Token) -> bool:
    """Return whether a word of a parsed caption is a preposition or a particle."""
    word = token.lower_
    if word == "to":
        return not _is_infinitive(token)
    following = token.doc[token.i + 1] if token.i + 1 < len(token.doc) else None
    if word in _ESTIMATES and following is not None and following.tag_ == "CD":
        return False
    if word in _SUBORDINATING and token.dep_ == "mark":
        return False
    if word in _ALWAYS:
        return True
    return word in _SOMETIMES and not token.tag_.startswith(_OTHER_TAGS)


def _is_infinitive(token: Token) -> bool:
    following = token.doc[token.i + 1] if token.i + 1 < len(token.doc) else None
    return token.tag_ == "TO" or (following is not None and following.tag_ == "VB")


def _is_cut(doc: Doc, first: int, last: int) -> bool:
    """Whether a run is a part of a preposition of several words."""
    if first > 0 and doc[first - 1].lower_ in _BEFORE:
        return True
    if last + 1 < len(doc) and doc[last].lower_ in _PARTS and doc[last + 1].lower_ == "of":
        return True
    return (
        first > 1
        and doc[first].lower_ == "of"
        and doc[first - 1].lower_ in _PARTS
        and is_preposition(doc[first - 2])
    )
