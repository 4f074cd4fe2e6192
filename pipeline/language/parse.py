"""Parsed captions: tags, morphology, lemmas and dependencies in the scheme of en_core_web_md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from pipeline.models import load

if TYPE_CHECKING:
    from spacy.tokens import Doc

_BATCH_SIZE = 256


def parse(
    texts: Iterable[str], profile: str = "embedded", *, batch_size: int = _BATCH_SIZE
) -> Iterator[Doc]:
    """Yield one parsed document per text, in order; the texts are read as they are needed.

    The trees do not depend on the batch size.

    Raises:
        InputError: The profile's parser cannot be had.
    """
    yield from load("parser", profile).pipe(texts, batch_size=batch_size)
