"""What the readers of source data sets hand out, and what they refuse."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from pipeline.instance import ImageRef

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Question:
    """A counting question about an image with its numeral answer.

    Attributes:
        answer: The answer as the source gives it ("Two.").
        number: The answer as a number, 0 or more.
        choices: The other numbers that the source offers as wrong answers, where they are numerals.
    """

    dataset: str
    split: str
    id: str
    image: ImageRef
    question: str
    answer: str
    number: int
    choices: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Reject:
    """A source record that is not used: where it stands, what it says, and why not."""

    dataset: str
    id: str
    text: str
    reason: str
    detail: str = ""


Refuse = Callable[[Reject], None]


def log_refusal(reject: Reject) -> None:
    """Say why a record is left out; what readers do when nobody collects the rejects."""
    logger.info("%s %s: %s (%s)", reject.dataset, reject.id, reject.reason, reject.detail)
