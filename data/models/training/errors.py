"""Captions made ungrammatical, one kind of error at a time, as careless foiling would.

The kinds: agreement, doubled preposition, stranded preposition, determiner, plural, word order,
verb form. Each function gives the broken words, or None where the caption has no place for it.
"""

from collections.abc import Callable
from random import Random

from phrases import (
    AGREEING,
    PLURAL_DETERMINERS,
    SINGULAR_DETERMINERS,
    Nouns,
    is_sentence_subject,
    other_number,
    phrases,
    verb_after,
)
from words import PREPOSITIONS, is_verb, listed, preposition_runs

from pipeline.language.inflection import base_form, plural, third_person

Words = list[str]
_BACK = {many: one for one, many in AGREEING.items()}
_ALWAYS_WITH_OBJECT = frozenset(
    listed(
        "of with at from into beside onto for against towards toward during between among atop "
        "beneath within upon via amongst"
    )
)
_BE = frozenset({"is", "are", "was", "were"})


class ErrorMaker:
    """Makes errors of every kind; knows the nouns and the runs of prepositions that exist."""

    def __init__(self, nouns: Nouns, runs: frozenset[str]) -> None:
        self.nouns, self.runs = nouns, runs
        self.kinds: dict[str, Callable[[Words, Random], Words | None]] = {
            "agreement": self.agreement,
            "doubled preposition": self.doubled_preposition,
            "stranded preposition": self.stranded_preposition,
            "determiner": self.determiner,
            "plural": self.plural,
            "word order": self.word_order,
            "verb form": self.verb_form,
        }

    def agreement(self, words: Words, rng: Random) -> Words | None:
        """The verb of a subject in the wrong number: "a dog sit on"."""
        places = []
        for phrase in phrases(words, self.nouns):
            place = verb_after(words, phrase)
            if place is None or not is_sentence_subject(words, phrase):
                continue
            if words[place] in (_BACK if not phrase.is_plural else AGREEING):
                continue
            places.append((place, phrase.is_plural))
        if words[:1] == ["there"] and len(words) > 3 and words[1] in _BE:
            first = words[3] if words[2] == "exactly" else words[2]
            one, many = first in {"a", "an", "one", "1"}, first in {*PLURAL_DETERMINERS, "0"}
            group = "of" in words[3:6]
            if (one and words[1] in AGREEING and not group) or (many and words[1] in _BACK):
                places.append((1, many))
        if not places:
            return None
        place, is_plural = rng.choice(places)
        verb = words[place]
        if is_plural:
            changed = _BACK.get(verb) or third_person(verb)
        else:
            changed = AGREEING.get(verb) or base_form(verb)
        return _put(words, place, changed) if changed != verb else None

    def doubled_preposition(self, words: Words, rng: Random) -> Words | None:
        """A preposition beside another that it never stands beside: "on in a table", "in of"."""
        runs = preposition_runs(words)
        if not runs:
            return None
        start, end = rng.choice(runs)
        added = rng.choice([words[start], *rng.choices(sorted(_COMMON), k=4)])
        run = words[start:end]
        whole = [added, *run] if rng.random() < 0.5 else [*run, added]
        if end - start > 1 and rng.random() < 0.5:
            # What replacing only a part of a longer run leaves behind.
            whole = [added, *run[1:]]
        if " ".join(whole) in self.runs:
            return None
        return [*words[:start], *whole, *words[end:]]

    def stranded_preposition(self, words: Words, rng: Random) -> Words | None:
        """A preposition without its object, or another one where only "of" can be."""
        choices: list[Words] = []
        for phrase in phrases(words, self.nouns):
            before = words[phrase.start - 1] if phrase.start else ""
            if before in _ALWAYS_WITH_OBJECT:
                choices.append([*words[: phrase.start], *words[phrase.head + 1 :]])
        for place, word in enumerate(words[1:-1], 1):
            if word == "of" and words[place - 1] in {"front", "top", "bunch", "group", "couple"}:
                choices.append(_put(words, place, rng.choice(["in", "on", "at", "under", "by"])))
        return rng.choice(choices) if choices else None

    def determiner(self, words: Words, rng: Random) -> Words | None:
        """A determiner that is missing, doubled, or wrong before this word."""
        found = phrases(words, self.nouns)
        if not found:
            return None
        phrase = rng.choice(found)
        word, start = words[phrase.start], phrase.start
        kind = rng.choice(["missing", "missing", "doubled", "wrong", "article"])
        if kind == "missing" and word in {"a", "an", "the"} and not phrase.is_plural and start > 0:
            return [*words[:start], *words[start + 1 :]]
        if kind == "doubled":
            added = rng.choice(["a", "the", "some", "two"])
            return (
                [*words[:start], added, *words[start:]]
                if added != word or rng.random() < 0.3
                else None
            )
        if kind == "article" and word in {"a", "an"}:
            return _put(words, start, "an" if word == "a" else "a")
        if kind == "wrong":
            wrong = SINGULAR_DETERMINERS if phrase.is_plural else PLURAL_DETERMINERS
            return _put(words, start, rng.choice(sorted(wrong - {"that", "every", "each"})))
        return None

    def plural(self, words: Words, rng: Random) -> Words | None:
        """A noun in the number that its determiner forbids, or a plural that is no word."""
        found = phrases(words, self.nouns)
        if not found:
            return None
        phrase = rng.choice(found)
        noun, other = words[phrase.head], other_number(words[phrase.head], phrase.is_plural)
        if noun == other:
            return None
        malformed = _malformed(noun if not phrase.is_plural else other)
        if malformed and rng.random() < 0.4:
            return _put(words, phrase.head, malformed)
        has_number = words[phrase.start] in SINGULAR_DETERMINERS | PLURAL_DETERMINERS
        return _put(words, phrase.head, other) if has_number else None

    def word_order(self, words: Words, rng: Random) -> Words | None:
        """Two neighbours of which the first must come first, or a word moved elsewhere."""
        firm = {"a", "an", "the", *PREPOSITIONS, *_BE}
        places = [
            place
            for place in range(len(words) - 1)
            if words[place] in firm
            and words[place + 1].isalpha()
            and words[place + 1] not in PREPOSITIONS
            and words[place] != words[place + 1]
            and not (words[place] in _BE and place == 0)
        ]
        if not places:
            return None
        place = rng.choice(places)
        if rng.random() < 0.6 or words[place] in PREPOSITIONS:
            swapped = [words[place + 1], words[place]]
            return [*words[:place], *swapped, *words[place + 2 :]]
        rest = [*words[:place], *words[place + 1 :]]
        away = [
            at for at in range(len(rest)) if abs(at - place) > 2 and rest[at] not in PREPOSITIONS
        ]
        at = rng.choice(away) if away else None
        return None if at is None else [*rest[: at + 1], words[place], *rest[at + 1 :]]

    def verb_form(self, words: Words, rng: Random) -> Words | None:
        """A verb in a form that its place forbids: "is sit on", "are rides", "is sat the"."""
        places = [
            place
            for place in range(1, len(words) - 1)
            if words[place - 1] in _BE and words[place].endswith("ing") and is_verb(words[place])
        ]
        if not places:
            return None
        place = rng.choice(places)
        base = _base_of(words[place])
        if base is None:
            return None
        if rng.random() < 0.3:
            # What comes of adding -s to a stem cut from the participle: "forags", "catchs".
            stem = words[place].removesuffix("ing") + "s"
            if stem != third_person(base):
                return [*words[: place - 1], stem, *words[place + 1 :]]
        return _put(words, place, rng.choice([base, third_person(base)]))


_COMMON = frozenset(listed("on in of at with to from under over behind into by up down near"))


def _put(words: Words, place: int, word: str) -> Words:
    return [*words[:place], word, *words[place + 1 :]]


def _malformed(noun: str) -> str | None:
    """The plural by a wrong rule: "mans", "benchs", "childs", "womens", "babys"."""
    right = plural(noun)
    wrong = [form for form in (noun + "s", right + "s", noun + "es") if form != right]
    irregular = not right.startswith(noun) or right == noun + "es"
    return (wrong[0] if irregular else wrong[len(noun) % len(wrong)]) if wrong else None


def _base_of(participle: str) -> str | None:
    from lemminflect import getLemma

    lemmas = getLemma(participle, upos="VERB")
    return lemmas[0] if lemmas and lemmas[0] != participle else None
