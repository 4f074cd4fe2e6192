"""Which noun phrases of a caption can be put in the other number, so that it becomes false."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.errors import Refusal
from pipeline.language import lexicons
from pipeline.language.closed_classes import POSSESSIVES, words
from pipeline.language.countable_nouns import check_noun, is_person, listed, singular_of
from pipeline.language.dictionary import can_be, verb_forms
from pipeline.language.noun_phrases import NOUN_TAGS, NounPhrase
from pipeline.language.number_change import determiners
from pipeline.language.number_in_context import Reading, check_context
from pipeline.language.verb_agreement import existential_verb, is_subject

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_SINGULAR = frozenset({"a", "an", "one", "1", "this", "that", "each", "every", "another"})
_PLURAL = frozenset({"these", "those", "many", "several", "few", "both", "various", "multiple"})
_REFUSED_DETERMINERS = words(
    "no all both each every either neither another any what which whose such half"
)
_FOREIGN_TAGS = frozenset({"CD", "POS", "PRP$", "DT", "IN", "NNP", "NNPS", "VBZ", "VBP"})
"""Tags of words that have no place between the determiner and the noun."""
_NEGATIONS = words("no not n't never without nobody none nothing neither nor")
_ROUNDING = words("about than least most only just exactly approximately over nearly almost")
_BESIDE = words(
    "near by beside behind to of past along under outside below above around across against with"
)
"""Prepositions after which "a tree" says that there is one, not that there is only one."""
_SURROUNDING = words("surrounded crowded lined covered littered scattered between")
_INTENTIONS = words("wait look search hope shop ask prepare advertise depict symbolize")


def check_countable(reading: Reading, phrase: NounPhrase) -> None:
    """Check that a phrase can take a quantifier truly, and falsely in the other number.

    Raises:
        Refusal: With the reason, of the noun, its determiner and modifiers, its place in the
            sentence, or the rest of the caption.
    """
    doc = reading.doc
    head = doc[phrase.head_token]
    check_noun(head.text, plural=phrase.number == "plural")
    if head.tag_ in ("NNP", "NNPS") or (head.text[0].isupper() and phrase.start > 0):
        raise Refusal("proper name", head.text)
    given = determiners(doc, phrase)
    _check_determiners(head, phrase, given)
    _check_modifiers(doc, head, given)
    _check_place(head)
    check_context(reading, phrase)


def _check_determiners(head: Token, phrase: NounPhrase, given: list[Token]) -> None:
    said = {token.lower_ for token in given}
    refused = said & _REFUSED_DETERMINERS
    if refused:
        raise Refusal("determiner", min(refused))
    wrong = said & (_PLURAL if phrase.number == "singular" else _SINGULAR)
    few = {"a", "few"} <= said
    if wrong - ({"a"} if few else set()):
        raise Refusal("determiner and noun disagree", phrase.text)
    numerals = [token.lower_ for token in given if token.tag_ == "CD"]
    if any((word in ("one", "1")) != (phrase.number == "singular") for word in numerals):
        raise Refusal("determiner and noun disagree", phrase.text)
    if said & POSSESSIVES and phrase.number == "singular" and is_person(singular_of(head.lower_)):
        raise Refusal("relative of somebody", phrase.text)
    if not given and phrase.number == "singular" and not _may_lack_determiner(head, phrase):
        raise Refusal("singular without a determiner", phrase.text)


def _may_lack_determiner(head: Token, phrase: NounPhrase) -> bool:
    """Captions may begin without an article; "a man and woman" share one."""
    if phrase.start == 0:
        return head.dep_ in ("ROOT", "nsubj", "nsubjpass")
    first = head.head
    return head.dep_ == "conj" and any(child.dep_ == "det" for child in first.lefts)


def _check_modifiers(doc: Doc, head: Token, given: list[Token]) -> None:
    inner = list(doc[_inner_start(head, given) : head.i])
    for token in inner:
        if token.lower_ in listed("modifier") or token.tag_ in ("JJS", "RBS"):
            raise Refusal("modifier", token.text)
    strange = any(token.tag_ in _FOREIGN_TAGS or _begins_clause(token, inner) for token in inner)
    if strange or (inner and inner[-1].tag_ == "RB") or any(map(_lacks_apostrophe, inner)):
        raise Refusal("unclear phrase", doc[inner[0].i : head.i + 1].text)
    first = (given or inner or [head])[0].i
    if _may_be_verb(head, first):
        raise Refusal("unclear phrase", head.text)
    if first:
        _check_before(doc[first - 1], bare=not given)
    if head.i + 1 < len(doc) and head.nbor().tag_ in NOUN_TAGS:
        raise Refusal("unclear phrase", doc[head.i : head.i + 2].text)
    if head.i + 2 < len(doc) and head.nbor().tag_ == "VBN" and head.nbor(2).tag_ in NOUN_TAGS:
        raise Refusal("unclear phrase", doc[head.i : head.i + 3].text)
    if any(child.dep_ in ("appos", "npadvmod", "neg") for child in head.children):
        raise Refusal("apposition", head.text)


def _lacks_apostrophe(modifier: Token) -> bool:
    """Whether a plural stands before a noun that it hardly goes with ("a friends house")."""
    return modifier.tag_ == "NNS" and modifier.lower_ not in lexicons.words("attributive_plurals")


def _may_be_verb(head: Token, first: int) -> bool:
    """Whether "cooks" in "sits and cooks" may be no noun."""
    joined = first == head.i and first > 0 and head.nbor(-1).lower_ in ("and", ",", "or", "then")
    return joined and "VBZ" in verb_forms(head.lower_)


def _inner_start(head: Token, given: list[Token]) -> int:
    if given:
        return given[-1].i + 1
    first = head.i
    while first and head.doc[first - 1] in head.subtree:
        first -= 1
    return first


def _begins_clause(token: Token, inner: list[Token]) -> bool:
    """Whether "and" or a word in -ing follows a noun, which a wrong tree took for a modifier."""
    if token.i == inner[0].i or token.nbor(-1).tag_ not in ("NN", "NNS"):
        return False
    if token.tag_ == "CC":
        return True
    compound = lexicons.words("attributive_ing") | lexicons.words("ing_nouns")
    return token.lower_.endswith("ing") and token.lower_ not in compound


def _check_before(token: Token, *, bare: bool) -> None:
    """See that no word before the phrase seems to belong to it."""
    if token.tag_ in ("DT", "PRP$", "PDT", "JJR", "JJS", "CD", "POS", "WP$") or token.text == "-":
        raise Refusal("unclear phrase", token.text)
    if token.lower_ in _ROUNDING:
        raise Refusal("modifier", token.text)
    no_verb = token.tag_.startswith("VB") and not can_be(token.lower_, "VERB")
    part = token.tag_ in ("JJ", "NN", "VBN") and token.lower_ not in ("top", "full")
    if bare and (part or no_verb):
        raise Refusal("unclear phrase", token.text)


def _check_place(head: Token) -> None:
    if head.dep_ in ("poss", "npadvmod", "appos", "dep", "amod", "compound", "nmod"):
        raise Refusal("no argument of its clause", head.dep_)
    governor = head.head
    if head.dep_ in ("attr", "oprd") and existential_verb(head) is None:
        raise Refusal("predicate noun", head.text)
    clause = governor if is_subject(head) else head
    if any(child.dep_ == "attr" and child.tag_ in ("NN", "NNS") for child in clause.children):
        raise Refusal("predicate noun", governor.text)
    if head.dep_ == "pobj" or (head.dep_ == "conj" and governor.dep_ == "pobj"):
        _check_preposition(head if head.dep_ == "pobj" else governor)
    words = {t.lower_ for a in head.ancestors for t in (a, *a.children) if t.i < head.i}
    if words & _NEGATIONS:
        raise Refusal("under a negation", head.text)


def _check_preposition(head: Token) -> None:
    preposition = head.head
    word, governor = preposition.lower_, preposition.head
    if word in listed("between"):
        raise Refusal("preposition", word)
    if word == "of" and singular_of(governor.lower_) in listed("group") | listed("act"):
        raise Refusal("what a group is of", governor.text)
    if word == "for" and governor.lemma_ in _INTENTIONS:
        raise Refusal("what is not there", governor.text)
    if governor.lower_ in _SURROUNDING and head.tag_ == "NNS":
        raise Refusal("several by their verb", governor.text)
    holder = singular_of(governor.lower_)
    if word == "of" and head.tag_ == "NNS" and (holder in listed("container") or holder == "full"):
        raise Refusal("what a group is of", governor.text)
    if word in _BESIDE and head.tag_ == "NN" and singular_of(head.lower_) in listed("scenery"):
        raise Refusal("one of the scenery", head.text)
