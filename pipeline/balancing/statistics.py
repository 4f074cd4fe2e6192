"""What a set of instances looks like in figures: the columns of VALSE's Table 5 and more."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.balancing.directions import direction_shares
from pipeline.balancing.divergence import histogram, histogram_distance
from pipeline.balancing.words import words
from pipeline.instance import Instance


@dataclass(frozen=True, slots=True)
class Statistics:
    """Figures about a set of instances; `dataclasses.asdict` gives plain JSON.

    Attributes:
        instances: How many there are.
        images: How many different images they have.
        caption_classes: Class -> how often captions have it, the most frequent first.
        foil_classes: The same for foils.
        class_divergence: Jensen-Shannon distance of the two, 0 to 1; None where a side is empty.
        word_divergence: The same over all words of captions and foils.
        lexical_items: How many different classes there are on both sides together; VALSE's
            "# lex. it.", the words or phrases that captions and foils differ in.
        caption_words: How many different words the captions have, in lower case.
        foil_words: The same for foils.
        caption_length: Mean number of words in a caption; 0 where there are none.
        foil_length: The same for foils.
        directions: Direction -> share, 0 to 1; empty for pieces without directions.
    """

    instances: int
    images: int
    caption_classes: dict[str, int]
    foil_classes: dict[str, int]
    class_divergence: float | None
    word_divergence: float | None
    lexical_items: int
    caption_words: int
    foil_words: int
    caption_length: float
    foil_length: float
    directions: dict[str, float]


def describe(instances: Sequence[Instance]) -> Statistics:
    """Count classes, words and images; no instance is looked at for its verdicts or votes."""
    caption_classes, foil_classes = class_histograms(instances)
    caption_words, foil_words = word_histograms(instances)
    return Statistics(
        instances=len(instances),
        images=len({(i.image.dataset, i.image.file_name) for i in instances}),
        caption_classes=_most_frequent_first(caption_classes),
        foil_classes=_most_frequent_first(foil_classes),
        class_divergence=_divergence(caption_classes, foil_classes),
        word_divergence=_divergence(caption_words, foil_words),
        lexical_items=len(caption_classes.keys() | foil_classes.keys()),
        caption_words=len(caption_words),
        foil_words=len(foil_words),
        caption_length=caption_words.total() / max(1, len(instances)),
        foil_length=foil_words.total() / max(1, len(instances)),
        directions=direction_shares(instances),
    )


def class_histograms(instances: Sequence[Instance]) -> tuple[Counter[str], Counter[str]]:
    """How often captions, and foils, have each class."""
    return (
        histogram(instance.edit.classes for instance in instances),
        histogram(instance.edit.classes_foil for instance in instances),
    )


def word_histograms(instances: Sequence[Instance]) -> tuple[Counter[str], Counter[str]]:
    """How often captions, and foils, have each word."""
    return (
        histogram(words(instance.caption) for instance in instances),
        histogram(words(instance.foil) for instance in instances),
    )


def _divergence(captions: Counter[str], foils: Counter[str]) -> float | None:
    return histogram_distance(captions, foils) if captions and foils else None


def _most_frequent_first(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
