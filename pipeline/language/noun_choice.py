"""Nouns of imSitu as captions say them: which synonym, in which number, with which article."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from pipeline.errors import Refusal
from pipeline.language import inflection, lexicons, wordnet
from pipeline.language.articles import indefinite_article
from pipeline.sources.records import Filler

# An article that captions use in at least this share of cases is worth a try.
_WORTH_A_TRY = 0.25
# The same for the plural; parts of the body, said of the one whose they are, often come in pairs.
_USUALLY = 0.5
_IN_PAIRS = 0.15
# Above this share, the plural is what is said first ("vegetables", "teeth").
_MOSTLY = 0.7
# A synonym stands for the gloss's first word only if captions have it as often as this.
_KNOWN = 5


_SPORTS = ("sport.n.01", "athletic_game.n.01")
_SUBSTANCES = (
    *("beverage.n.01", "body_substance.n.01", "chemical.n.01", "condiment.n.01", "cosmetic.n.01"),
    *("fluid.n.01", "fuel.n.01", "liquid.n.01", "metallic_element.n.01", "paint.n.01"),
    *("powder.n.03", "substance.n.01"),
)
# Names of doings and of fields of knowledge have no article ("meditation", "dentistry").
_DOING = re.compile(r"\w+(ing|ation|ics|ism|ology|istry|ence)")
_ABSTRACT = ("act.n.02", "cognition.n.01")


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A noun with its article.

    Attributes:
        noun: The noun in the number in which it is said ("man", "people", "cell phone").
        determiner: "a", "an", "the", "another", "his", "her", "its", "their", or empty.
        plural: Whether a verb agrees with it in the plural.
        noun_id: imSitu's id of the noun.
    """

    noun: str
    determiner: str
    plural: bool
    noun_id: str

    @property
    def text(self) -> str:
        """The phrase inside a sentence."""
        return f"{self.determiner} {self.noun}".strip()

    @property
    def pronoun(self) -> str:
        """What belongs to it is "his", "her", "its" or "their"."""
        return "their" if self.plural else _pronoun(self.noun_id)

    @property
    def kind(self) -> wordnet.Kind:
        """The kind of thing that it is."""
        return wordnet.kind(self.noun_id)


@dataclass(frozen=True, slots=True)
class _Usage:
    """How often captions use a noun: in all, and in four ways of which others are left out."""

    total: int
    indefinite: int
    definite: int
    bare: int
    plural: int


@cache
def best_word(filler: Filler) -> str:
    """The most natural synonym: frequent in captions, and usually in this sense.

    The measure is the word's frequency in captions times the square of the share that this sense
    has among the word's senses in WordNet, so that "boy" stands for "male child", but not "track"
    for "railway". A few nouns are set by hand.

    Raises:
        Refusal: The noun has no word, is the name of one person or place ("proper name"), or says
            nothing definite ("vague noun").
    """
    synset = wordnet.noun(filler.id)
    if not filler.words:
        raise Refusal("noun without words", filler.id)
    if synset is not None and synset.instance_hypernyms():
        raise Refusal("proper name", filler.words[0])
    plain = _plain().get(filler.words[0])
    if plain == "-":
        raise Refusal("vague noun", filler.words[0])
    if plain:
        return plain
    known = (word for word in filler.words[1:] if _usage(word).total >= _KNOWN)
    return max((filler.words[0], *known), key=lambda word: _naturalness(filler, word))


def noun_phrases(
    filler: Filler, *, several: bool = False, determiner: str = "", preposition: str = ""
) -> Iterator[NounPhrase]:
    """The ways in which a noun can be said, the usual one first.

    Of things, not of people and animals, the plural is among them where captions say it mostly
    ("teeth"): annotators do not give the number.

    Args:
        several: Whether there are several of the things, as the role's name says.
        determiner: Put in place of the article: "his" for example, or "another".
        preposition: What stands before it: one falls "on the ground", but digs "dirt".

    Raises:
        Refusal: As `best_word`, and "no other one" where "another" does not fit the noun.
    """
    word = best_word(filler)
    is_sport = any(wordnet.is_below(filler.id, top) for top in _SPORTS)
    number = "mass" if is_sport else inflection.grammatical_number(word)
    counted = number == "singular"
    if determiner == "another" and not (counted or number == "either"):
        raise Refusal("no other one", word)
    if number in ("plural", "plural only"):
        yield NounPhrase(word, determiner, True, filler.id)
        return
    plural_share = _plural_share(filler, word, bool(determiner)) if counted else 0.0
    articles = [determiner] if determiner else _articles(filler, word, number, preposition)
    if plural_share and not determiner:
        # "She slices lemon": a counted noun, badly parsed.
        articles = [article for article in articles if article] or [indefinite_article(word)]
    ways = [NounPhrase(word, article, False, filler.id) for article in articles]
    several_of_them = NounPhrase(inflection.plural(word), determiner, True, filler.id)
    if counted and several and articles[0]:
        ways = [several_of_them]
    elif plural_share and determiner != "another":
        first = preposition == "with" or plural_share > _MOSTLY
        ways.insert(0 if first else 1, several_of_them)
    yield from ways


