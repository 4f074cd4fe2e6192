"""The finite verbs that agree with a noun in a tree, and their form in the other number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pipeline.language.inflection import base_form, third_person

if TYPE_CHECKING:
    from spacy.tokens import Token

_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_AUXILIARIES = frozenset({"aux", "auxpass"})
_RELATIVES = frozenset({"that", "which", "who"})
_FINITE_TAGS = frozenset({"VBZ", "VBP", "VB", "VBD", "MD"})
_TO_PLURAL = {"is": "are", "was": "were", "has": "have", "does": "do", "'s": " are"}
_TO_SINGULAR = {"are": "is", "were": "was", "have": "has", "do": "does", "'re": "'s"}


def agreeing_verbs(noun: Token) -> Iterator[Token]:
    """Yield the finite verbs that take their number from a noun, each once, the main clause first.

    They are the verb, or its first auxiliary, of the clause that the noun is the subject of, alone
    or in an existential sentence; of the clauses coordinated with it that have no subject; and of
    the noun's relative clauses. Nouns that are joined by "and" have no verb of their own, but the
    first of them decides after "there".
    """
    seen = set()
    for verb in (*_clauses(noun), *_relative_clauses(noun)):
        for clause in (verb, *_coordinated(verb)):
            finite = finite_verb(clause)
            if finite is not None and finite.i not in seen:
                seen.add(finite.i)
                yield finite


def finite_verb(verb: Token) -> Token | None:
    """The first auxiliary of a verb, or the verb; None where it has no number (a modal, "to")."""
    helpers = [c for c in verb.children if c.dep_ in _AUXILIARIES and c.i < verb.i]
    if any(helper.tag_ == "TO" for helper in helpers):
        return None
    finite = helpers[0] if helpers else verb
    if finite.tag_ == "MD" or finite.tag_ not in _FINITE_TAGS:
        return finite if finite.lower_ in _TO_PLURAL or finite.lower_ in _TO_SINGULAR else None
    return finite


def agreed(verb: Token, *, plural: bool) -> str:
    """A finite verb in the other number, or as it is where it has one form only ("sat")."""
    irregular = _TO_PLURAL if plural else _TO_SINGULAR
    if verb.lower_ in irregular:
        form = irregular[verb.lower_]
        return form.capitalize() if verb.text[0].isupper() else form
    if plural:
        return base_form(verb.text) if verb.tag_ == "VBZ" else verb.text
    return third_person(verb.text) if verb.tag_ in ("VBP", "VB") else verb.text


def is_joined(noun: Token) -> bool:
    """Whether a noun is one of several that are joined by "and", "or" or commas."""
    return noun.dep_ == "conj" or any(child.dep_ == "conj" for child in noun.children)


def existential_verb(noun: Token) -> Token | None:
    """The verb of "there is a dog", for the noun that decides on its number."""
    verb = noun.head
    if noun.dep_ not in ("attr", "nsubj", "nsubjpass", "dobj") or noun.i < verb.i:
        return None
    return verb if any(child.dep_ == "expl" for child in verb.children) else None


def is_subject(noun: Token) -> bool:
    """Whether a noun is a clause's subject, alone or joined, and not the one of "there is"."""
    return noun.dep_ in _SUBJECTS and existential_verb(noun) is None


def _clauses(noun: Token) -> Iterator[Token]:
    existential = existential_verb(noun)
    if existential is not None:
        yield existential
    elif noun.dep_ in _SUBJECTS and not is_joined(noun) and noun.head is not noun:
        yield noun.head


def _relative_clauses(noun: Token) -> Iterator[Token]:
    for child in noun.children:
        if child.dep_ == "relcl" and any(
            word.dep_ in _SUBJECTS and word.lower_ in _RELATIVES for word in child.children
        ):
            yield child


def _coordinated(verb: Token) -> Iterator[Token]:
    """Verbs that share the subject of a verb: "sits and eats"."""
    for child in verb.children:
        if child.dep_ == "conj" and not any(c.dep_ in _SUBJECTS | {"expl"} for c in child.children):
            yield child
            yield from _coordinated(child)
