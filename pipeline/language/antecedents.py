"""Which noun before a pronoun it stands for: what syntax rules out, and what it makes likely."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pipeline.language.noun_phrases import NOUN_TAGS, number_of
from pipeline.language.pronouns import (
    POSSESSIVES,
    REFLEXIVES,
    is_of_animates,
    kind_of,
    predicates,
    suitability,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

Thing = list[tuple[int, ...]]
"""The mentions of one thing, each with the indices of its tokens, in the order of the text."""

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
    if token.tag_ not in NOUN_TAGS:
        return token.lower_ in ("someone", "somebody", "everyone", "others")
    return not (token.dep_ in _MODIFYING and token.head.i > token.i) or _is_mistaken(token)


def _is_mistaken(token: Token) -> bool:
    """Whether the subject of a participle was taken for a part of it ("elephant standing")."""
    return token.dep_ == "compound" and token.head.tag_ in ("VBG", "VBN")


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
        if before and _is_possible(pronoun, thing, before[-1]):
            scored.append((_salience(pronoun, thing, before), before[-1], number))
    return things[max(scored)[2]] if scored else None


def subject_after(pronoun: Token, things: list[Thing]) -> Thing | None:
    """Return the subject that follows a possessive of its clause: "in his hand, a man holds"."""
    clause = _clause(pronoun)
    if pronoun.lower_ not in POSSESSIVES or clause.i < pronoun.i:
        return None
    subjects = [c for c in clause.children if c.dep_ in _SUBJECTS and c.i > pronoun.head.i]
    for thing in things:
        if subjects and thing[0][0] == subjects[0].i:
            nouns = [pronoun.doc[place] for place in thing[0]]
            if suitability(pronoun, nouns) is not None:
                return thing
    return None


def _is_possible(pronoun: Token, thing: Thing, last: tuple[int, ...]) -> bool:
    """Whether form and syntax allow the pronoun to stand for a thing last mentioned there."""
    doc = pronoun.doc
    if suitability(pronoun, [doc[place] for place in thing[0]]) is None:
        return False
    if any(_excluded(pronoun, doc[place]) for place in last):
        return False
    same = _sentence(pronoun) == _sentence(doc[last[-1]])
    return same or pronoun.lower_ not in REFLEXIVES


def _salience(pronoun: Token, thing: Thing, before: Thing) -> float:
    """How likely a thing is, from its fit, how far away it is, and how it was mentioned."""
    doc = pronoun.doc
    first, last = ([doc[place] for place in mention] for mention in (thing[0], before[-1]))
    distance = _sentence(pronoun) - _sentence(last[-1])
    score = (suitability(pronoun, first) or 0.0) - _PER_SENTENCE * min(distance, _FARTHEST)
    score += _SUBJECT * any(_is_subject(token) for token in last)
    score += _AGAIN * min(len(before) - 1, _MOST_AGAIN)
    score += _FIRST * (_sentence(first[0]) <= 1 and any(_is_subject(token) for token in first))
    score -= _MODIFIER * all(_is_modifier(token) for token in first)
    score -= _PREDICATE * all(_is_predicate(token) for token in first)
    if distance == 0 and pronoun.lower_ not in POSSESSIVES and len(last) == 1:
        score += _PARALLEL * (_role(last[0]) == _role(pronoun))
    if predicates(pronoun) & {token.lemma_.lower() for token in first}:
        score += _SAME_WORD
    if is_of_animates(pronoun) and len(first) == 1:
        score -= _LIFELESS * (kind_of(first[0].lower_) in ("thing", "place"))
    return score


_PER_SENTENCE, _FARTHEST = 0.3, 8
_SUBJECT, _FIRST, _PARALLEL = 0.5, 1.2, 0.3
_AGAIN, _MOST_AGAIN = 0.4, 3
_MODIFIER, _PREDICATE, _LIFELESS, _SAME_WORD = 0.6, 0.8, 2.0, 2.5
"""What makes a noun salient, weighed on half of VisPro's dialogs (benchmarks/coref.py)."""


def _sentence(token: Token) -> int:
    """How many sentences end before the one of the token."""
    return int((token.doc.to_array("SENT_START")[: token.i + 1] == 1).sum())


def _is_subject(token: Token) -> bool:
    """Whether a noun is a subject, or the head of a caption that is one noun phrase."""
    whole = token.dep_ == "ROOT" and token.tag_ in NOUN_TAGS
    return token.dep_ in _SUBJECTS or whole or _is_mistaken(token)


def _is_predicate(token: Token) -> bool:
    """Whether a noun says what something is, asks for a kind, or is the whole of an answer."""
    if any(child.lower_ in ("what", "which", "how") for child in token.children):
        return True
    alone = token.dep_ == "ROOT" and token.left_edge == token and _sentence(token) > 1
    return token.dep_ in ("attr", "npadvmod") or alone


def _is_modifier(token: Token) -> bool:
    """Whether a noun stands in a phrase that belongs to another noun ("the top of a bus")."""
    return token.dep_ == "poss" or (
        token.dep_ == "pobj" and token.head.head.tag_ in NOUN_TAGS and token.head.lower_ != "of"
    )


def _role(token: Token) -> str:
    if token.dep_ in _SUBJECTS:
        return "subject"
    return "object" if token.dep_ in _OBJECTS else "other"


def _excluded(pronoun: Token, noun: Token) -> bool:
    """Whether syntax keeps a pronoun from standing for a noun before it (binding theory)."""
    if pronoun.head == noun and pronoun.lower_ in POSSESSIVES:
        return True
    of = pronoun.dep_ == "pobj" and pronoun.head.lower_ == "of"
    if of and any(ancestor == noun for ancestor in pronoun.ancestors):
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
