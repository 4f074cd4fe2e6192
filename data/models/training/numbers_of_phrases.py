"""Captions and statements with the number of one noun phrase changed and its verbs agreeing."""

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
_FEW_WORDS = 12
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


def draw_quantifier(rng: Random, to_plural: bool) -> str:
    """A quantifier for a number, in words or digits, as the instruments write them."""
    if rng.random() < 0.6:
        return rng.choice(MANY if to_plural else ONE[:3])
    number = str(rng.choice([0, *range(2, 16)])) if to_plural else "1"
    return number if rng.random() < 0.3 and number != "0" else f"exactly {number}"


def draw_number(words: list[str], nouns: Nouns, rng: Random) -> list[str] | None:
    """The caption with a new quantifier, in either number, on one of its phrases."""
    found = changeable(words, nouns)
    if not found:
        return None
    to_plural = rng.random() < 0.5
    return set_number(words, rng.choice(found), draw_quantifier(rng, to_plural), to_plural)


def state(words: list[str], nouns: Nouns, rng: Random) -> list[str] | None:
    """A statement that there are so many of a caption's first thing: "there are exactly 3 dogs"."""
    found = [phrase for phrase in phrases(words, nouns) if phrase.start == 0]
    if not found or words[0] == "no":
        return None
    phrase = found[0]
    rest = words[phrase.head + 1 :]
    if rest and (rest[0] in AGREEING or rest[0] in _BACK or verb_after(words, phrase)):
        rest = rest[1:] if rest[0] in {"is", "are"} else []
    if len(rest) > _FEW_WORDS or rng.random() < 0.3:
        rest = ["."]
    to_plural = rng.random() < 0.6
    quantifier = draw_quantifier(rng, to_plural)
    if rng.random() < 0.25:
        quantifier = "no" if to_plural or rng.random() < 0.3 else "a"
    bare = words[: phrase.head + 1]
    changed = set_number(bare, Phrase(0, phrase.head, phrase.is_plural), quantifier, to_plural)
    return ["there", "are" if to_plural else "is", *changed, *rest]


def in_simple_present(words: list[str], nouns: Nouns) -> list[str] | None:
    """The caption with "rides" for "is riding" or "riding", after its first phrase."""
    from lemminflect import getLemma

    found = [phrase for phrase in phrases(words, nouns) if phrase.start == 0]
    if not found:
        return None
    place = found[0].head + 1
    end = place + 1 if words[place : place + 1] in (["is"], ["are"]) else place
    participle = words[end] if end < len(words) - 1 else ""
    bases = getLemma(participle, upos="VERB") if participle.endswith("ing") else ()
    if not bases or bases[0] == participle:
        return None
    verb = bases[0] if found[0].is_plural else third_person(bases[0])
    return [*words[:place], verb, *words[end + 1 :]]
