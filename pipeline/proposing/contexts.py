"""A caption around a span, in word pieces, with room for a number of masks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Context:
    """The word pieces before and after a span, without the marks at both ends of a text."""

    before: tuple[int, ...]
    after: tuple[int, ...]

    def cut(self, room: int) -> "Context":
        """The `room` pieces nearest to the span, half of them on each side where there are."""
        if len(self.before) + len(self.after) <= room:
            return self
        before = min(len(self.before), max(room // 2, room - len(self.after)))
        first = len(self.before) - before
        return Context(self.before[first:], self.after[: room - before])


def contexts(
    captions: Sequence[str], spans: Sequence[tuple[int, int]], tokenizer: Any
) -> list[Context]:
    """The context of each span; the spans are character offsets, end exclusive.

    Raises:
        ValueError: A span is empty, lies outside its caption or cuts a word in two.
    """
    encoded = tokenizer(list(captions), add_special_tokens=False, return_offsets_mapping=True)
    return [
        _context(caption, span, pieces, offsets)
        for caption, span, pieces, offsets in zip(
            captions, spans, encoded["input_ids"], encoded["offset_mapping"], strict=True
        )
    ]


def _context(
    caption: str,
    span: tuple[int, int],
    pieces: Sequence[int],
    offsets: Sequence[tuple[int, int]],
) -> Context:
    start, end = span
    if not 0 <= start < end <= len(caption):
        raise ValueError(f"{span} is no span of {caption!r}")
    if _cuts(caption, start) or _cuts(caption, end):
        raise ValueError(f"{span} cuts a word of {caption!r}")
    before = [piece for piece, (_, last) in zip(pieces, offsets, strict=True) if last <= start]
    after = [piece for piece, (first, _) in zip(pieces, offsets, strict=True) if first >= end]
    return Context(tuple(before), tuple(after))


def _cuts(caption: str, place: int) -> bool:
    return caption[:place][-1:].isalnum() and caption[place:][:1].isalnum()
