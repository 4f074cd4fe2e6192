"""Fit the classifier's logits to GRUEN's threshold.

VALSE 4.2 keeps what scores 0.8 or more by GRUEN's grammaticality component,
max(0, (exp(-x / 2) + y) / 8 + 0.5), where y is the raw logit of "acceptable". The sum must reach
2.4, and the first term gives at most 0.6, so the level of the logit decides.
"""

from collections.abc import Sequence

import numpy as np
import torch
from classifying import Example, all_logits

_THRESHOLD = 0.8
_KEPT = 0.965


def calibrate(model, mlm, tokenizer, captions: Sequence[str]) -> float:
    """Make the logits opposite, then shift both so that nearly all given captions pass.

    The shift is the same for both labels and so changes no probability.

    Returns:
        The share of the captions that pass.
    """
    head = model.classifier
    with torch.no_grad():
        half = (head.weight[1] - head.weight[0]) / 2
        offset = (head.bias[1] - head.bias[0]) / 2
        head.weight.copy_(torch.stack([-half, half]))
        head.bias.copy_(torch.stack([-offset, offset]))
    fluency = fluency_terms(mlm, tokenizer, captions)
    logits = all_logits(model, tokenizer, [Example(caption, 1) for caption in captions])[:, 1]
    needed = (_THRESHOLD - 0.5) * 8
    shift = needed - np.quantile(fluency + logits, 1 - _KEPT)
    with torch.no_grad():
        head.bias += float(shift)
    return float(np.mean(component(fluency, logits + shift) >= _THRESHOLD))


def component(fluency: np.ndarray, logits: np.ndarray) -> np.ndarray:
    """GRUEN's grammaticality from exp(-x / 2) and y, for texts of one sentence."""
    return np.maximum(0.0, (fluency + logits) / 8 + 0.5)


def fluency_terms(mlm, tokenizer, texts: Sequence[str], size: int = 64) -> np.ndarray:
    """exp(-x / 2), with x = exp(loss of the unmasked text), for texts of one sentence."""
    order = sorted(range(len(texts)), key=lambda n: len(texts[n]))
    terms = np.zeros(len(texts))
    for at in range(0, len(order), size):
        chosen = order[at : at + size]
        inputs = tokenizer(
            [texts[n] for n in chosen],
            padding=True,
            truncation=True,
            max_length=126,
            return_tensors="pt",
        )
        with torch.inference_mode():
            logits = mlm(**inputs).logits.float()
        losses = torch.nn.functional.cross_entropy(
            logits.transpose(1, 2), inputs["input_ids"], reduction="none"
        )
        seen = inputs["attention_mask"]
        means = (losses * seen).sum(dim=1) / seen.sum(dim=1)
        terms[chosen] = np.exp(-0.5 * np.exp(means.double().numpy()))
    return terms
