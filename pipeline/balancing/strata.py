"""Strata: what two instances have in common beside their classes, where balance asks for it."""

import re
from collections.abc import Callable

from pipeline.balancing.words import words
from pipeline.foiling.plurality import pairing
from pipeline.instance import Instance

_QUESTION = re.compile(r"([^.?!]*)\?\W*$")


def _quantifiers(instance: Instance) -> str:
    """The two quantifiers of a plurality pair, whichever side they are on."""
    return " / ".join(sorted(pairing(instance)))


def _question_form(instance: Instance) -> str:
    """The first two words of the question before the answer: "is he", "are there"."""
    question = _QUESTION.search(instance.caption[: instance.edit.caption_start])
    return " ".join(words(question[1])[:2]) if question else ""


STRATA: dict[str, Callable[[Instance], str]] = {
    "question form": _question_form,
    "quantifiers": _quantifiers,
}
"""Name -> the stratum of an instance."""
