"""Declaratives: a counting question and its number as a statement.

By templates over the question's word classes, in the manner of Parcalabescu et al. 2021 ("Seeing
past words", section 4), whose statements are existential where the question asks what there is.
"""

from dataclasses import replace
from itertools import pairwise

from pipeline.errors import Refusal
from pipeline.language import inversion
from pipeline.language.agreement import set_number
from pipeline.language.dependents import with_one_each
from pipeline.language.dictionary import can_be
from pipeline.language.inflection import grammatical_number, singular
from pipeline.language.question import CountingQuestion, take_apart
from pipeline.language.word_classes import (
    bare,
    belongs,
    can_be_noun,
    is_participle,
    is_plural,
)

_ADJECTIVE_ENDINGS = ("able", "ed", "ful", "ible", "ish", "less", "ous")


def declare(question: str, number: int) -> str:
    """Turn a "how many" question and its answer into a statement with the number in digits.

    Questions about what there is, or about what is seen, give "There are N ..." wherever English
    allows it ("How many people are wearing hats?" -> "There are 3 people wearing hats."); others
    keep their verb ("3 dogs have collars.", "The giraffe has 4 legs.", "5 tracks can be seen.").
    The number 0 stays a numeral ("There are 0 people."). Noun and verb agree with the number.

    Args:
        question: The question as it was asked, with or without its question mark.
        number: The answer, 0 or more.

    Raises:
        Refusal: The question cannot be turned into a grammatical statement; the reasons are those
            of `take_apart`, "unclear subject", "unclear verb", "unclear predicate" and those of
            `set_number`.
        ValueError: The number is negative.
    """
    if number < 0:
        raise ValueError(f"a count cannot be negative: {number}")
    parts = take_apart(question)
    if number == 1 and not parts.partitive:
        parts = replace(parts, counted=tuple(_single_owner(word) for word in parts.counted))
    # Templates speak of several; the number 1 is set on their statement, with all agreement.
    statement = _TEMPLATES[parts.kind](parts, str(2 if number == 1 else number))
    statement = _sentence(statement)
    return with_one_each(set_number(statement, 1)) if number == 1 else statement


def _single_owner(word: str) -> str:
    """One person's head for one of "people's heads"; other words stay."""
    owner = word.removesuffix("'s").removesuffix("'")
    if owner == word or grammatical_number(owner) != "plural":
        return word
    return f"{singular(owner)}'s"


def _sentence(words: str) -> str:
    words = " ".join(words.split()).rstrip(" .,;:")
    return f"{words[:1].upper()}{words[1:]}."


def _verbless(parts: CountingQuestion, number: str) -> str:
    """The question "How many people in the photo?", without a finite verb."""
    if parts.partitive:
        raise Refusal("incomplete question", " ".join(parts.counted))
    return f"There are {number} {_text(parts.counted)}"


def _with_be(parts: CountingQuestion, number: str) -> str:
    """The question "How many dogs are ...": what there is, what they are, or what someone does."""
    be = "were" if parts.finite in ("was", "were") else "are"
    rest = parts.rest
    if rest and bare(rest[0]) == "there":
        if parts.partitive:
            raise Refusal("incomplete question", _text(parts.counted))
        return _existential(parts, number, be, rest[1:])
    if not rest:
        raise Refusal("incomplete question", _text(parts.counted))
    if inversion.is_subject(rest, parts.finite):
        return inversion.object_of_be(parts, number)
    clause = any(belongs(word, "relative") for word in parts.counted)
    if parts.partitive or clause or _coordinates_verbs(rest) or not _can_follow_noun(rest):
        _check_predicate(rest)
        negation = "not " if parts.negated else ""
        return f"{number} {_text(parts.counted)} {be} {negation}{_text(rest)}"
    return _existential(parts, number, be, rest)


def _existential(parts: CountingQuestion, number: str, be: str, rest: tuple[str, ...]) -> str:
    negation = "not " if parts.negated else ""
    if _stray_verb(rest):
        raise Refusal("unclear verb", _text(rest))
    return f"There {be} {number} {_text(parts.counted)} {negation}{_text(rest)}"


def _with_have(parts: CountingQuestion, number: str) -> str:
    """The question "How many dogs have collars": possession or perfect."""
    rest = parts.rest
    owner = inversion.trailing_clause(parts.counted)
    if owner:
        return inversion.object_of_clause(parts, number, owner)
    if not rest or (len(rest) == 1 and belongs(rest[0], "preposition", "particle")):
        raise Refusal("incomplete question", f"{_text(parts.counted)} {parts.finite}")
    if inversion.is_perfect(parts):
        return inversion.object_of_perfect(parts, number)
    have = "had" if parts.finite == "had" else "have"
    negation = "not " if parts.negated else ""
    return f"{number} {_text(parts.counted)} {have} {negation}{_text(rest)}"


