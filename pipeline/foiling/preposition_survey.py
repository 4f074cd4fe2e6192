"""The runs of prepositions that a corpus has, which relation foils are made with (VALSE A.4)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import nsmallest

from pipeline.language.parse import parse
from pipeline.language.preposition_senses import is_spatial
from pipeline.language.prepositions import preposition_spans_of
from pipeline.sources.records import Caption
from pipeline.store import digest


@dataclass(frozen=True, slots=True)
class Attested:
    """A run of prepositions in lower case, and how often the captions looked at have it."""

    text: str
    count: int


def survey_prepositions(
    batches: Iterable[Sequence[Caption]],
    *,
    profile: str,
    sample: int = 20_000,
    least_share: float = 0.0002,
) -> tuple[Attested, ...]:
    """Collect the whole runs of spatial prepositions that a sample of captions has often enough.

    Args:
        batches: All captions of the corpus; their order does not matter.
        profile: Names the parser.
        sample: How many captions to parse at most: those with the smallest hashes of their ids.
        least_share: How often a run has to occur, per caption.

    Returns:
        The runs in alphabetical order.

    Raises:
        InputError: The profile's parser cannot be had.
    """
    captions = ((digest(record.id), record.text) for batch in batches for record in batch)
    texts = [text for _, text in nsmallest(sample, captions)]
    counts = Counter(
        span.text.lower()
        for doc in parse(texts, profile)
        for span in preposition_spans_of(doc)
        if span.whole
    )
    least = least_share * len(texts)
    return tuple(
        Attested(text, count)
        for text, count in sorted(counts.items())
        if count >= least and is_spatial(text)
    )
