"""Plurality: "exactly one dog is sleeping" against "some dogs are sleeping" (VALSE 3.2, A.2).

Caption and foil take a quantifier for the number of one noun phrase, and all that agrees with the
phrase follows it; every phrase that can be counted gives a candidate.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any, Literal

from pipeline.checklist_import import import_checklist
from pipeline.errors import Refusal
from pipeline.foiling.target import Target, instance_of
from pipeline.instance import Instance
from pipeline.language.coref import Chain, resolve
from pipeline.language.countable_phrases import check_countable
from pipeline.language.noun_phrases import NounPhrase, noun_phrases, noun_phrases_of, phrase_of
from pipeline.language.number_change import in_form, in_number, with_quantifier
from pipeline.language.number_in_context import Reading, read_tree
from pipeline.sources.records import Caption

if TYPE_CHECKING:
    from spacy.tokens import Doc

__all__ = ["change_number", "noun_phrases", "pairing", "plurality", "prepare"]

VERSION = 1

Number = Literal["singular", "plural"]

QUANTIFIERS: dict[Number, tuple[str, str]] = {
    "singular": ("exactly one", "a single"),
    "plural": ("some", "a number of"),
}
"""VALSE's, by the number that they are for."""
_PAIRINGS: dict[Number, list[tuple[str, str]]] = {
    "singular": list(product(QUANTIFIERS["singular"], QUANTIFIERS["plural"])),
    "plural": list(product(QUANTIFIERS["plural"], QUANTIFIERS["singular"])),
}
_QUANTIFIER = re.compile(r"\b(?:exactly one|a single|some|a number of)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Change:
    """A noun phrase of a caption, with the quantifier of the caption and that of the foil."""

    phrase: NounPhrase
    quantifiers: tuple[str, str]


Prepared = tuple["Doc", Sequence[Chain]]
"""A caption's tree, and what refers to what in it."""


def prepare(records: Sequence[Caption], *, profile: str, survey: Any = None) -> list[Prepared]:
    """Parse the captions of a batch and resolve their pronouns.

    Raises:
        InputError: The profile's parser cannot be had.
    """
    texts = (record.text for record in records)
    return list(resolve(texts, profile))


def plurality(
    caption: Caption, rng: Random, target: Target, *, prepared: Prepared, max_tokens: int = 80
) -> Iterator[Instance | Refusal]:
    """Yield one candidate per noun phrase that can be put in the other number.

    Its classes are the noun in both numbers, as in VALSE; its quantifiers are drawn, and
    `pairing` reads them off the texts.

    Args:
        max_tokens: Captions with more words and marks are left out. VALSE counts word pieces, of
            which these captions then have too many as well: a word has at least one.

    Raises:
        Refusal: "too long", "no noun phrase", "verb without a subject".
        InputError: CheckList is not installed.
    """
    doc, chains = prepared
    if len(doc) > max_tokens:
        raise Refusal("too long", f"{len(doc)} tokens")
    reading = read_tree(doc, chains)
    phrases = list(noun_phrases_of(doc))
    if not phrases:
        raise Refusal("no noun phrase", caption.text)
    changes = [Change(phrase, rng.choice(_PAIRINGS[phrase.number])) for phrase in phrases]
    # CheckList leaves out what its function answers with nothing; refusals are answers here.
    perturbed = import_checklist("perturb").Perturb.perturb(
        changes, _foiled, keep_original=False, reading=reading
    )
    for change, (made,) in zip(changes, perturbed.data, strict=True):
        if isinstance(made, Refusal):
            yield made
            continue
        noun = change.phrase.head
        yield instance_of(
            target,
            caption,
            *made,
            classes=(noun,),
            classes_foil=(in_form(noun, plural=change.phrase.number == "singular"),),
            function="plurality",
            version=VERSION,
        )


def change_number(
    caption: str,
    head: str,
    to: Number,
    caption_quantifier: str,
    foil_quantifier: str,
    *,
    profile: str = "embedded",
) -> tuple[str, str]:
    """The caption with a quantifier before a noun, and the foil with the noun in another number.

    Verbs, pronouns and possessed nouns of the foil agree. Whether the noun can be counted is not
    asked: of mass nouns the kinds are ("foods"). Both texts begin with a capital, as VALSE's do.

    Args:
        head: The noun as it stands in the caption, or its whole phrase; the first that is not in
            the number `to` yet is meant.
        to: The number in the foil.

    Raises:
        Refusal: "no such noun phrase", "noun without a singular", or "possessor before the noun".
        InputError: The profile's parser cannot be had.
    """
    doc, chains = next(resolve([caption[:1].upper() + caption[1:]], profile))
    phrase = _phrase(doc, head, to)
    return with_quantifier(doc, phrase, caption_quantifier), in_number(
        doc, phrase, foil_quantifier, chains, plural=to == "plural"
    )


def pairing(instance: Instance) -> tuple[str, str]:
    """The quantifiers of caption and foil of an instance of this function."""
    caption = _quantifier_at(instance.caption, instance.edit.caption_start)
    return caption, _quantifier_at(instance.foil, instance.edit.foil_start)


def _quantifier_at(text: str, start: int) -> str:
    """The first quantifier of the edit; where both begin with "a", the edit starts after it."""
    return _QUANTIFIER.search(text, max(0, start - 2))[0].lower()  # type: ignore[index]


def _foiled(change: Change, *, reading: Reading) -> tuple[str, str] | list[Refusal]:
    """Caption and foil of a change, or why it cannot be made; what CheckList calls."""
    doc, phrase, (mine, other) = reading.doc, change.phrase, change.quantifiers
    try:
        check_countable(reading, phrase)
        foil = in_number(doc, phrase, other, reading.chains, plural=phrase.number == "singular")
    except Refusal as refusal:
        return [refusal]
    return with_quantifier(doc, phrase, mine), foil


def _phrase(doc: Doc, head: str, to: Number) -> NounPhrase:
    wanted = head.lower()
    named = [p for p in noun_phrases_of(doc) if wanted in (p.head, p.text.lower())]
    named = named or [phrase_of(token, doc.text) for token in doc if token.lower_ == wanted]
    if not named:
        raise Refusal("no such noun phrase", f"{head} in {doc.text}")
    return next((phrase for phrase in named if phrase.number != to), named[0])