def _with_modal(parts: CountingQuestion, number: str) -> str:
    """The question "How many tracks can be seen", "How many people can the boat hold"."""
    rest = parts.rest
    if not rest:
        raise Refusal("incomplete question", f"{_text(parts.counted)} {parts.finite}")
    if inversion.is_modal_subject(rest):
        return inversion.object_of_modal(parts, number)
    modal = inversion.modal_with_negation(parts)
    return f"{number} {_text(parts.counted)} {modal} {_text(rest)}"


def _with_do(parts: CountingQuestion, number: str) -> str:
    """The question "How many dogs do you see", "How many legs does the giraffe have"."""
    rest = parts.rest
    if len(rest) < 2:
        raise Refusal("incomplete question", f"{_text(parts.counted)} {parts.finite}")
    if parts.negated or bare(rest[0]) == "not":
        if belongs(rest[0], "pronoun", "determiner"):
            raise Refusal("unclear subject", _text(rest))
        do = "did" if parts.finite == "did" else "do"
        negation = "not " if parts.negated else ""
        return f"{number} {_text(parts.counted)} {do} {negation}{_text(rest)}"
    if belongs(rest[0], "perceiver") and belongs(rest[1], "perceive"):
        if parts.partitive:
            return inversion.object_of_do(parts, number)
        return _existential(parts, number, "are", rest[2:])
    return inversion.object_of_do(parts, number)


def _with_verb(parts: CountingQuestion, number: str) -> str:
    """The question "How many people wear hats"."""
    verb, rest = parts.finite, parts.rest
    owner = inversion.trailing_clause(parts.counted)
    if owner == ("you",) and not rest and verb == "see":
        return f"There are {number} {_text(parts.counted)} {verb}"
    if owner:
        return inversion.object_of_clause(parts, number, owner)
    return f"{number} {_text(parts.counted)} {verb} {_text(rest)}"


_TEMPLATES = {
    "": _verbless,
    "be": _with_be,
    "have": _with_have,
    "modal": _with_modal,
    "do": _with_do,
    "verb": _with_verb,
}


def _text(tokens: tuple[str, ...]) -> str:
    return " ".join(tokens)


def _can_follow_noun(rest: tuple[str, ...]) -> bool:
    """Whether the predicate may stand behind its noun: "dogs running", but not "dogs brown"."""
    first = 0
    while first < len(rest) - 1 and belongs(rest[first], "adverb"):
        first += 1
    word = rest[first]
    if belongs(word, "preposition", "state", "adverb") or is_participle(word):
        return True
    complement = rest[first + 1 : first + 2]
    return (
        bool(complement)
        and can_be(bare(word), "ADJ")
        and not can_be(bare(word), "NOUN")
        and belongs(complement[0], "preposition")
        and not belongs(complement[0], "conjunction")
    )


def _coordinates_verbs(rest: tuple[str, ...]) -> bool:
    """Whether a second finite verb is joined on: "on the bus and are smiling"."""
    return any(
        belongs(token, "conjunction") and belongs(after, "be", "have", "modal", "do")
        for token, after in pairwise(rest)
    )


def _stray_verb(rest: tuple[str, ...]) -> bool:
    """Whether a finite verb stands in what should be a phrase, outside any clause."""
    for position, token in enumerate(rest):
        if belongs(token, "relative", "pronoun") or bare(token) in ("as", "than", "while", "when"):
            return False
        if belongs(token, "be", "do", "modal") or (position and bare(token) in ("has", "have")):
            return not any(_opens_clause(rest, place) for place in range(1, position))
    return False


def _opens_clause(rest: tuple[str, ...], place: int) -> bool:
    """Whether a determiner right after a noun begins a clause ("the car the man is in")."""
    before = rest[place - 1]
    return (
        belongs(rest[place], "determiner")
        and can_be_noun(before)
        and not is_participle(before)
        and not belongs(before, "state", "adverb")
    )


def _check_predicate(rest: tuple[str, ...]) -> None:
    """Refuse a bare singular noun as what several things are ("boys are picture")."""
    word = bare(rest[-1])
    if len(rest) > 1 or can_be(word, "ADJ") or is_participle(word) or rest[-1][0].isupper():
        return
    if belongs(word, "state", "preposition", "adverb") or is_plural(word):
        return
    if word.endswith(_ADJECTIVE_ENDINGS):
        return
    if can_be_noun(word):
        raise Refusal("unclear predicate", word)
