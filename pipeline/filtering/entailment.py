"""Entailment: a foil has to contradict its caption (VALSE 4.3)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pipeline.errors import InputError
from pipeline.filtering.text_batches import DIGITS, longest, quick, read_batches
from pipeline.instance import Instance, Score, Verdict
from pipeline.labels import entailment_order
from pipeline.models import load, load_from
from pipeline.registry import unknown_name

LABELS = ("entailment", "neutral", "contradiction")
_SCORES = ("nli_entail", "nli_neutral", "nli_contradict")
_REASONS = ("entailed by the caption", "neutral", "contradicts the caption")


def entailment(
    premises: Sequence[str],
    hypotheses: Sequence[str],
    profile: str = "embedded",
    *,
    nli: str | None = None,
    batch_size: int = 64,
) -> np.ndarray:
    """How probable it is that each premise entails, is neutral to, or contradicts its hypothesis.

    Args:
        profile: Names the checkpoint of the role `nli`.
        nli: A folder or a name on the hub, in place of the profile's.
        batch_size: How many pairs are read together; no result depends on it.

    Returns:
        Probabilities (pairs, 3) in the order of `LABELS`, whatever the checkpoint's own, rounded
        to 5 places.

    Raises:
        InputError: The checkpoint cannot be had or does not suit.
        ValueError: There are more of one than of the other.
    """
    import torch

    pairs = list(zip(premises, hypotheses, strict=True))
    distinct = {pair: number for number, pair in enumerate(dict.fromkeys(pairs))}
    if not pairs:
        return np.zeros((0, 3))
    opened = load_from("nli", nli) if nli else load("nli", profile)
    model, order = quick(opened.model), list(entailment_order(opened.model.config))

    def read(inputs: dict[str, Any]) -> Any:
        return torch.softmax(model(**inputs).logits.double(), dim=-1)[:, order]

    first, second = (list(side) for side in zip(*distinct, strict=True))
    most = longest(opened.model, opened.tokenizer)
    encoded = opened.tokenizer(first, second, truncation=True, max_length=most)
    figures = read_batches(encoded, read, width=3, batch_size=batch_size)
    return figures[[distinct[pair] for pair in pairs]].round(DIGITS)


def score_entailment(instances: Sequence[Instance], *, profile: str) -> list[tuple[Score, ...]]:
    """The three probabilities of each caption as the premise of its foil."""
    checkpoint = load("nli", profile).checkpoint.label
    captions = [instance.caption for instance in instances]
    rows = entailment(captions, [instance.foil for instance in instances], profile)
    return [
        tuple(Score(n, float(v), checkpoint) for n, v in zip(_SCORES, row, strict=True))
        for row in rows
    ]


def judge_entailment(
    instances: Sequence[Instance], *, keep: Sequence[str] = ("contradiction",)
) -> list[Verdict]:
    """Reject foils whose most probable relation to their caption is not among those to keep.

    VALSE 4.3 keeps contradictions alone: of the neutral foils, 11 % turned out true of the image.

    Args:
        keep: Names of `LABELS`.

    Returns:
        One verdict per instance; the reasons are "entailed by the caption", "neutral" and
        "contradicts the caption".

    Raises:
        InputError: `keep` is empty or names another label.
    """
    for name in keep:
        if name not in LABELS:
            raise unknown_name("relation to keep", name, LABELS)
    if not keep:
        raise InputError("keep names no relation, so no foil would stay", where="entailment")
    return [_verdict(instance, keep) for instance in instances]


def _verdict(instance: Instance, keep: Sequence[str]) -> Verdict:
    label = int(np.argmax([instance.score(name) for name in _SCORES]))
    if LABELS[label] in keep:
        return Verdict("entailment", keep=True)
    return Verdict("entailment", keep=False, reason=_REASONS[label])
