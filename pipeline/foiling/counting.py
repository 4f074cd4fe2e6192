"""Counting: "There are exactly 3 dogs." against "There are exactly 5 dogs." (VALSE 3.3, A.3).

Caption and foil differ in the number, and in what agrees with it when one of the two is 1.
"""

import random
from collections.abc import Iterator

from pipeline.errors import Refusal
from pipeline.foiling.target import Target, instance_of
from pipeline.instance import Instance
from pipeline.language.agreement import set_number, speaks_of_several
from pipeline.language.declarative import declare
from pipeline.language.dependents import with_one_each
from pipeline.language.noun_phrase import counting_numeral, tokenize
from pipeline.sources.records import Question

VERSION = 1

Range = tuple[int, int | None]


def counting(
    question: Question,
    rng: random.Random,
    target: Target,
    *,
    caption_numbers: Range,
    foil_numbers: Range,
    prefer_choices: bool,
    others: int | None = None,
) -> Iterator[Instance]:
    """Yield one candidate per foil number that is allowed, the preferred ones first.

    Args:
        caption_numbers: The least and the greatest answer that makes a caption, both included;
            None for no upper end. Of other questions nothing is yielded.
        foil_numbers: The same for foils. Without an upper end, foils go up to twice the answer,
            and at least to 5: numbers further off are too easy to tell.
        prefer_choices: Whether the question's own wrong answers come first, in their order.
        others: How many numbers beside those are offered at most, drawn at random; None for all.

    Raises:
        Refusal: No statement can be made: the reasons of `declare`, "speaks of several" where the
            answer is 1 and the question wants several, or the reason why no foil can be made.
    """
    if not _within(question.number, caption_numbers):
        return
    # All numbers are set on one statement about several, so that no text differs in anything else.
    several = exactly(declare(question.question, 2))
    caption = _statement(several, question.number)
    refused: Refusal | None = None
    made = 0
    preferred, further = _foil_numbers(question, rng, foil_numbers, prefer_choices=prefer_choices)
    for number in preferred + further[:others]:
        try:
            foil = _statement(several, number)
        except Refusal as refusal:
            refused = refusal
            continue
        made += 1
        yield instance_of(
            target,
            question,
            caption,
            foil,
            classes=(str(question.number),),
            classes_foil=(str(number),),
            function="counting",
            version=VERSION,
        )
    if refused and not made:
        raise refused


def exactly(statement: str) -> str:
    """The statement with "exactly" before its counting numeral, where it does not stand there yet.

    Raises:
        Refusal: "no numeral".
    """
    tokens = tokenize(statement)
    at = counting_numeral(tokens)
    if at and tokens[at - 1].lower == "exactly":
        return statement
    start = tokens[at].start
    return f"{statement[:start]}{'exactly' if start else 'Exactly'} {statement[start:]}"


def renumber(caption: str, number: int) -> str:
    """The caption with another number; noun and verb agree with it, "exactly" stays as it is.

    Raises:
        Refusal: The reasons of `set_number`.
        ValueError: The number is negative.
    """
    return set_number(caption, number)


def _statement(several: str, number: int) -> str:
    if number == 1 and speaks_of_several(several):
        raise Refusal("speaks of several", several)
    return with_one_each(renumber(several, number))


def _within(number: int, allowed: Range) -> bool:
    least, greatest = allowed
    return least <= number and (greatest is None or number <= greatest)


def _foil_numbers(
    question: Question, rng: random.Random, allowed: Range, *, prefer_choices: bool
) -> tuple[list[int], list[int]]:
    """The numbers a foil may have, without the answer: those preferred in order, and the others."""
    least, greatest = allowed
    if greatest is None:
        greatest = max(5, 2 * question.number, least)
    choices = [number for number in question.choices if _within(number, allowed)]
    preferred = list(dict.fromkeys(choices)) if prefer_choices else []
    unwanted = {*preferred, question.number}
    others = [number for number in range(least, greatest + 1) if number not in unwanted]
    rng.shuffle(others)
    return [number for number in preferred if number != question.number], others
