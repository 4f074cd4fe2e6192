"""Actant swap: who acts and who is acted upon exchange their places (VALSE 3.5, A.5).

VALSE swaps all kinds of fillers, so that the human subject alone gives most captions away. Here
both fillers are of one kind, or can both do what the verb says.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from pipeline.errors import Refusal
from pipeline.foiling.actions import find_verb, is_third_person
from pipeline.foiling.frame_sentences import say
from pipeline.foiling.target import Target, instance_of
from pipeline.foiling.verb_survey import VerbUse, has_usual_kind, meeting_depth
from pipeline.instance import Instance
from pipeline.language import lexicons, wordnet
from pipeline.language.articles import indefinite_article
from pipeline.language.closed_classes import DETERMINERS, POSSESSIVES
from pipeline.language.inflection import base_form, grammatical_number, third_person
from pipeline.language.noun_choice import NounPhrase
from pipeline.language.realisation import Realisation, sentence
from pipeline.sources.records import Frame

VERSION = 1

_UNCOUNTED = ("plural", "plural only", "mass")
_ACTING = ("person", "animal")
# Two things that meet at this depth of WordNet's nouns or deeper are much alike: two vehicles.
_ALIKE = 7


@dataclass(frozen=True, slots=True)
class Swappable:
    """A frame as a sentence, with what the corpus says about its verb.

    Attributes:
        said: The sentence, or why there is none.
        kinds: The kinds of subject and object that the verb is used with, each pair once.
    """

    said: Realisation | Refusal
    kinds: frozenset[tuple[str, str]] = frozenset()


def prepare_swaps(
    records: Sequence[Frame], *, profile: str, survey: tuple[VerbUse, ...]
) -> list[Swappable]:
    """Say each frame, and look its verb up in what `survey_verbs` found.

    Args:
        records: A batch of frames; the result for one does not depend on the others.
        profile: Names the checkpoint of the role "lm".
        survey: What `survey_verbs` found in the corpus.
    """
    kinds: dict[str, set[tuple[str, str]]] = {}
    for use in survey:
        pairs = {(wordnet.kind(subject), wordnet.kind(object_)) for subject, object_ in use.pairs}
        kinds.setdefault(use.verb, set()).update(pairs)
    return [
        Swappable(said, frozenset(kinds.get(frame.verb, ())))
        for frame, said in zip(records, say(records, profile=profile), strict=True)
    ]


def actant_swap(
    frame: Frame, rng: Random, target: Target, *, prepared: Swappable
) -> Iterator[Instance]:
    """Yield the frame as a sentence and the same with subject and object exchanged.

    The phrases keep their articles, so that both texts have the same function words.

    Raises:
        Refusal: The reasons of `realise`; "acts on both sides" (hugging), "different kinds" (a man
            and a box), "things are not alike" (a tree and a car), "one includes the other" (a man
            and a person: the foil may be true), "doubtful noun".
    """
    said = prepared.said
    if isinstance(said, Refusal):
        raise said
    _check(said, prepared)
    caption = _with_articles_that_stay(said)
    foil = _exchanged(caption)
    yield instance_of(
        target,
        frame,
        caption.text,
        foil.text,
        classes=(said.subject.noun,),
        classes_foil=(said.object.noun,),
        function="actant_swap",
        version=VERSION,
    )


def _check(said: Realisation, prepared: Swappable) -> None:
    subject, object_ = said.subject, said.object
    if said.entry.ing in lexicons.words("reciprocal_verbs"):
        raise Refusal("acts on both sides", said.entry.ing)
    detail = f"{subject.noun} and {object_.noun}"
    if not _share_kind(said, prepared):
        raise Refusal("different kinds", detail)
    if not (has_usual_kind(subject) and has_usual_kind(object_)):
        raise Refusal("doubtful noun", detail)
    if _includes(subject, object_) or _includes(object_, subject):
        raise Refusal("one includes the other", detail)
    alike = meeting_depth(subject.noun_id, object_.noun_id) >= _ALIKE
    if subject.kind == "thing" and not alike:
        raise Refusal("things are not alike", detail)


def _share_kind(said: Realisation, prepared: Swappable) -> bool:
    """Whether both fillers are of one kind, or the verb is used with either kind on either side."""
    subject, object_ = said.subject.kind, said.object.kind
    if subject == object_:
        return subject in (*_ACTING, "thing")
    if not (subject in _ACTING and object_ in _ACTING):
        return False
    return any(first == object_ for first, _ in prepared.kinds) and any(
        second == subject for _, second in prepared.kinds
    )


def _includes(phrase: NounPhrase, other: NounPhrase) -> bool:
    """Whether what the other noun means can be called by this one: "person" includes "man"."""
    synset = wordnet.noun(phrase.noun_id)
    if phrase.noun == other.noun or other.noun.endswith(f" {phrase.noun}"):
        return True
    return synset is not None and wordnet.is_below(other.noun_id, synset.name())


def _with_articles_that_stay(said: Realisation) -> Realisation:
    """The sentence without a possessive, unless it would be the same with the sides exchanged."""
    subject, object_ = said.subject, said.object
    if object_.determiner not in POSSESSIVES or subject.pronoun == object_.pronoun:
        return said
    return sentence(said.entry, subject, said.preposition, _with_article(object_), said.object_role)


def _exchanged(said: Realisation) -> Realisation:
    """The sentence with its sides exchanged; a possessive stays with the second."""
    first, second = said.object, said.subject
    if first.determiner in POSSESSIVES:
        first, second = _with_article(first), replace(second, determiner=first.determiner)
    return sentence(said.entry, first, said.preposition, second, said.object_role)


def _with_article(phrase: NounPhrase) -> NounPhrase:
    return replace(phrase, determiner=determined(phrase.noun).removesuffix(phrase.noun).strip())


def swap_actants(caption: str, verb: str, subject: str, object_: str) -> str:
    """Let subject and object of a caption exchange their places; the verb agrees with the new one.

    Each noun takes along the words before it, and both get the article of `determined`, so that
    possessives, which would refer to another, go: "A wife nuzzles her husband." ->
    "A husband nuzzles a wife."

    >>> swap_actants("The people disembark an airplane.", "disembark", "people", "airplane")
    'An airplane disembarks the people.'

    Args:
        caption: A sentence in the present tense: subject, verb, words such as prepositions, object.
        verb: The verb in any present form.
        subject: The noun, perhaps with words before it, that ends the subject.
        object_: The noun, perhaps with words before it, that ends the object.

    Raises:
        Refusal: "no such verb", or "no such noun" where the subject does not end before the verb
            or the object does not stand after it.
    """
    start, end = find_verb(caption, verb)
    first = _phrase(caption, 0, start, subject)
    second = _phrase(caption, end, len(caption), object_)
    new_subject, several = _phrase_elsewhere(caption[slice(*second)])
    new_object, _ = _phrase_elsewhere(caption[slice(*first)])
    return "".join(
        (
            caption[: first[0]],
            new_subject[0].upper() + new_subject[1:],
            caption[first[1] : start],
            _agreeing(caption[start:end], several=several),
            caption[end : second[0]],
            new_object,
            caption[second[1] :],
        )
    )


def determined(noun: str, *, several: bool = False) -> str:
    """A noun with its article: "a man", "an usher"; "the" where it is not one of several.

    Plurals and mass nouns get "the" ("the people", "the grass"), as in VALSE's foils.

    Args:
        noun: A noun with or without words before it, but no determiner.
        several: Whether a noun with one form for both numbers ("sheep") means several.
    """
    if several or grammatical_number(noun) in _UNCOUNTED:
        return f"the {noun}"
    return f"{indefinite_article(noun)} {noun}"


def _phrase_elsewhere(phrase: str) -> tuple[str, bool]:
    """A noun phrase with the article that it gets in another place, and whether it is plural."""
    noun = _without_determiner(phrase)
    number = grammatical_number(noun)
    one = phrase.lower().startswith(("a ", "an "))
    several = number in ("plural", "plural only") or (number == "either" and not one)
    return determined(noun, several=several), several


def _agreeing(verb: str, *, several: bool) -> str:
    """The present form of a verb that goes with one or several."""
    base = base_form(verb) if is_third_person(verb) else verb
    return base if several else third_person(base)


def _phrase(caption: str, start: int, end: int, noun: str) -> tuple[int, int]:
    """Where the phrase that a noun ends stands in a stretch of the caption.

    It begins at the last determiner before the noun, or with the noun.

    Raises:
        Refusal: "no such noun".
    """
    places = list(re.finditer(rf"\b{re.escape(noun)}\b", caption[start:end], re.IGNORECASE))
    if not places:
        raise Refusal("no such noun", f"{noun} in {caption}")
    first, last = start + places[-1].start(), start + places[-1].end()
    before = list(re.finditer(r"\w+", caption[start:first]))
    for word in reversed(before):
        if word[0].lower() in DETERMINERS:
            return start + word.start(), last
    return first, last


def _without_determiner(phrase: str) -> str:
    words = phrase.split()
    while len(words) > 1 and words[0].lower() in DETERMINERS | POSSESSIVES | {"such"}:
        words = words[1:]
    return " ".join(words)
