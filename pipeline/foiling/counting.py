"""Counting: 'there are exactly 3 X' against another number (VALSE, section 3.3, appendix A.3)."""

from collections.abc import Iterator, Sequence
from random import Random

from pipeline.foiling.target import Target
from pipeline.instance import Instance
from pipeline.language.agreement import set_number
from pipeline.language.declarative import declare
from pipeline.language.noun_phrase import counting_numeral, tokenize
from pipeline.sources.records import Question

VERSION = 1

Range = Sequence[int]


def renumber(caption: str, number: int) -> str:
    """The caption with another number, noun and verbs agreeing; "exactly" stays where it is.

    Raises:
        Refusal: There is no number, or agreement cannot be had surely (see `set_number`).
        ValueError: The number is negative.
    """
    return set_number(caption, number)


def exactly(statement: str) -> str:
    """The statement with "exactly" before its counting numeral.

    Raises:
        Refusal: There is no numeral.
    """
    tokens = tokenize(statement)
    numeral = counting_numeral(tokens)
    if numeral and tokens[numeral - 1].lower == "exactly":
        return statement
    start = tokens[numeral].start
    return f"{statement[:start]}{'exactly' if start else 'Exactly'} {statement[start:]}"


def counting(
    question: Question,
    rng: Random,
    target: Target,
    *,
    caption_numbers: Range,
    foil_numbers: Range,
    prefer_choices: bool,
) -> Iterator[Instance]:
    """Yield one candidate for each number that the foil may have; balancing draws one of them.

    Args:
        question: The question that gives the caption.
        rng: Orders the numbers that are not preferred.
        target: The instrument.
        caption_numbers: The smallest and the largest number of a caption.
        foil_numbers: The same for foils.
        prefer_choices: Whether the question's own wrong choices come before the other numbers.

    Raises:
        Refusal: The question gives no statement, or no statement with a foil's number.
    """
    low, high = caption_numbers
    if not low <= question.number <= high:
        return
    caption = exactly(declare(question.question, question.number))
    for number in _numbers(question, rng, foil_numbers, prefer_choices):
        foil = renumber(caption, number)
        classes, classes_foil = (str(question.number),), (str(number),)
        yield target.instance(question, caption, foil, classes, classes_foil, "counting", VERSION)


def _numbers(question: Question, rng: Random, allowed: Range, prefer_choices: bool) -> list[int]:
    """The numbers that a foil may have, in order of preference."""
    others = [n for n in range(allowed[0], allowed[1] + 1) if n != question.number]
    rng.shuffle(others)
    if not prefer_choices:
        return others
    preferred = [n for n in question.choices if n in set(others)]
    return preferred + [n for n in others if n not in set(preferred)]
