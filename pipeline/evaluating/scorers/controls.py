"""Scorers that look at nothing: what any model must beat, and what ties look like."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pipeline.evaluating.scorers.matching import (
    Matches,
    Progress,
    ReadImage,
    Scores,
    Settings,
    report_nothing,
)
from pipeline.store import digest


@dataclass(frozen=True, slots=True)
class ConstantScorer:
    """Every text fits every image one half: all pairs tie."""

    name: str = "constant"
    fingerprint: str = "constant-1"
    gives_probabilities: bool = True

    @property
    def settings(self) -> Mapping[str, str | int]:
        """None: it always answers the same."""
        return {}

    def score(
        self, matches: Matches, read: ReadImage, progress: Progress = report_nothing
    ) -> Scores:
        """One half for every match; no image is read."""
        halves = np.full(len(matches.text_index), 0.5)
        return Scores(halves, halves)


@dataclass(frozen=True, slots=True)
class RandomScorer:
    """A number in [0, 1) drawn for each image and text from a hash of both and the seed."""

    seed: int = 0
    name: str = "random"
    fingerprint: str = "random-1"
    gives_probabilities: bool = True

    @property
    def settings(self) -> Mapping[str, str | int]:
        """The seed."""
        return {"seed": self.seed}

    def score(
        self, matches: Matches, read: ReadImage, progress: Progress = report_nothing
    ) -> Scores:
        """Draw a number for every match; no image is read."""
        drawn = np.array(
            [
                self._draw(matches, image, text)
                for image, text in zip(matches.image_index, matches.text_index, strict=True)
            ],
            dtype=np.float64,
        )
        return Scores(drawn, drawn)

    def _draw(self, matches: Matches, image: int, text: int) -> float:
        place = matches.images[image]
        key = [self.seed, place.dataset, place.split, place.file_name, matches.texts[text]]
        # A float keeps 53 bits: more would round up to 1.
        return (digest(json.dumps(key)) >> 11) / 2**53


def constant(settings: Settings) -> ConstantScorer:
    """The scorer that always ties."""
    return ConstantScorer()


def random(settings: Settings) -> RandomScorer:
    """The scorer that guesses."""
    return RandomScorer(seed=settings.seed)