def _plural_share(filler: Filler, word: str, own: bool) -> float:
    """How often captions say a noun in the plural, or 0 where that is not worth a try."""
    usage = _usage(word)
    share = usage.plural / usage.total if usage.total else 0.0
    kind = wordnet.kind(filler.id)
    if kind in ("person", "animal"):
        return 0.0
    return share if share > (_IN_PAIRS if own and kind == "body part" else _USUALLY) else 0.0


def _articles(filler: Filler, word: str, number: inflection.Number, preposition: str) -> list[str]:
    """The articles that captions use with a singular noun, the most frequent first."""
    usage, indefinite = _usage(word), indefinite_article(word)
    if number == "mass":
        shares = {"": usage.bare + 1, "the": usage.definite}
        if not preposition:
            return sorted(shares, key=bool) if usage.definite > usage.bare else [""]
    elif wordnet.kind(filler.id) in ("person", "animal") or _is_limb(filler):
        shares = {indefinite: 1}
    else:
        counted = usage.indefinite + 1
        # A few counted nouns without an article are parts of compounds, badly parsed.
        bare = usage.bare if usage.bare > counted else 0
        shares = {indefinite: counted, "the": usage.definite, "": bare}
        if not bare and usage.indefinite < _KNOWN and _may_be_mass(filler, word):
            shares[""] = counted + 1
    least = _WORTH_A_TRY * sum(shares.values())
    found = [article for article, times in shares.items() if times >= least]
    return sorted(found, key=lambda article: -shares[article])


def _is_limb(filler: Filler) -> bool:
    """Whether a noun means a part of the body that is counted: not hair, not skin."""
    is_part = wordnet.kind(filler.id) == "body part"
    return is_part and not wordnet.is_below(filler.id, "body_covering.n.01")


def _may_be_mass(filler: Filler, word: str) -> bool:
    """Whether a noun that captions do not tell about may go without an article."""
    synset = wordnet.noun(filler.id)
    if synset is not None and synset.lexname() == "noun.artifact":
        return wordnet.is_below(filler.id, "cosmetic.n.01")
    if any(wordnet.is_below(filler.id, top) for top in _SUBSTANCES):
        return True
    abstract = any(wordnet.is_below(filler.id, top) for top in _ABSTRACT)
    return abstract and _DOING.fullmatch(word) is not None


def _naturalness(filler: Filler, word: str) -> float:
    """The logarithm of frequency times the square of the sense's share; the first is favoured."""
    other = filler.words.index(word) > 0
    return math.log(_usage(word).total + 1) + 2 * math.log(_share(filler.id, word)) - other


def _share(noun_id: str, word: str) -> float:
    """How likely a word means this: its count in WordNet's texts, smoothed by the senses' order."""
    wanted, singular = wordnet.noun(noun_id), inflection.singular(word)
    senses = wordnet.synsets(word, "n") + (
        wordnet.synsets(singular, "n") if singular != word else ()
    )
    weights = {
        synset: wordnet.count(f"n{synset.offset():08d}", word) + 1 / rank
        for rank, synset in enumerate(senses, start=1)
    }
    return weights[wanted] / sum(weights.values()) if wanted in weights else 0.1


@cache
def _pronoun(noun_id: str) -> str:
    if wordnet.is_animal(noun_id):
        return "its"
    if not wordnet.is_person(noun_id):
        return "its"
    if any(wordnet.is_below(noun_id, top) for top in _FEMALE):
        return "her"
    if any(wordnet.is_below(noun_id, top) for top in _MALE):
        return "his"
    return "their"


_FEMALE = ("female.n.02", "actress.n.01", "nun.n.01", "wife.n.01", "mother.n.01", "waitress.n.01")
_MALE = ("male.n.02", "policeman.n.01", "fireman.n.04", "father.n.01", "husband.n.01", "son.n.01")


def _usage(word: str) -> _Usage:
    none = _Usage(0, 0, 0, 0, 0)
    return _usages().get(word) or _usages().get(inflection.singular(word), none)


@cache
def _usages() -> dict[str, _Usage]:
    rows = (line.split() for line in lexicons.entries("caption_nouns"))
    return {noun.replace("_", " "): _Usage(*map(int, counts)) for noun, *counts in rows}


@cache
def _plain() -> dict[str, str]:
    return {
        said.replace("_", " "): instead.replace("_", " ")
        for said, instead in lexicons.pairs("plain_nouns").items()
    }
