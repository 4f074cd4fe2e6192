"""Pronouns that stand for a noun, and what belongs to it, when the noun changes its number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pipeline.language import inflection, lexicons
from pipeline.language.inflection import grammatical_number
from pipeline.language.noun_phrases import number_of
from pipeline.language.pronouns import kind_of
from pipeline.language.verb_agreement import agreed, agreeing_verbs

if TYPE_CHECKING:
    from spacy.tokens import Token

    from pipeline.language.coref import Chain

_FORMS = {
    "he": ("he", "him", "his", "his", "himself"),
    "she": ("she", "her", "her", "hers", "herself"),
    "it": ("it", "it", "its", "its", "itself"),
    "they": ("they", "them", "their", "theirs", "themselves"),
}
"""Nominative, accusative, possessive before a noun, possessive alone, reflexive."""

_PRONOUN_OF_KIND = {"male": "he", "female": "she", "person": "they"}
_DETERMINERS = {"this": "these", "that": "those", "these": "this", "those": "that"}

Changes = dict[int, str]
"""Index of a token -> what stands in its place."""


def referring_words(noun: Token, chains: Sequence[Chain], *, plural: bool) -> Changes:
    """What changes in the words that refer to a noun when the noun changes its number.

    Of several persons one is "he", "she" or "they", by the noun; of other things one is "it". What
    belongs to each changes with its owner ("a man with his dog", "men with their dogs"), unless it
    comes in pairs or is one for all.
    """
    changes: Changes = {}
    for token in _mentions(noun, chains):
        if token.tag_ in ("PRP", "PRP$"):
            changes |= _pronoun(token, noun, plural=plural)
        elif token.tag_ in ("NN", "NNS"):
            changes |= _repeated(token, plural=plural)
    return changes


def _mentions(noun: Token, chains: Sequence[Chain]) -> Iterator[Token]:
    for chain in chains:
        tokens = [mention.tokens for mention in chain.mentions]
        if (noun.i,) in tokens:
            yield from (noun.doc[t[0]] for t in tokens if len(t) == 1 and t[0] != noun.i)


def _pronoun(token: Token, noun: Token, *, plural: bool) -> Changes:
    form = _form(token)
    if form is None:
        return {}
    name = "they" if plural else _PRONOUN_OF_KIND.get(kind_of(noun.lower_), "it")
    changed = _FORMS[name][form]
    changes = {token.i: changed.capitalize() if token.text[0].isupper() else changed}
    if name == "they" and not plural:
        changes = {}
    elif token.dep_ in ("nsubj", "nsubjpass"):
        changes |= {verb.i: agreed(verb, plural=plural) for verb in agreeing_verbs(token)}
    if (token.dep_ == "poss" and token.lower_ != changed) or not plural:
        changes |= _possessed(token, plural=plural)
    return changes


def _form(pronoun: Token) -> int | None:
    """Which of `_FORMS` a pronoun is in."""
    if pronoun.lower_ in ("her", "his"):
        return 2 if pronoun.tag_ == "PRP$" or pronoun.dep_ == "poss" else 1
    if pronoun.lower_ == "it":
        return 0 if pronoun.dep_ in ("nsubj", "nsubjpass") else 1
    rows = (forms.index(pronoun.lower_) for forms in _FORMS.values() if pronoun.lower_ in forms)
    return next(rows, None)


def _possessed(pronoun: Token, *, plural: bool) -> Changes:
    """The noun after "his" in the number that goes with "their", and the other way round."""
    if pronoun.dep_ != "poss":
        return {}
    noun = pronoun.head
    changes: Changes = {}
    for owned in (noun, *_joined_without_determiner(noun)):
        if owned.tag_ not in ("NN", "NNS") or _stays(owned, plural=plural):
            continue
        changes[owned.i] = _renumbered(owned, plural=plural)
        changes |= {verb.i: agreed(verb, plural=plural) for verb in agreeing_verbs(owned)}
    return changes


def _joined_without_determiner(noun: Token) -> Iterator[Token]:
    for child in noun.children:
        own = any(word.dep_ in ("det", "poss", "nummod") for word in child.lefts)
        if child.dep_ == "conj" and not own:
            yield child
            yield from _joined_without_determiner(child)


def _stays(noun: Token, *, plural: bool) -> bool:
    number = grammatical_number(noun.text)
    if number != ("singular" if plural else "plural"):
        return True
    if any(child.dep_ in ("nummod", "case") for child in noun.children):
        return True
    kept = lexicons.words("shared_possessions" if plural else "paired_possessions")
    return noun.lower_ in kept


def _repeated(noun: Token, *, plural: bool) -> Changes:
    """The same noun said again ("a dog ... the dog")."""
    if number_of(noun) == ("plural" if plural else "singular"):
        return {}
    changes = {noun.i: _renumbered(noun, plural=plural)}
    changes |= {verb.i: agreed(verb, plural=plural) for verb in agreeing_verbs(noun)}
    for child in noun.lefts:
        if child.dep_ == "det" and child.lower_ in _DETERMINERS:
            changes[child.i] = _DETERMINERS[child.lower_]
    return changes


def _renumbered(noun: Token, *, plural: bool) -> str:
    return inflection.plural(noun.text) if plural else inflection.singular(noun.text)
