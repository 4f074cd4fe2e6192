"""Which noun phrases of a caption can be put in the other number, so that it becomes false."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from pipeline.errors import Refusal
from pipeline.language import lexicons, wordnet
from pipeline.language.closed_classes import POSSESSIVES, words
from pipeline.language.inflection import grammatical_number, singular
from pipeline.language.noun_phrases import NounPhrase
from pipeline.language.number_change import determiners, head_of
from pipeline.language.pronouns import PRONOUNS, is_pleonastic, kind_of
from pipeline.language.verb_agreement import (
    agreeing_verbs,
    existential_verb,
    finite_verb,
    is_joined,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from pipeline.language.coref import Chain

_CONCRETE = words(
    "noun.person noun.animal noun.artifact noun.food noun.plant noun.object noun.location "
    "noun.group"
)
_SINGULAR = frozenset({"a", "an", "one", "1", "this", "that", "each", "every", "another"})
_PLURAL = frozenset({"these", "those", "many", "several", "few", "both", "various", "multiple"})
_REFUSED_DETERMINERS = words(
    "no all both each every either neither another any what which whose such half"
)
_FOREIGN_TAGS = frozenset({"CD", "POS", "PRP$", "DT", "IN", "NNP", "NNPS", "VBZ", "VBP"})
"""Tags of words that have no place between the determiner and the noun."""
_NEGATIONS = words("no not n't never without nobody none nothing neither nor")
_COLLECTIVE = re.compile(
    r"\b(?:together|each other|one another|side by side|in (?:a|the) (?:row|line|group|circle|herd"
    r"|pile|stack|bunch)|in (?:rows|pairs|lines|formation|unison)|apart|both|all|each"
    r"|one of (?:them|which|whom)|lined up|stacked|gathered|surround(?:ing|ed)|matching|identical"
    r"|hand in hand|holding hands|respectively|different|various|in between|back to back"
    r"|face to face)\b",
    re.IGNORECASE,
)
_ROUNDING = words("about than least most only just exactly approximately over nearly almost")
_SURROUNDING = words("surrounded crowded lined covered littered scattered between")
_INTENTIONS = words("wait look search hope shop ask prepare advertise depict symbolize")


def check_countable(doc: Doc, phrase: NounPhrase, chains: Sequence[Chain]) -> None:
    """Check that a phrase can take a quantifier truly, and falsely in the other number.

    Raises:
        Refusal: With the reason.
    """
    head = head_of(doc, phrase)
    given = determiners(doc, phrase)
    _check_noun(head, phrase)
    _check_determiners(head, phrase, given)
    _check_modifiers(doc, head, given)
    _check_place(head)
    _check_verbs(head, phrase)
    _check_joined(head, phrase)
    if phrase.number == "plural":
        _check_distribution(doc, head, phrase)
    else:
        _check_only_one(doc, head, phrase)
    _check_pronouns(doc, head, chains)


def _check_noun(head: Token, phrase: NounPhrase) -> None:
    word = head.lower_
    number = grammatical_number(head.text)
    if number in ("mass", "plural only", "either"):
        raise Refusal("one form only" if number == "either" else f"{number} noun", word)
    if head.tag_ in ("NNP", "NNPS") or (head.text[0].isupper() and phrase.start > 0):
        raise Refusal("proper name", head.text)
    if not head.text.isalpha() and "-" not in head.text:
        raise Refusal("not a word", head.text)
    noun = singular(word)
    for reason in ("part", "unique", "picture", "group", "act", "substance", "body"):
        if noun in _listed(reason):
            raise Refusal(_REASONS[reason], noun)
    if phrase.number == "plural" and noun in _listed("system"):
        raise Refusal("plural by nature", word)
    if noun not in _listed("thing") and not _is_thing(noun):
        raise Refusal("no thing", noun)


_REASONS = {
    "part": "part of something",
    "unique": "unique or unbounded",
    "picture": "the picture itself",
    "group": "group or amount",
    "act": "act or time",
    "substance": "substance",
    "body": "part of the body",
}


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
    if said & POSSESSIVES and phrase.number == "singular" and _has_kin(head):
        raise Refusal("relative of somebody", phrase.text)
    if not given and phrase.number == "singular" and not _may_lack_determiner(head, phrase):
        raise Refusal("singular without a determiner", phrase.text)


def _has_kin(head: Token) -> bool:
    return kind_of(head.lower_) in ("male", "female", "person")


def _may_lack_determiner(head: Token, phrase: NounPhrase) -> bool:
    """Captions may begin without an article; "a man and woman" share one."""
    if phrase.start == 0:
        return head.dep_ in ("ROOT", "nsubj", "nsubjpass")
    first = head.head
    return head.dep_ == "conj" and any(child.dep_ == "det" for child in first.lefts)


def _check_modifiers(doc: Doc, head: Token, given: list[Token]) -> None:
    inner = list(doc[_inner_start(head, given) : head.i])
    for token in inner:
        if token.lower_ in _listed("modifier") or token.tag_ in ("JJS", "RBS"):
            raise Refusal("modifier", token.text)
    if any(token.tag_ in _FOREIGN_TAGS or _begins_clause(token, inner) for token in inner):
        raise Refusal("unclear phrase", doc[inner[0].i : head.i + 1].text)
    first = (given or inner or [head])[0].i
    if first:
        _check_before(doc[first - 1], bare=not given)
    if any(child.dep_ in ("appos", "npadvmod", "neg") for child in head.children):
        raise Refusal("apposition", head.text)


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
    if bare and token.tag_ in ("JJ", "NN", "VBN") and token.lower_ not in ("top", "full"):
        raise Refusal("unclear phrase", token.text)


def _check_place(head: Token) -> None:
    if head.dep_ in ("poss", "npadvmod", "appos", "dep", "amod", "compound", "nmod"):
        raise Refusal("no argument of its clause", head.dep_)
    governor = head.head
    if head.dep_ in ("attr", "oprd") and existential_verb(head) is None:
        raise Refusal("predicate noun", head.text)
    clause = governor if _is_subject(head) else head
    if any(child.dep_ == "attr" and child.tag_ in ("NN", "NNS") for child in clause.children):
        raise Refusal("predicate noun", governor.text)
    if head.dep_ == "pobj" or (head.dep_ == "conj" and governor.dep_ == "pobj"):
        _check_preposition(head if head.dep_ == "pobj" else governor)
    words = {t.lower_ for a in head.ancestors for t in (a, *a.children) if t.i < head.i}
    if words & _NEGATIONS:
        raise Refusal("under a negation", head.text)


def _is_subject(head: Token) -> bool:
    return head.dep_ in ("nsubj", "nsubjpass") and existential_verb(head) is None


def _check_preposition(head: Token) -> None:
    preposition = head.head
    word, governor = preposition.lower_, preposition.head
    if word in _listed("between"):
        raise Refusal("preposition", word)
    if word == "of" and singular(governor.lower_) in _listed("group") | _listed("act"):
        raise Refusal("what a group is of", governor.text)
    if word == "for" and governor.lemma_ in _INTENTIONS:
        raise Refusal("what is not there", governor.text)
    if governor.lower_ in _SURROUNDING and head.tag_ == "NNS":
        raise Refusal("several by their verb", governor.text)


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
    stray = next((token for token in head.doc if _is_stray(token)), None)
    if stray is not None:
        raise Refusal("verb without a subject", stray.text)


def _is_stray(verb: Token) -> bool:
    """Whether a finite verb has lost its subject, which a wrong tree gives away."""
    if verb.tag_ not in ("VBZ", "VBP") or verb.dep_ in ("aux", "auxpass", "conj"):
        return False
    return not any(c.dep_ in ("nsubj", "nsubjpass", "expl", "csubj") for c in verb.children)


def _check_joined(head: Token, phrase: NounPhrase) -> None:
    if not is_joined(head):
        return
    first = head
    while first.dep_ == "conj" and first.head.tag_ in ("NN", "NNS", "NNP", "NNPS"):
        first = first.head
    others = [child for child in head.children if child.dep_ == "conj"]
    if any(c.lower_ in ("or", "nor") for c in (*first.children, *head.children) if c.dep_ == "cc"):
        raise Refusal("alternative", head.text)
    bare = [o for o in others if not any(c.dep_ in ("det", "poss", "nummod") for c in o.lefts)]
    if bare:
        raise Refusal("determiner shared in a coordination", phrase.text)
    finite = finite_verb(first.head) if _is_subject(first) else None
    if finite is not None and finite.tag_ == "VBZ":
        raise Refusal("subject and verb disagree", phrase.text)


def _check_distribution(doc: Doc, head: Token, phrase: NounPhrase) -> None:
    rest = doc.text[phrase.end :]
    found = _COLLECTIVE.search(rest)
    if found:
        raise Refusal("only said of several", found[0])
    verb = head.head
    if head.dep_ in ("nsubj", "nsubjpass", "dobj") and verb.lemma_ in _listed("several"):
        raise Refusal("only said of several", verb.text)
    clause = next((c for c in head.children if c.dep_ in ("acl", "relcl")), None)
    if clause is not None and clause.lemma_ in _listed("several"):
        raise Refusal("only said of several", clause.text)


def _check_only_one(doc: Doc, head: Token, phrase: NounPhrase) -> None:
    """See that the caption speaks of no other thing of the kind."""
    noun = singular(head.lower_)
    person = kind_of(noun) in ("male", "female", "person")
    for token in doc:
        free = person or token.dep_ not in ("det", "amod")
        if free and token.lower_ in ("another", "other", "others"):
            raise Refusal("another of the kind", token.text)
        if token == head or token.tag_ not in ("NN", "NNS", "NNP", "NNPS"):
            continue
        other = singular(token.lower_)
        if other == noun and not (token.dep_ == "compound" and token.head.i > token.i):
            raise Refusal("another of the kind", token.text)
        if person and token.dep_ != "compound" and _may_be(noun, other, plural=token.tag_ == "NNS"):
            raise Refusal("another of the kind", token.text)
        if token.tag_ == "NNS" and _is_kind_of(noun, other):
            raise Refusal("another of the kind", token.text)


def _may_be(noun: str, other: str, *, plural: bool) -> bool:
    """Whether another person who is spoken of may be one of these, too."""
    mine, theirs = kind_of(noun), kind_of(other)
    if other in ("crowd", "group", "team", "audience", "family", "people", "person", "public"):
        return True
    if theirs not in ("male", "female", "person") or {mine, theirs} == {"male", "female"}:
        return False
    return noun in ("person", "people") or plural


@cache
def _is_kind_of(noun: str, other: str) -> bool:
    """Whether one noun's first sense is a kind of the other's ("car", "vehicle")."""
    mine, theirs = wordnet.synsets(noun, "n")[:1], wordnet.synsets(other, "n")[:1]
    return bool(mine and theirs) and any(theirs[0] in path for path in mine[0].hypernym_paths())


def _check_pronouns(doc: Doc, head: Token, chains: Sequence[Chain]) -> None:
    """See that every pronoun that could stand for the noun is known to stand for something."""
    resolved = {i for chain in chains for mention in chain.mentions for i in mention.tokens}
    for token in doc[head.i :]:
        if token.lower_ in PRONOUNS and token.i not in resolved and not is_pleonastic(token):
            raise Refusal("unresolved pronoun", token.text)


@cache
def _is_thing(noun: str) -> bool:
    """Whether the most frequent senses of a noun, or of its last part, are things one can see."""
    senses = wordnet.synsets(noun.rpartition("-")[2], "n")[:3]
    return any(sense.lexname() in _CONCRETE for sense in senses)


@cache
def _listed(name: str) -> frozenset[str]:
    lines = (line.partition(":") for line in lexicons.entries("uncounted_phrases"))
    return frozenset(word for kind, _, words in lines if kind == name for word in words.split())
