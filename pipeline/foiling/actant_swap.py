"""Actant swap: who acts and who is acted upon exchange their places (VALSE 3.5, A.5)."""

import re

from pipeline.errors import Refusal
from pipeline.foiling.actions import find_verb, is_third_person
from pipeline.language.articles import indefinite_article
from pipeline.language.closed_classes import DETERMINERS, POSSESSIVES
from pipeline.language.inflection import base_form, grammatical_number, third_person

_UNCOUNTED = ("plural", "plural only", "mass")


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
