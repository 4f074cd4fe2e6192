"""Perplexity: a foil should be about as likely a text as its caption (VALSE 4.1)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pipeline.filtering.text_batches import DIGITS, longest, quick, read_batches
from pipeline.instance import Instance, Score, Verdict
from pipeline.models import load, load_from

_NAME = "perplexity"
_CAPTION, _FOIL = "perplexity_caption", "perplexity_foil"


def perplexity(
    texts: Sequence[str],
    profile: str = "embedded",
    *,
    lm: str | None = None,
    batch_size: int = 64,
) -> np.ndarray:
    """The exponential of the mean negative log-probability of a text's pieces, 1 or more.

    Where the checkpoint has a beginning mark ("<|endoftext|>" of GPT-2), it is put before the text,
    so that every piece is scored; without one (GPT-1) the first piece is not. The end of a text is
    no piece. What a model is too short to read is not scored.

    VALSE's released code computes another figure: a sliding window weighs the pieces unevenly.

    Args:
        profile: Names the checkpoint of the role `lm`.
        lm: A folder or a name on the hub, in place of the profile's.
        batch_size: How many texts are read together; no result depends on it.

    Returns:
        One figure per text (texts,), its logarithm rounded to 5 places; infinite where no piece
        can be scored.

    Raises:
        InputError: The checkpoint cannot be had or does not suit.
    """
    import torch

    if not texts:
        return np.zeros(0)
    opened = load_from("lm", lm) if lm else load("lm", profile)
    model, start = quick(opened.model), opened.tokenizer.bos_token_id
    distinct = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    most = longest(opened.model, opened.tokenizer, 1024)
    begun = [] if start is None else [start]
    cut = opened.tokenizer(list(distinct), add_special_tokens=False)["input_ids"]
    encoded = {"input_ids": [[*begun, *pieces][:most] for pieces in cut]}

    def read(inputs: dict[str, Any]) -> Any:
        pieces = inputs["input_ids"][:, 1:]
        if not pieces.shape[1]:
            return torch.full((len(pieces), 1), torch.inf)
        logits = model(**inputs).logits[:, :-1]
        own = logits.gather(-1, pieces.unsqueeze(-1)).squeeze(-1)
        return (torch.logsumexp(logits, dim=-1) - own).mean(dim=1, keepdim=True)

    losses = read_batches(encoded, read, width=1, batch_size=batch_size)[:, 0].round(DIGITS)
    return np.exp(losses)[[distinct[text] for text in texts]]


def score_perplexity(instances: Sequence[Instance], *, profile: str) -> list[tuple[Score, ...]]:
    """The perplexities of each caption and its foil."""
    checkpoint = load("lm", profile).checkpoint.label
    texts = [text for instance in instances for text in (instance.caption, instance.foil)]
    figures = perplexity(texts, profile).reshape(-1, 2)
    return [
        (Score(_CAPTION, float(caption), checkpoint), Score(_FOIL, float(foil), checkpoint))
        for caption, foil in figures
    ]


def judge_perplexity(
    instances: Sequence[Instance], *, at_most_ratio: float = 3.0, at_most: float | None = None
) -> list[Verdict]:
    """Reject foils that are far less likely texts than their captions.

    Args:
        at_most_ratio: How many times its caption's perplexity a foil may have. Of those that VALSE
            publishes, 94 % (plurals) to 100 % (relations, counting) stay below 3.
        at_most: The greatest perplexity that a foil may have in any case.

    Returns:
        One verdict per instance; the reasons are "less likely than its caption" and "unlikely".
    """
    return [_verdict(instance, at_most_ratio, at_most) for instance in instances]


def _verdict(instance: Instance, at_most_ratio: float, at_most: float | None) -> Verdict:
    foil = instance.score(_FOIL)
    if at_most is not None and foil > at_most:
        return Verdict(_NAME, keep=False, reason="unlikely")
    if foil > at_most_ratio * instance.score(_CAPTION):
        return Verdict(_NAME, keep=False, reason="less likely than its caption")
    return Verdict(_NAME, keep=True)
