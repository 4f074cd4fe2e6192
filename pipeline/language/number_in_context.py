"""Whether the rest of a caption lets a noun phrase change its number, and the change be false."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.errors import Refusal
from pipeline.language.countable_nouns import (
    is_kind_of,
    is_person,
    listed,
    may_be_same_person,
    singular_of,
)
from pipeline.language.noun_phrases import NOUN_TAGS, NounPhrase, number_of
from pipeline.language.pronouns import PRONOUNS, is_pleonastic
from pipeline.language.verb_agreement import agreeing_verbs, finite_verb, is_joined, is_subject

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from pipeline.language.coref import Chain

_PICKS = frozenset({"one", "ones", "two", "others"})
_OTHERS = frozenset({"another", "other"})
_MODIFYING = frozenset({"nummod", "det", "amod", "compound"})
_COLLECTIVE = re.compile(
    r"\b(?:together|each other|one another|side by side|in (?:a|the) (?:row|line|group|circle|herd"
    r"|pile|stack|bunch)|in (?:rows|pairs|lines|formation|unison)|apart|both|all|each"
    r"|one of (?:them|which|whom)|lined up|stacked|gathered|surround(?:ing|ed)|matching|identical"
    r"|hand in hand|holding hands|respectively|different|various|in between|back to back"
    r"|face to face)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Named:
    """A noun of a caption.

    Attributes:
        index: Of its token.
        noun: In the singular.
        several: Whether it is a plural.
        modifies: Whether it stands before a noun that it modifies.
    """

    index: int
    noun: str
    several: bool
    modifies: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """A caption's tree with what is asked of it again for each of its phrases.

    Attributes:
        chains: What refers to what.
        nouns: In their order.
        unresolved: Pronouns that nothing is known to be meant by, with the index of each.
        picks: Words that pick one or others of several, with the index of each.
    """

    doc: Doc
    chains: Sequence[Chain]
    nouns: tuple[Named, ...]
    unresolved: tuple[tuple[int, str], ...]
    picks: tuple[tuple[int, str], ...]


def read_tree(doc: Doc, chains: Sequence[Chain]) -> Reading:
    """Read a parsed caption for the checks of its phrases.

    Raises:
        Refusal: "verb without a subject", which mostly means that the tree is wrong.
    """
    resolved = {i for chain in chains for i in _resolved(doc, chain)}
    nouns, unresolved, picks = [], [], []
    for token in doc:
        word, tag = token.lower_, token.tag_
        if tag in NOUN_TAGS:
            modifies = token.dep_ == "compound" and token.head.i > token.i
            nouns.append(Named(token.i, singular_of(word), tag in ("NNS", "NNPS"), modifies))
        elif tag in ("VBZ", "VBP") and _is_stray(token):
            raise Refusal("verb without a subject", token.text)
        if word in PRONOUNS and token.i not in resolved and not is_pleonastic(token):
            unresolved.append((token.i, word))
        elif word == "it" and token.i + 1 < len(doc) and token.nbor().text == "'s":
            unresolved.append((token.i, "it's"))
        elif (
            word in _PICKS and token.dep_ not in ("nummod", "det", "amod", "compound")
        ) or word in ("another", "other"):
            picks.append((token.i, word))
    return Reading(doc, chains, tuple(nouns), tuple(unresolved), tuple(picks))


def _resolved(doc: Doc, chain: Chain) -> Iterator[int]:
    """Yield the tokens of a chain but for doubtful ones.

    In "an apple with a clock inside of it" a tree that has the place wrong makes "it" the clock.
    """
    first = doc[chain.mentions[0].tokens[0]]
    owned = first.dep_ == "pobj" and first.head.lower_ == "with"
    for mention in chain.mentions:
        token = doc[mention.tokens[0]]
        if not (owned and token.dep_ == "pobj" and token.tag_ == "PRP"):
            yield from mention.tokens


def check_context(reading: Reading, phrase: NounPhrase) -> None:
    """Check that nothing else in the caption contradicts the phrase in either number.

    Raises:
        Refusal: "subject and verb disagree", "alternative", "determiner shared in a coordination",
            "another of the kind", "only said of several", or "unresolved pronoun".
    """
    head = reading.doc[phrase.head_token]
    _check_verbs(head, phrase)
    _check_joined(head, phrase)
    for index, word in reading.unresolved:
        if index > head.i:
            raise Refusal("unresolved pronoun", word)
    for index, word in reading.picks:
        if index > head.i and word in _PICKS:
            raise Refusal("another of the kind", word)
    if phrase.number == "plural":
        _check_distribution(head)
    else:
        _check_only_one(reading, head)


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
    while first.dep_ == "conj" and first.head.tag_ in NOUN_TAGS:
        first = first.head
    numerals = [child.lower_ for child in first.lefts if child.dep_ == "nummod"]
    if number_of(first) == "singular" and not {"one", "1"}.issuperset(numerals):
        raise Refusal("determiner and noun disagree", first.text)
    others = [child for child in head.children if child.dep_ == "conj"]
    if any(c.lower_ in ("or", "nor") for c in (*first.children, *head.children) if c.dep_ == "cc"):
        raise Refusal("alternative", head.text)
    bare = [o for o in others if not any(c.dep_ in ("det", "poss", "nummod") for c in o.lefts)]
    if bare:
        raise Refusal("determiner shared in a coordination", phrase.text)
    finite = finite_verb(first.head) if is_subject(first) else None
    if finite is not None and finite.tag_ == "VBZ":
        raise Refusal("subject and verb disagree", phrase.text)


def _check_distribution(head: Token) -> None:
    found = _COLLECTIVE.search(head.doc[head.i + 1 :].text)
    if found:
        raise Refusal("only said of several", found[0])
    clauses = [child for child in head.children if child.dep_ in ("acl", "relcl")]
    if head.dep_ in ("nsubj", "nsubjpass", "dobj"):
        clauses.append(head.head)
    for verb in clauses:
        if verb.lemma_ in listed("several"):
            raise Refusal("only said of several", verb.text)


def _check_only_one(reading: Reading, head: Token) -> None:
    """See that the caption speaks of no other thing of the kind."""
    noun = singular_of(head.lower_)
    person = is_person(noun)
    for index, word in reading.picks:
        if person or reading.doc[index].dep_ not in ("det", "amod"):
            raise Refusal("another of the kind", word)
    for other in reading.nouns:
        if other.index == head.i or other.modifies:
            continue
        same_person = person and may_be_same_person(noun, other.noun, plural=other.several)
        if other.noun == noun or same_person or (other.several and is_kind_of(noun, other.noun)):
            raise Refusal("another of the kind", reading.doc[other.index].text)
