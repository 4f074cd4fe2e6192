"""Masked spans of one or more word pieces, filled from an attested list (VALSE, appendix A.4).

A span is masked as a whole, once for each number of pieces that the listed texts have, and every
listed text is scored by its log-probability in the place of the masks: all pieces jointly from
one pass, as SpanBERT was trained for (Joshi et al. 2020, section 3.1), or piece after piece, each
given those before it, as suits BERT, which was trained on single masks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any

import numpy as np

from pipeline.proposing.contexts import Context, contexts

_SCORE_DIGITS = 4
"""Sums over a batch differ by its size in the last digits; ranks must not."""


class Manner(StrEnum):
    """How the pieces of one text are scored: all from one pass, or each after those before it."""

    JOINT = "joint"
    IN_TURN = "in turn"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A listed text and its log-probability in the place of the span, at most 0."""

    text: str
    score: float


@dataclass(frozen=True, slots=True)
class _Asking:
    """A filling of the span, and the listed texts that it scores.

    Attributes:
        length: Word pieces of the span.
        known: Its first pieces, in place; the others are masked.
        texts: Numbers of the listed texts.
        rows: The places in the span that are read.
        pieces: The pieces of the texts there (texts, rows).
    """

    length: int
    known: tuple[int, ...]
    texts: np.ndarray
    rows: np.ndarray
    pieces: np.ndarray


@dataclass(frozen=True, slots=True)
class _Query:
    """One masked text of the caption with a number."""

    number: int
    context: Context
    asking: _Asking

    @property
    def pieces(self) -> int:
        return len(self.context.before) + self.asking.length + len(self.context.after)


def propose(
    captions: Sequence[str],
    spans: Sequence[tuple[int, int]],
    candidates: Sequence[str],
    model: Any,
    tokenizer: Any,
    *,
    top_k: int = 10,
    batch_size: int = 64,
    manner: Manner = Manner.JOINT,
    mean: bool = False,
) -> list[list[Proposal]]:
    """The best listed texts for the span of each caption, best first.

    Args:
        captions: One caption for each span; a caption with several spans is given several times.
        spans: Character offsets in the captions, end exclusive.
        candidates: The attested texts. What stands in the caption now is not left out.
        model: A `transformers` model with a masked-LM head.
        tokenizer: Its fast tokenizer.
        top_k: How many proposals to give for a span (VALSE A.4 took 10).
        batch_size: How many masked texts pass the model together; no result depends on it.
        manner: See `Manner`.
        mean: Whether to divide a score by the number of pieces, which favours longer texts.

    Returns:
        For each caption at most `top_k` proposals; equal scores keep the order of the candidates.

    Raises:
        ValueError: The lists differ in length, a span is no span of its caption, a candidate
            has no pieces, or a number is below 1.
    """
    if len(captions) != len(spans):
        raise ValueError(f"{len(captions)} captions, but {len(spans)} spans")
    if top_k < 1 or batch_size < 1:
        raise ValueError("top_k and batch_size must be 1 or more")
    texts = list(dict.fromkeys(candidates))
    if not captions or not texts:
        return [[] for _ in captions]
    listed = _pieces_of(texts, tokenizer)
    askings = _askings(listed, manner)
    scores = np.zeros((len(captions), len(texts)))
    queries = _queries(contexts(captions, spans, tokenizer), askings, model)
    for query, rows in _answers(queries, model, tokenizer, batch_size):
        asking = query.asking
        scores[query.number, asking.texts] += rows[asking.rows, asking.pieces].sum(axis=1)
    if mean:
        scores /= [len(pieces) for pieces in listed]
    return [_best(row, texts, top_k) for row in scores.round(_SCORE_DIGITS)]


def _pieces_of(texts: list[str], tokenizer: Any) -> list[tuple[int, ...]]:
    listed = [tuple(pieces) for pieces in tokenizer(texts, add_special_tokens=False)["input_ids"]]
    for text, pieces in zip(texts, listed, strict=True):
        if not pieces:
            raise ValueError(f"the candidate {text!r} has no pieces")
    return listed


def _askings(listed: list[tuple[int, ...]], manner: Manner) -> list[_Asking]:
    """The different fillings with masks that the listed texts need."""
    joint = manner is Manner.JOINT
    wanted: dict[tuple[int, tuple[int, ...]], list[int]] = {}
    for number, pieces in enumerate(listed):
        for begun in range(1 if joint else len(pieces)):
            wanted.setdefault((len(pieces), pieces[:begun]), []).append(number)
    askings = []
    for (length, known), numbers in wanted.items():
        rows = np.arange(length) if joint else np.array([len(known)])
        read = np.array([[listed[number][row] for row in rows] for number in numbers])
        askings.append(_Asking(length, known, np.array(numbers), rows, read))
    return askings


def _queries(around: Sequence[Context], askings: list[_Asking], model: Any) -> list[_Query]:
    """All masked texts, the short ones first, so that a batch has little padding."""
    most = model.config.max_position_embeddings - 2
    queries = [
        _Query(number, context.cut(most - asking.length), asking)
        for number, context in enumerate(around)
        for asking in askings
    ]
    return sorted(queries, key=lambda query: query.pieces)


def _answers(
    queries: list[_Query], model: Any, tokenizer: Any, batch_size: int
) -> Iterator[tuple[_Query, np.ndarray]]:
    """Each query with the log-probabilities in its span (length, vocabulary)."""
    import torch

    waiting = iter(queries)
    while batch := list(islice(waiting, batch_size)):
        inputs, places = _to_tensors(batch, tokenizer)
        with torch.inference_mode():
            logits = _logits_at(model, inputs, places)
        rows = torch.log_softmax(logits.float(), dim=-1).double().numpy()
        ends = np.cumsum([query.asking.length for query in batch])
        yield from zip(batch, np.split(rows, ends[:-1]), strict=True)


def _to_tensors(batch: list[_Query], tokenizer: Any) -> tuple[dict[str, Any], Any]:
    """Padded inputs, and the places (row, column) of all pieces of the spans."""
    import torch

    texts, places = [], []
    for row, query in enumerate(batch):
        length, known = query.asking.length, query.asking.known
        masks = [tokenizer.mask_token_id] * (length - len(known))
        pieces = [*query.context.before, *known, *masks, *query.context.after]
        texts.append([tokenizer.cls_token_id, *pieces, tokenizer.sep_token_id])
        first = 1 + len(query.context.before)
        places += [(row, first + at) for at in range(length)]
    inputs = tokenizer.pad({"input_ids": texts}, return_tensors="pt")
    return dict(inputs), torch.tensor(places)


def _logits_at(model: Any, inputs: dict[str, Any], places: Any) -> Any:
    """Logits (places, vocabulary); the costly head reads only these places where it can."""
    rows, columns = places.unbind(dim=1)
    head = getattr(model, "cls", None)
    if head is None:
        return model(**inputs).logits[rows, columns]
    hidden = model.base_model(**inputs).last_hidden_state
    return head(hidden[rows, columns])


def _best(scores: np.ndarray, texts: list[str], top_k: int) -> list[Proposal]:
    # A stable order, so that equal scores keep the order of the candidates.
    best = np.argsort(-scores, kind="stable")[:top_k]
    return [Proposal(texts[number], float(scores[number])) for number in best]
