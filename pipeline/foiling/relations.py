"""Relations: "a cat under a table" against "a cat on a table" (VALSE 3.4, A.4).

A whole run of one to three prepositions or particles gives way to another run that captions have,
one that a masked language model finds likely there and that cannot be true of the same picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from pipeline.errors import Refusal
from pipeline.foiling.preposition_survey import Attested
from pipeline.foiling.target import Target, instance_of
from pipeline.instance import Instance
from pipeline.language.parse import parse
from pipeline.language.preposition_senses import contrast, fits, refusal
from pipeline.language.prepositions import (
    PrepositionSpan,
    preposition_spans,
    preposition_spans_of,
)
from pipeline.models import load
from pipeline.proposing import Proposal, propose
from pipeline.sources.records import Caption

if TYPE_CHECKING:
    from spacy.tokens import Doc

__all__ = ["Place", "prepare_relations", "preposition_spans", "relations", "replace_span"]

VERSION = 1


@dataclass(frozen=True, slots=True)
class Place:
    """A run of prepositions in a caption, with what else could be said there.

    Attributes:
        refused: Why it is not replaced; empty if it is.
        proposals: Other runs, the likeliest first, each with how much likelier it is than the
            caption's own (a difference of natural logarithms).
    """

    span: PrepositionSpan
    refused: str = ""
    proposals: tuple[Proposal, ...] = ()


def relations(
    caption: Caption,
    rng: Random,
    target: Target,
    *,
    prepared: Sequence[Place],
    least_gain: float = -2.5,
) -> Iterator[Instance | Refusal]:
    """Yield foils of every run of prepositions, the likeliest first.

    Args:
        prepared: What `prepare_relations` makes of the caption.
        least_gain: How much likelier than the caption's own run another has to be at least, as a
            difference of natural logarithms; less than 0 where it may be less likely.

    Raises:
        Refusal: "no preposition".
    """
    if not prepared:
        raise Refusal("no preposition", caption.text)
    likely: list[tuple[Place, Proposal]] = []
    for place in prepared:
        found = [(place, other) for other in place.proposals if other.score >= least_gain]
        likely += found
        if not found:
            yield Refusal(place.refused or "no likely preposition", place.span.text)
    likely.sort(key=lambda one: (-one[1].score, one[0].span.start, one[1].text))
    for place, proposal in likely:
        yield _instance(caption, place.span, proposal.text, target)


def prepare_relations(
    records: Sequence[Caption],
    *,
    profile: str,
    survey: Sequence[Attested],
    top_k: int = 10,
) -> list[list[Place]]:
    """Find the runs of prepositions of captions, and which other runs could stand there.

    Args:
        survey: The runs that the corpus has.
        top_k: How many of the likeliest runs are looked at for a place (VALSE A.4: 10).

    Raises:
        InputError: The profile's parser or masked language model cannot be had.
    """
    texts = [run.text for run in survey]
    docs = list(parse([record.text for record in records], profile))
    spans = [[span for span in preposition_spans_of(doc) if span.whole] for doc in docs]
    refused = {
        (number, span): _refusal(doc, span, texts)
        for number, doc in enumerate(docs)
        for span in spans[number]
    }
    asked = [place for place, reason in refused.items() if not reason]
    opened = load("span_mlm", profile)
    answers = propose(
        [records[number].text for number, _ in asked],
        [(span.start, span.end) for _, span in asked],
        texts,
        opened.model,
        opened.tokenizer,
        top_k=max(1, len(texts)),
    )
    found = {
        (number, span): _contrasting(docs[number], span, proposals, top_k)
        for (number, span), proposals in zip(asked, answers, strict=True)
    }
    return [
        [Place(span, refused[number, span], found.get((number, span), ())) for span in spans_there]
        for number, spans_there in enumerate(spans)
    ]


def replace_span(caption: str, start: int, end: int, text: str) -> str:
    """The caption with other words in the place of a span, single-spaced, in the span's case.

    >>> replace_span("On a table,  a cat.", 0, 2, "under")
    'Under a table, a cat.'
    """
    old = caption[start:end]
    start += len(old) - len(old.lstrip())
    end -= len(old) - len(old.rstrip())
    old, text = old.strip(), text.strip()
    if len(old) > 1 and old.isupper():
        text = text.upper()
    elif old[:1].isupper():
        text = text[:1].upper() + text[1:]
    return " ".join((caption[:start] + text + caption[end:]).split())


def _refusal(doc: Doc, span: PrepositionSpan, texts: Sequence[str]) -> str:
    return refusal(doc, span) or ("" if span.text.lower() in texts else "rare preposition")


def _contrasting(
    doc: Doc, span: PrepositionSpan, proposals: Sequence[Proposal], top_k: int
) -> tuple[Proposal, ...]:
    """Of the likeliest, those that fit and contradict, with how much likelier than the own."""
    own = span.text.lower()
    score = next(one.score for one in proposals if one.text == own)
    return tuple(
        Proposal(one.text, round(one.score - score, 4))
        for one in proposals[:top_k]
        if contrast(own, one.text) and fits(doc, span, one.text)
    )


def _instance(caption: Caption, span: PrepositionSpan, text: str, target: Target) -> Instance:
    return instance_of(
        target,
        caption,
        caption.text,
        replace_span(caption.text, span.start, span.end, text),
        classes=(span.text.lower(),),
        classes_foil=(text,),
        function="relations",
        version=VERSION,
    )
