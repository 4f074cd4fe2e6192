"""Which prepositions contradict one another, and where one can stand in the place of another."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pipeline.language import lexicons
from pipeline.language.closed_classes import words
from pipeline.language.prepositions import PrepositionSpan, is_preposition

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_PARTICLES = [{"up", "down"}, {"inside", "outside"}, {"above", "below"}]
"""Opposites that can stand without an object."""

_ALIKE_ON_WAYS = [{"up", "down"}, {"over", "through"}, {"in", "near"}, {"in", "by"}]
"""Those that may both be said of one who is or goes along a street or a river."""

_OFTEN_ALONE = words("inside outside up down above below")
"""Words that need no object: a participle after them is not their object's beginning."""

_BEFORE_OBJECTS = (
    "DT",
    "NN",
    "PRP",
    "CD",
    "JJ",
    "PDT",
    "WDT",
    "WP",
    "RB",
    "VBG",
    "VBN",
    "EX",
    "HY",
)
"""Beginnings of the tags of words that begin a noun phrase."""

_HEADS = ("NN", "PRP", "CD", "DT", "WDT", "WP", "EX")

_DIRECTED = words("to from into")
"""Words that nouns and participles may ask for whatever they mean ("door to", "made from")."""


def is_spatial(run: str) -> bool:
    """Whether all words of a run of prepositions say where something is or goes, or with what."""
    listed = lexicons.words("spatial_prepositions")
    return run.lower() in listed or listed.issuperset(run.lower().split())


@cache
def contrast(run: str, other: str) -> bool:
    """Whether two runs of prepositions in lower case cannot both be true of one picture.

    >>> contrast("up on", "down on"), contrast("under", "beneath"), contrast("out of", "in")
    (True, False, True)
    """
    return (run, other) in _contrasts() or _upside_down(run) == other


def refusal(doc: Doc, span: PrepositionSpan) -> str:
    """Why no other run can stand there, whichever it is; empty if one can."""
    own = span.text.lower()
    if not is_spatial(own):
        return "not spatial"
    noun = _object(doc, span)
    if noun is not None and own not in ("with", "without"):
        if noun.lower_ in lexicons.words("not_places"):
            return "not a place"
        if own == "in" and noun.lower_ in lexicons.words("worn_things"):
            return "clothes"
    first = _token_at(doc, span)
    if first.i and (first.text[0].isupper() or first.nbor(-1).tag_ in ("DT", "PRP$")):
        return "part of a noun"
    if _is_asked_for(first, own):
        return "part of a verb"
    if _is_coordinated(doc, span):
        return "coordinated"
    if own.startswith("away") and first.i and first.nbor(-1).tag_.startswith(("NN", "RB")):
        return "part of a distance"
    return ""


def fits(doc: Doc, span: PrepositionSpan, other: str) -> bool:
    """Whether another run can stand there: before an object, or as a particle without one.

    Going "up" a street may as well be called going "down" it, so these do not fit; nor do "over"
    and "through" a street, or "in" and "near" it.
    """
    own = span.text.lower()
    noun = _object(doc, span)
    if _is_asked_for(_token_at(doc, span), other):
        return False
    if noun is None:
        return {own, other} in _PARTICLES
    if "out" in (own, other):
        return False
    alike_on_ways = {own, other} in _ALIKE_ON_WAYS
    return not (alike_on_ways and noun.lower_ in lexicons.words("level_ways"))


def _is_coordinated(doc: Doc, span: PrepositionSpan) -> bool:
    """Whether a run shares its object with another ("inside and outside the house")."""
    inside = [token for token in doc if span.start <= token.idx < span.end]
    before = doc[max(0, inside[0].i - 2) : inside[0].i]
    after = doc[inside[-1].i + 1 : inside[-1].i + 3]
    if len(after) == 2 and after[0].tag_ == "CC" and is_preposition(after[1]):
        return True
    return len(before) == 2 and before[1].tag_ == "CC" and is_preposition(before[0])


def _token_at(doc: Doc, span: PrepositionSpan) -> Token:
    return next(token for token in doc if token.idx >= span.start)


def _is_asked_for(first: Token, run: str) -> bool:
    """Whether the verb or noun before the token asks for a run there, which then says no place."""
    word, head = run.split()[0], first.head
    before = first.nbor(-1) if first.i else head
    listed = lexicons.words("phrasal_verbs")
    if any(f"{verb.lemma_.lower()} {word}" in listed for verb in (head, before)):
        return True
    return word in _DIRECTED and head.tag_.startswith(("NN", "JJ", "VBN"))


def _object(doc: Doc, span: PrepositionSpan) -> Token | None:
    """The head noun of the phrase that follows; None if none follows."""
    last = None
    for token in doc:
        if token.idx < span.end:
            continue
        ended = last is not None and last.tag_.startswith(("NN", "PRP"))
        if last is None and token.tag_ == "VBG" and span.text.lower() in _OFTEN_ALONE:
            break
        part = token.tag_.startswith(("NN", "POS") if ended else _BEFORE_OBJECTS)
        if not part and (last is None or ended or token.lower_ not in ("and", "&", ",")):
            break
        last = token
    return last if last is not None and last.tag_.startswith(_HEADS) else None


def _upside_down(run: str) -> str:
    """The run with "up" for "down" before another preposition, or the other way round."""
    first, _, rest = run.partition(" ")
    turned = {"up": "down", "down": "up"}.get(first)
    return f"{turned} {rest}" if turned and rest else ""


@cache
def _contrasts() -> frozenset[tuple[str, str]]:
    """All pairs of the lexicon, in both orders."""
    pairs = set()
    for line in lexicons.entries("contrasting_prepositions"):
        one, others = line.split(":")
        for other in others.split(","):
            pairs |= {(one.strip(), other.strip()), (other.strip(), one.strip())}
    return frozenset(pairs)
