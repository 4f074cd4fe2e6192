"""Third-person pronouns, and what nouns they can stand for: number, gender and animacy."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Literal

from pipeline.language import lexicons
from pipeline.language.inflection import singular
from pipeline.language.noun_phrases import number_of

if TYPE_CHECKING:
    from spacy.tokens import Token

Kind = Literal["male", "female", "person", "animal", "group", "place", "thing"]

PRONOUNS: dict[str, str] = {
    form: forms.split()[0]
    for forms in (
        "he him his himself",
        "she her hers herself",
        "it its itself",
        "they them their theirs themselves themself",
    )
    for form in forms.split()
}
"""Form -> nominative, for the pronouns that are resolved."""

POSSESSIVES = frozenset({"his", "her", "its", "their"})
REFLEXIVES = frozenset({"himself", "herself", "itself", "themselves", "themself"})

_FITTING: dict[str, dict[Kind, float]] = {
    "he": {"male": 3, "person": 2, "animal": 0.5},
    "she": {"female": 3, "person": 2, "animal": 0.5},
    "it": {"thing": 1.5, "animal": 1.5, "place": -1, "group": 1},
    "they": {
        "male": 2,
        "female": 2,
        "person": 2,
        "animal": 1.5,
        "group": 1.5,
        "thing": 1.5,
        "place": -1,
    },
}
"""How well a pronoun suits each kind of noun in its number; kinds left out are impossible."""

_SINGULAR_THEY = {"person": 0.5, "group": 1.0, "animal": -1.0}
_COPULAS = frozenset({"be", "look", "seem", "appear", "feel", "get"})
_FUNCTION_WORDS = frozenset(
    [
        "a",
        "an",
        "the",
        "very",
        "really",
        "be",
        "is",
        "'s",
        "to",
        "like",
        "in",
        "at",
        "during",
        "n't",
        "well",
        "not",
        "just",
    ]
)
_IMAGE_QUALITIES = frozenset({"color", "colour", "close", "watermarked", "blurry", "cropped"})
_LIVING = frozenset(
    {"boy", "girl", "male", "female", "man", "woman", "men", "women", "boys", "girls"}
)
_YOUNG = frozenset({"baby", "infant", "child", "newborn", "toddler", "kid"})


@cache
def kind_of(word: str) -> Kind:
    """What a noun in lower case refers to; "thing" where data/lexicons/referents.txt has it not."""
    listed = _referents()
    kinds = [listed[form] for form in (word, singular(word)) if form in listed]
    return kinds[0] if kinds and kinds[0] in _NOMINAL_KINDS else "thing"  # type: ignore[return-value]


def suitability(pronoun: Token, nouns: Sequence[Token]) -> float | None:
    """How well a pronoun can stand for a noun, or for all of several coordinated ones.

    Returns:
        A higher number for a better fit, roughly from -1 to 3; None where it cannot.
    """
    name = PRONOUNS[pronoun.lower_]
    if len(nouns) > 1:
        return 2.0 if name == "they" else None
    (noun,) = nouns
    kind = kind_of(noun.lower_)
    if noun.tag_ in ("NNP", "NNPS") and kind == "thing" and name in ("he", "she"):
        return 1.0
    plural = number_of(noun) == "plural"
    if name == "they" and not plural:
        return _SINGULAR_THEY.get(kind)
    if name != "they" and plural:
        return None
    if name == "it" and noun.lower_ in _YOUNG:
        return -0.5
    return _FITTING[name].get(kind)


def is_pleonastic(pronoun: Token) -> bool:
    """Whether an "it" refers to nothing in the text: to the weather, the time, the image itself,
    or a clause that follows.
    """
    if pronoun.lower_ != "it":
        return False
    if _of_image(pronoun):
        return True
    verb = pronoun.head
    words = {token.lower_ for token in pronoun.sent}
    if verb.lemma_ in ("rain", "snow", "thunder") or {"what", "time"} <= words:
        return True
    if verb.lemma_ in ("appear", "seem", "look", "take") and _has_clause(verb):
        return True
    return bool(_first_predicate(pronoun) & _listed("ambient"))


def is_image_word(lemma: str) -> bool:
    """Whether a noun is a word for the image itself ("photo")."""
    return lemma in _listed("image")


def _of_image(pronoun: Token) -> bool:
    """Whether an "it" is said to be a photo or in color, and no photo was spoken of before."""
    images = _listed("image")
    said = predicates(pronoun) | _first_predicate(pronoun)
    before = {token.lemma_.lower() for token in pronoun.doc[: pronoun.i]}
    words = [token.lower_ for token in pronoun.sent if token.i > pronoun.i]
    colors = _IMAGE_QUALITIES & said or words[:4] == ["in", "black", "and", "white"]
    return bool(said & images or colors) and not before & images


def _first_predicate(pronoun: Token) -> set[str]:
    """The first content word after an "it" that is said to be something."""
    following = [token for token in pronoun.sent if token.i > pronoun.i and not token.is_punct]
    if not (_COPULAS & {pronoun.head.lemma_, *(token.lemma_ for token in _around(pronoun))}):
        return set()
    words = [token.lower_ for token in following if token.lower_ not in _FUNCTION_WORDS]
    return set(words[:1])


def _around(pronoun: Token) -> list[Token]:
    """The words right before and after a pronoun in its sentence."""
    places = (pronoun.i - 1, pronoun.i + 1)
    return [token for token in pronoun.sent if token.i in places]


def predicates(pronoun: Token) -> set[str]:
    """Lemmas of the nouns that a clause says its pronoun is ("is it a professional photo")."""
    if not _COPULAS & {pronoun.head.lemma_, *(token.lemma_ for token in _around(pronoun))}:
        return set()
    return {
        token.lemma_.lower()
        for token in pronoun.sent
        if token.i > pronoun.i and _is_complement(token) and token.pos_ == "NOUN"
    }


def _is_complement(token: Token) -> bool:
    """Whether a noun can say what the subject is ("a photo", "like a photo")."""
    like = token.dep_ == "pobj" and token.head.lower_ == "like"
    return like or token.dep_ in ("attr", "ROOT")


def is_of_animates(pronoun: Token) -> bool:
    """Whether a pronoun is the subject of a verb that people and animals do ("wear")."""
    subject = pronoun.dep_ in ("nsubj", "nsubjpass") and pronoun.head.lemma_ in _listed("animate")
    nouns = {token.lower_ for token in pronoun.sent if token.i > pronoun.i}
    return subject or bool(predicates(pronoun) and nouns & _LIVING)


def _has_clause(verb: Token) -> bool:
    """Whether "that ..." or "like ..." with a finite clause follows the verb."""
    return any(child.dep_ in ("ccomp", "advcl") and child.i > verb.i for child in verb.children)


_NOMINAL_KINDS = ("male", "female", "person", "animal", "group", "place")


@cache
def _referents() -> dict[str, str]:
    listed: dict[str, str] = {}
    for line in lexicons.entries("referents"):
        kind, _, words = line.partition(":")
        if kind in _NOMINAL_KINDS:
            for word in words.split():
                listed.setdefault(word, kind)
    return listed


@cache
def _listed(name: str) -> frozenset[str]:
    lines = (line.partition(":") for line in lexicons.entries("referents"))
    return frozenset(word for kind, _, words in lines if kind == name for word in words.split())
