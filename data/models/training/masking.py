"""Batches of captions with masked spans of one to three words (SpanBERT, section 3.1).

The spans prefer what foiling proposes: runs of prepositions, verbs and number words. A batch holds
texts of one length, so nothing is padded.
"""

from dataclasses import dataclass
from random import Random

import numpy as np
import torch
from words import NUMBERS, is_verb, preposition_runs

_BUDGET = 0.25
_SPAN_LENGTHS = ((1, 2, 3), (0.65, 0.25, 0.10))
_ENDS = 0.1
"""Share of texts whose two marks are asked too: the loss of a whole text counts them."""
_LONGEST = 126


@dataclass(frozen=True, slots=True)
class Text:
    """The word pieces of a text and the spans that may be masked.

    Attributes:
        pieces: Ids with [CLS] and [SEP].
        edges: Where each word begins, and where the last one ends.
        spans: Start and end in `pieces` of the preferred spans.
    """

    pieces: np.ndarray
    edges: list[int]
    spans: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class MaskedBatch:
    """Masked inputs (texts, length), places in the flattened inputs, and the pieces there."""

    inputs: torch.Tensor
    places: torch.Tensor
    answers: torch.Tensor


def prepare(texts: list[str], tokenizer) -> list[Text]:
    """Split texts into pieces and find their preferred spans."""
    encoded = tokenizer(texts, truncation=True, max_length=_LONGEST)
    return [
        _prepare(text, np.array(pieces, dtype=np.int16), encoding)
        for text, pieces, encoding in zip(
            texts, encoded["input_ids"], encoded.encodings, strict=True
        )
    ]


def _prepare(text: str, pieces: np.ndarray, encoding) -> Text:
    words, edges, last = [], [], None
    for place, (word, (start, end)) in enumerate(
        zip(encoding.word_ids, encoding.offsets, strict=True)
    ):
        if word is None:
            continue
        if word != last:
            edges.append(place)
            words.append(text[start:end])
            last = word
        else:
            words[-1] += text[start:end]
    edges.append(len(pieces) - 1)
    spans = [(edges[start], edges[end]) for start, end in preposition_runs(words)]
    for place, word in enumerate(words):
        if is_verb(word) or word in NUMBERS:
            spans.append((edges[place], edges[place + 1]))
    return Text(pieces, edges, spans)


class MaskedBatches:
    """The batches of a run; which texts and masks a batch has follows from its step alone."""

    def __init__(self, texts: list[Text], tokenizer, pieces_per_batch: int, seed: int) -> None:
        self.texts, self.size, self.seed = texts, pieces_per_batch, seed
        self.mask, self.pieces = tokenizer.mask_token_id, len(tokenizer)
        self._by_length: dict[int, list[int]] = {}
        for number, text in enumerate(texts):
            self._by_length.setdefault(len(text.pieces), []).append(number)
        self._epoch, self._plan = -1, self._plan_epoch(0)
        self.per_epoch = len(self._plan)

    def _plan_epoch(self, epoch: int) -> list[list[int]]:
        rng = Random(f"order {self.seed} {epoch}")
        batches = []
        for length, numbers in sorted(self._by_length.items()):
            shuffled = rng.sample(numbers, len(numbers))
            width = max(1, self.size // length)
            batches += [shuffled[at : at + width] for at in range(0, len(shuffled), width)]
        rng.shuffle(batches)
        return batches

    def batch(self, step: int) -> MaskedBatch:
        """The batch of a step."""
        epoch, number = divmod(step, self.per_epoch)
        if epoch != self._epoch:
            self._epoch, self._plan = epoch, self._plan_epoch(epoch)
        rng = Random(f"masks {self.seed} {step}")
        inputs, places, answers = [], [], []
        for row, text in enumerate(self.texts[n] for n in self._plan[number]):
            pieces = text.pieces.copy()
            for start, end in _draw_spans(text, rng):
                hidden = list(range(start, end))
                places += [row * len(pieces) + place for place in hidden]
                answers += text.pieces[start:end].tolist()
                # SpanBERT's scheme: a span is masked, kept or replaced as a whole.
                chance = rng.random()
                if chance < 0.85:
                    pieces[start:end] = self.mask
                elif chance < 0.90:
                    pieces[start:end] = [rng.randrange(5, self.pieces) for _ in hidden]
            if rng.random() < _ENDS:
                places += [row * len(pieces), (row + 1) * len(pieces) - 1]
                answers += [int(text.pieces[0]), int(text.pieces[-1])]
            inputs.append(pieces)
        return MaskedBatch(
            torch.from_numpy(np.stack(inputs)).long(), torch.tensor(places), torch.tensor(answers)
        )


def _draw_spans(text: Text, rng: Random) -> list[tuple[int, int]]:
    """Spans that share no piece, up to the budget; half of them preferred ones."""
    budget = max(1, round(_BUDGET * (len(text.pieces) - 2)))
    taken: set[int] = set()
    drawn = []
    preferred = rng.sample(text.spans, len(text.spans))
    while budget > 0 and (preferred or len(drawn) < 12):
        if preferred and rng.random() < 0.6:
            start, end = preferred.pop()
        elif len(drawn) < 12 and len(text.edges) > 1:
            first = rng.randrange(len(text.edges) - 1)
            longest = rng.choices(*_SPAN_LENGTHS)[0]
            start = text.edges[first]
            end = text.edges[min(first + longest, len(text.edges) - 1)]
        else:
            break
        # A neighbour that is masked too would make one longer span of two.
        if not taken.isdisjoint(range(start - 1, end + 1)) or end - start > 6:
            budget -= 1
            continue
        taken.update(range(start, end))
        drawn.append((start, end))
        budget -= end - start
    return drawn or [(1, min(2, len(text.pieces)))]


def join_some(texts: list[str], share: float, rng: Random) -> list[str]:
    """Texts of several sentences, so that the places beyond a caption's length are learned too."""
    joined = []
    for _ in range(round(share * len(texts))):
        chosen = rng.choices(texts, k=rng.randint(2, 8))
        joined.append(" ".join(text if text.endswith(".") else f"{text}." for text in chosen))
    return joined
