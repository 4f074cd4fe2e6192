"""Lexical relations and kinds of things in WordNet 3.0 (Miller, 1995), read through NLTK.

Words are asked for in their base form and lower case, with spaces in compounds. NLTK's own
stemming is not used: asked for "found", it would answer for "find" too.
"""

import warnings
from functools import cache
from typing import Any, Literal

from pipeline.errors import InputError

Relation = Literal["synonym", "hypernym", "hyponym"]
PartOfSpeech = Literal["n", "v", "a", "r"]
Kind = Literal["person", "animal", "body part", "thing", "place", "other"]

_REMEDY = "Run `make setup`, or: python -m pipeline.language.wordnet_files"
# Tops of the noun hierarchy, the more telling first. Of groups, those that act as people do are
# persons; schools, churches and meetings are not.
_KINDS: tuple[tuple[Kind, str], ...] = (
    (
        "person",
        "person.n.01 people.n.01 people.n.03 public.n.02 kin.n.02 family.n.01 couple.n.01 team.n.01"
        " crew.n.01 congregation.n.01 crowd.n.01 audience.n.01 audience.n.02 class.n.02 class.n.06"
        " set.n.05 musical_organization.n.01 work_force.n.01 police.n.01 army_unit.n.01"
        " military_personnel.n.01",
    ),
    # Of these, some are passages or areas to WordNet too.
    ("thing", "conduit.n.01 container.n.01 furniture.n.01 ladder.n.01 tube.n.01"),
    ("animal", "animal.n.01 animal_group.n.01"),
    ("body part", "body_part.n.01 hair.n.01 body.n.01"),
    (
        "place",
        "location.n.01 geological_formation.n.01 body_of_water.n.01 land.n.04 building.n.01"
        " building_complex.n.01 area.n.05 facility.n.01 way.n.06 housing.n.01 forest.n.01",
    ),
    ("thing", "physical_entity.n.01"),
)


@cache
def synsets(word: str, part_of_speech: PartOfSpeech) -> tuple[Any, ...]:
    """The senses of a word in this part of speech, the most frequent first.

    Raises:
        InputError: WordNet is not installed.
    """
    lemma = word.lower().replace(" ", "_")
    found = _wordnet().synsets(lemma, pos=part_of_speech)
    return tuple(synset for synset in found if lemma in _names(synset))


@cache
def related(verb: str, other: str) -> Relation | None:
    """What `other` is to `verb` in any of their senses; only direct hypernyms and hyponyms count.

    Both are base forms ("walk"). This is VALSE's test for verbs that may not replace each other.
    """
    mine, theirs = synsets(verb, "v"), set(synsets(other, "v"))
    if theirs.intersection(mine):
        return "synonym"
    if any(theirs.intersection(synset.hypernyms()) for synset in mine):
        return "hypernym"
    if any(theirs.intersection(synset.hyponyms()) for synset in mine):
        return "hyponym"
    return None


@cache
def are_antonyms(verb: str, other: str) -> bool:
    """Whether two verbs mean the contrary of each other in any sense ("push", "pull")."""
    name, wanted = verb.lower().replace(" ", "_"), other.lower().replace(" ", "_")
    lemmas = (lemma for synset in synsets(verb, "v") for lemma in synset.lemmas())
    return any(
        antonym.name().lower() == wanted
        for lemma in lemmas
        if lemma.name().lower() == name
        for antonym in lemma.antonyms()
    )


@cache
def noun(noun_id: str) -> Any | None:
    """The synset of an imSitu noun id ("n10287213"), or None where WordNet has none."""
    number = noun_id.removeprefix("n")
    if not number.isdigit():
        return None
    with warnings.catch_warnings():
        # A place where no synset begins is warned of, and answered with None.
        warnings.simplefilter("ignore", UserWarning)
        return _wordnet().synset_from_pos_and_offset("n", int(number))


@cache
def count(noun_id: str, word: str) -> int:
    """How often a word has this sense in WordNet's annotated texts, 0 if it has it not."""
    synset = noun(noun_id)
    name = word.lower().replace(" ", "_")
    lemmas = synset.lemmas() if synset is not None else ()
    return sum(lemma.count() for lemma in lemmas if lemma.name().lower() == name)


@cache
def kind(noun_id: str) -> Kind:
    """The kind of thing that an imSitu noun id means; groups of people are "person".

    "other" are acts, events, feelings, shapes and what else is no thing, and unknown ids. Since
    annotators of images often chose the wrong sense ("scissors", the hold in wrestling), a word
    for something else is taken in its most frequent sense.
    """
    synset = noun(noun_id)
    if synset is None:
        return "other"
    found = _kind(synset)
    return found if found != "other" else _kind(synsets(synset.lemma_names()[0], "n")[0])


def is_person(noun_id: str) -> bool:
    """Whether an imSitu noun id means a person, or a group of people."""
    return kind(noun_id) == "person"


def is_animal(noun_id: str) -> bool:
    """Whether an imSitu noun id means an animal, or a group of animals."""
    return kind(noun_id) == "animal"


@cache
def is_below(noun_id: str, top: str) -> bool:
    """Whether an imSitu noun id means the synset named `top` ("food.n.01") or a kind of it."""
    synset = noun(noun_id)
    return synset is not None and top in _above(synset)


def _kind(synset: Any) -> Kind:
    above = _above(synset)
    return next((name for name, tops in _KINDS if above.intersection(tops.split())), "other")


def _above(synset: Any) -> frozenset[str]:
    """The names of the synset and of all its hypernyms."""
    return frozenset(above.name() for path in synset.hypernym_paths() for above in path)


def _names(synset: Any) -> set[str]:
    return {name.lower() for name in synset.lemma_names()}


@cache
def _wordnet() -> Any:
    from nltk.corpus import wordnet

    try:
        wordnet.ensure_loaded()
    except LookupError:
        raise InputError("WordNet is not installed", remedy=_REMEDY) from None
    return wordnet
