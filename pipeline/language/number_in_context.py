"""Whether the rest of a caption lets a noun phrase change its number, and the change be false."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipeline.errors import Refusal
from pipeline.language.countable_nouns import (
    is_kind_of,
    is_person,
    listed,
    may_be_same_person,
    singular_of,
)
from pipeline.language.noun_phrases import NounPhrase
from pipeline.language.pronouns import PRONOUNS, is_pleonastic
from pipeline.language.verb_agreement import agreeing_verbs, finite_verb, is_joined, is_subject

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from pipeline.language.coref import Chain

_NOUN_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_COLLECTIVE = re.compile(
    r"\b(?:together|each other|one another|side by side|in (?:a|the) (?:row|line|group|circle|herd"
    r"|pile|stack|bunch)|in (?:rows|pairs|lines|formation|unison)|apart|both|all|each"
    r"|one of (?:them|which|whom)|lined up|stacked|gathered|surround(?:ing|ed)|matching|identical"
    r"|hand in hand|holding hands|respectively|different|various|in between|back to back"
    r"|face to face)\b",
    re.IGNORECASE,
)


def check_tree(doc: Doc) -> None:
    """Check that a caption's tree gives every finite verb its subject.

    Raises:
        Refusal: "verb without a subject", which mostly means that the tree is wrong.
    """
    stray = next((token for token in doc if _is_stray(token)), None)
    if stray is not None:
        raise Refusal("verb without a subject", stray.text)


def check_context(doc: Doc, phrase: NounPhrase, chains: Sequence[Chain]) -> None:
    """Check that nothing else in the caption contradicts the phrase in either number.

    Raises:
        Refusal: "subject and verb disagree", "alternative", "determiner shared in a coordination",
            "another of the kind", "only said of several", or "unresolved pronoun".
    """
    head = doc[phrase.head_token]
    _check_verbs(head, phrase)
    _check_joined(head, phrase)
    _check_parts(doc, head)
    if phrase.number == "plural":
        _check_distribution(doc, head, phrase)
    else:
        _check_only_one(doc, head)
    _check_pronouns(doc, head, chains)


def _check_verbs(head: Token, phrase: NounPhrase) -> None:
    for verb in agreeing_verbs(head):
        if verb.lower_ in ("is", "was", "has", "does", "'s") or verb.tag_ == "VBZ":
            number = "singular"
        elif verb.lower_ in ("are", "were", "have", "do") or verb.tag_ in ("VBP", "VB"):
            number = "plural"
        else:
            continue
        if number != phrase.number:
            raise Refusal("subject and verb disagree", f"{phrase.text} {verb.text}")


def _is_stray(verb: Token) -> bool:
    """Whether a finite verb has lost its subject, which a wrong tree gives away."""
    if verb.tag_ not in ("VBZ", "VBP") or verb.dep_ in ("aux", "auxpass", "conj"):
        return False
    return not any(c.dep_ in ("nsubj", "nsubjpass", "expl", "csubj") for c in verb.children)


def _check_joined(head: Token, phrase: NounPhrase) -> None:
    if not is_joined(head):
        return
    first = head
    while first.dep_ == "conj" and first.head.tag_ in _NOUN_TAGS:
        first = first.head
    others = [child for child in head.children if child.dep_ == "conj"]
    if any(c.lower_ in ("or", "nor") for c in (*first.children, *head.children) if c.dep_ == "cc"):
        raise Refusal("alternative", head.text)
    bare = [o for o in others if not any(c.dep_ in ("det", "poss", "nummod") for c in o.lefts)]
    if bare:
        raise Refusal("determiner shared in a coordination", phrase.text)
    finite = finite_verb(first.head) if is_subject(first) else None
    if finite is not None and finite.tag_ == "VBZ":
        raise Refusal("subject and verb disagree", phrase.text)


def _check_parts(doc: Doc, head: Token) -> None:
    """See that "one" or "others" does not pick some of several."""
    for token in doc[head.i + 1 :]:
        alone = token.dep_ not in ("nummod", "det", "amod", "compound")
        if alone and token.lower_ in ("one", "ones", "two", "others"):
            raise Refusal("another of the kind", token.text)


def _check_distribution(doc: Doc, head: Token, phrase: NounPhrase) -> None:
    rest = doc[phrase.head_token + 1 :].text
    found = _COLLECTIVE.search(rest)
    if found:
        raise Refusal("only said of several", found[0])
    verb = head.head
    if head.dep_ in ("nsubj", "nsubjpass", "dobj") and verb.lemma_ in listed("several"):
        raise Refusal("only said of several", verb.text)
    clause = next((c for c in head.children if c.dep_ in ("acl", "relcl")), None)
    if clause is not None and clause.lemma_ in listed("several"):
        raise Refusal("only said of several", clause.text)


def _check_only_one(doc: Doc, head: Token) -> None:
    """See that the caption speaks of no other thing of the kind."""
    noun = singular_of(head.lower_)
    person = is_person(noun)
    for token in doc:
        free = person or token.dep_ not in ("det", "amod")
        if free and token.lower_ in ("another", "other", "others"):
            raise Refusal("another of the kind", token.text)
        if token == head or token.tag_ not in _NOUN_TAGS:
            continue
        other = singular_of(token.lower_)
        if other == noun and not (token.dep_ == "compound" and token.head.i > token.i):
            raise Refusal("another of the kind", token.text)
        if (
            person
            and token.dep_ != "compound"
            and may_be_same_person(noun, other, plural=token.tag_ == "NNS")
        ):
            raise Refusal("another of the kind", token.text)
        if token.tag_ == "NNS" and is_kind_of(noun, other):
            raise Refusal("another of the kind", token.text)


def _check_pronouns(doc: Doc, head: Token, chains: Sequence[Chain]) -> None:
    """See that every pronoun that could stand for the noun is known to stand for something."""
    resolved = {i for chain in chains for mention in chain.mentions for i in mention.tokens}
    for token in doc[head.i :]:
        if token.lower_ == "it" and token.i + 1 < len(doc) and token.nbor().text == "'s":
            raise Refusal("unresolved pronoun", "it's")
        if token.lower_ in PRONOUNS and token.i not in resolved and not is_pleonastic(token):
            raise Refusal("unresolved pronoun", token.text)
