"""What a scorer is asked and what it answers: which images go with which texts, and how well."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np

from pipeline.instance import ImageRef

if TYPE_CHECKING:
    from PIL.Image import Image

ReadImage = Callable[[ImageRef], "Image"]
"""Gives an image in RGB, or raises `InputError` where it cannot be used. Called from threads."""

Progress = Callable[[str, int, int], None]
"""Told what is being done, how many are done, and of how many."""


def report_nothing(what: str, done: int, total: int) -> None:
    """The progress report of a caller who wants none."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How scorers work; only `precision` and `seed` may change what they answer.

    Attributes:
        batch_size: How many images or texts a model takes at once.
        precision: "bf16" runs the model in mixed precision; scores are still taken in fp32.
        device: "auto" takes a GPU where there is one; else a name that torch knows.
        workers: How many threads decode images; 0 for as many as there are processors, at most 8.
        seed: Seeds the random scorer.
    """

    batch_size: int = 32
    precision: Literal["fp32", "bf16"] = "fp32"
    device: str = "auto"
    workers: int = 0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Matches:
    """Images and texts, each once, and which of them meet.

    Attributes:
        image_index: For each match its place in `images`, of shape (matches,).
        text_index: For each match its place in `texts`, of shape (matches,).
    """

    images: tuple[ImageRef, ...]
    texts: tuple[str, ...]
    image_index: np.ndarray
    text_index: np.ndarray


@dataclass(frozen=True, slots=True)
class Scores:
    """How well the image and the text of each match go together.

    Attributes:
        values: Of shape (matches,), on the model's own scale; NaN where the image failed.
        probabilities: Of shape (matches,), in [0, 1]; None where the model has no notion of one.
        image_errors: Place in `Matches.images` -> why that image could not be used.
    """

    values: np.ndarray
    probabilities: np.ndarray | None = None
    image_errors: Mapping[int, str] = field(default_factory=dict)


class Scorer(Protocol):
    """A model, or a control, that says how well images and texts go together.

    A score depends on its image, its text and the scorer alone: not on the batch size, nor on the
    order of the matches. Equal texts of an image have equal scores to the last digit.
    """

    @property
    def name(self) -> str:
        """What the scorer is called in results."""

    @property
    def fingerprint(self) -> str:
        """The checkpoint's fingerprint, or what stands for it where there is no checkpoint."""

    @property
    def gives_probabilities(self) -> bool:
        """Whether it gives match probabilities beside scores."""

    @property
    def settings(self) -> Mapping[str, str | int]:
        """Those settings that its answers depend on."""

    def score(
        self, matches: Matches, read: ReadImage, progress: Progress = report_nothing
    ) -> Scores:
        """Score every match; an image that cannot be read fails its own matches only."""
