"""Captions with the number of one noun phrase changed and everything around it agreeing."""

from random import Random

from phrases import (
    AGREEING,
    Nouns,
    Phrase,
    is_sentence_subject,
    other_number,
    phrases,
    verb_after,
)

from pipeline.language.inflection import base_form, third_person

ONE = ("exactly one", "a single", "one", "a")
MANY = ("some", "a number of", "several", "two", "three", "four", "many")
_BACK = {many: one for one, many in AGREEING.items()}
_FOLLOWING_NUMBER = frozenset({"his", "her", "its", "their", "he", "she", "it", "they", "each"})


def changeable(words: list[str], nouns: Nouns) -> list[Phrase]:
    """The phrases whose number can change without anything far away having to follow."""
    found = []
    for phrase in phrases(words, nouns):
        rest = words[phrase.head + 1 :]
        if words[phrase.start] in {"no", "this", "these", "those", "that", "each", "every"}:
            continue
        if _FOLLOWING_NUMBER & {*rest, *words[: phrase.start]}:
            continue
        verb = verb_after(words, phrase)
        before = words[: phrase.start]
        subject = is_sentence_subject(words, phrase)
        far = verb is None and any(word in AGREEING or word in _BACK for word in rest)
        if (subject and not before and far) or (verb is not None and not subject):
            continue
        if before and before[0] == "there" and len(before) > 2:
            continue
        found.append(phrase)
    return found


def set_number(words: list[str], phrase: Phrase, quantifier: str, to_plural: bool) -> list[str]:
    """The words with another quantifier, and noun and verbs in the wanted number."""
    changed = list(words)
    if to_plural != phrase.is_plural:
        noun = words[phrase.head]
        changed[phrase.head] = other_number(noun, phrase.is_plural)
        place = verb_after(words, phrase)
        if place is not None:
            changed[place] = _agree(words[place], to_plural)
        if words[0] == "there" and phrase.start == 2:
            changed[1] = _agree(words[1], to_plural)
    first = changed[phrase.start + 1]
    if quantifier == "a" and first[0] in "aeiou":
        quantifier = "an"
    return [*changed[: phrase.start], *quantifier.split(), *changed[phrase.start + 1 :]]


def _agree(verb: str, to_plural: bool) -> str:
    if to_plural:
        return AGREEING.get(verb) or (verb if verb in _BACK else base_form(verb))
    return _BACK.get(verb) or (verb if verb in AGREEING else third_person(verb))


def draw_number(words: list[str], nouns: Nouns, rng: Random) -> list[str] | None:
    """The caption with a new quantifier, in either number, on one of its phrases."""
    found = changeable(words, nouns)
    if not found:
        return None
    to_plural = rng.random() < 0.5
    quantifier = rng.choice(MANY if to_plural else ONE[:3])
    return set_number(words, rng.choice(found), quantifier, to_plural)
