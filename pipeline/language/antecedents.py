"""Which noun before a pronoun it stands for: what syntax rules out, and what it makes likely."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pipeline.language.noun_phrases import number_of
from pipeline.language.pronouns import POSSESSIVES, REFLEXIVES, suitability

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

Thing = list[tuple[int, ...]]
"""The mentions of one thing, each with the indices of its tokens, in the order of the text."""

_NOUN_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_MODIFYING = frozenset({"compound", "amod", "nmod", "quantmod", "nummod", "npadvmod"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj"})
_OBJECTS = frozenset({"dobj", "dative", "iobj", "oprd"})
_CLAUSAL = frozenset({"ROOT", "ccomp", "xcomp", "advcl", "relcl", "acl", "conj", "pcomp"})
_INDEFINITE = frozenset({"a", "an", "any", "another", "other", "no", "some", "what", "which"})
_DEFINITE = frozenset({"the", "this", "that", "these", "those", "his", "her", "its", "their"})


def nominals(doc: Doc) -> Iterator[tuple[int, ...]]:
    """Yield what pronouns can stand for: the heads of noun phrases, and coordinations of them."""
    for token in doc:
        if not _is_nominal(token):
            continue
        yield (token.i,)
        if token.dep_ != "conj":
            joined = _coordinated(token)
            if len(joined) > 1:
                yield tuple(joined)


def _is_nominal(token: Token) -> bool:
    if token.tag_ not in _NOUN_TAGS:
        return token.lower_ in ("someone", "somebody", "everyone", "others")
    return not (token.dep_ in _MODIFYING and token.head.i > token.i)


def _coordinated(first: Token) -> list[int]:
    """The indices of a noun and of the nouns joined to it by "and"."""
    joined, noun, words = [first.i], first, set()
    while True:
        words |= {child.lower_ for child in noun.children if child.dep_ == "cc"}
        following = next((c for c in noun.children if c.dep_ == "conj" and _is_nominal(c)), None)
        if following is None:
            return joined if words & {"and", "&"} else joined[:1]
        joined.append(following.i)
        noun = following


def antecedent(pronoun: Token, things: list[Thing]) -> Thing | None:
    """Return the most salient thing mentioned before a pronoun that it can stand for."""
    scored = []
    for number, thing in enumerate(things):
        before = [tokens for tokens in thing if tokens[-1] < pronoun.i]
        score = _score(pronoun, thing, before)
        if score is not None:
            scored.append((score, before[-1], number))
    return things[max(scored)[2]] if scored else None


def _score(pronoun: Token, thing: Thing, before: Thing) -> float | None:
    doc = pronoun.doc
    if not before:
        return None
    suits = suitability(pronoun, [doc[place] for place in thing[0]])
    last = [doc[place] for place in before[-1]]
    if suits is None or any(_excluded(pronoun, token) for token in last):
        return None
    mine, theirs = _sentence(pronoun), _sentence(last[-1])
    if pronoun.lower_ in REFLEXIVES and mine != theirs:
        return None
    score = suits - 1.0 * min(mine - theirs, 4)
    score += 0.7 * any(_is_subject(token) for token in last) + 0.6 * (len(before) > 1)
    if all(_is_modifier(doc[place]) for place in thing[0]):
        score -= 0.6
    if mine == theirs and pronoun.lower_ not in POSSESSIVES and len(last) == 1:
        score += 0.3 * (_role(last[0]) == _role(pronoun))
    return score


def _sentence(token: Token) -> int:
    """How many sentences end before the one of the token."""
    return sum(1 for other in token.doc[: token.i + 1] if other.is_sent_start)


def _is_subject(token: Token) -> bool:
    """Whether a noun is a subject, or the head of a caption that is one noun phrase."""
    return token.dep_ in _SUBJECTS or (token.dep_ == "ROOT" and token.tag_ in _NOUN_TAGS)


def _is_modifier(token: Token) -> bool:
    """Whether a noun stands in a phrase that belongs to another noun ("the top of a bus")."""
    return token.dep_ == "poss" or (
        token.dep_ == "pobj" and token.head.head.tag_ in _NOUN_TAGS and token.head.lower_ != "of"
    )


def _role(token: Token) -> str:
    if token.dep_ in _SUBJECTS:
        return "subject"
    return "object" if token.dep_ in _OBJECTS else "other"


def _excluded(pronoun: Token, noun: Token) -> bool:
    """Whether syntax keeps a pronoun from standing for a noun before it (binding theory)."""
    if pronoun.head == noun and pronoun.lower_ in POSSESSIVES:
        return True
    if any(ancestor == noun for ancestor in pronoun.ancestors) and pronoun.dep_ == "pobj":
        if pronoun.head.lower_ == "of":
            return True
    if pronoun.lower_ in POSSESSIVES or pronoun.lower_ in REFLEXIVES:
        return False
    governed = pronoun.dep_ in _OBJECTS or (
        pronoun.dep_ == "pobj" and pronoun.head.lower_ in ("to", "at", "for", "of")
    )
    if not governed:
        return pronoun.dep_ in _SUBJECTS and _clause(pronoun) == _clause(noun)
    return (_clause(pronoun) == _clause(noun) and _role(noun) in ("subject", "object")) or (
        # "A man watching him": the noun that the clause belongs to is its subject.
        _clause(pronoun).dep_ == "acl" and _clause(pronoun).head == noun
    )


def _clause(token: Token) -> Token:
    """The head of the clause that a token stands in."""
    head = token.head if token.dep_ != "ROOT" else token
    while head.dep_ not in _CLAUSAL and head.head is not head:
        head = head.head
    return head


def may_repeat(noun: Token, earlier: Token) -> bool:
    """Whether "the dog" may be the dog of an earlier phrase: same word, number and no contrast."""
    if noun.lemma_.lower() != earlier.lemma_.lower() or number_of(noun) != number_of(earlier):
        return False
    determiners = {child.lower_ for child in noun.children if child.dep_ in ("det", "poss")}
    if not determiners & _DEFINITE or determiners & _INDEFINITE:
        return False
    contrast = {"other", "another", "second", "different", "first", "last", "next"}
    mine = {child.lower_ for child in noun.children if child.dep_ == "amod"}
    theirs = {child.lower_ for child in earlier.children if child.dep_ == "amod"}
    return not contrast & (mine | theirs) and (not mine or not theirs or bool(mine & theirs))
