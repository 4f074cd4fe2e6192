"""How likely texts are to a causal language model: to rank ways of saying the same."""

from collections.abc import Sequence
from typing import Any

from pipeline.models import load


def log_likelihoods(
    texts: Sequence[str], profile: str = "embedded", *, batch_size: int = 64
) -> list[float]:
    """The natural logarithm of each text's probability, its end included; a list as long as texts.

    The model begins after its end mark, as GPT-2 does; where it has none (GPT-1), the first piece
    is not scored and the end is not either. The values do not depend on the batch size, but for
    the last digits of floating point.

    Raises:
        InputError: The profile's language model cannot be had.
    """
    import torch

    opened = load("lm", profile)
    rows = [_pieces(opened.tokenizer, text) for text in texts]
    order = sorted(range(len(rows)), key=lambda index: len(rows[index]))
    found = [0.0] * len(rows)
    for start in range(0, len(order), batch_size):
        batch = order[start : start + batch_size]
        with torch.inference_mode():
            sums = _sums(opened.model, [rows[index] for index in batch])
        for index, total in zip(batch, sums, strict=True):
            found[index] = total
    return found


def _pieces(tokenizer: Any, text: str) -> list[int]:
    end = tokenizer.eos_token_id
    around = [] if end is None else [end]
    return around + list(tokenizer(text, add_special_tokens=False)["input_ids"]) + around


def _sums(model: Any, rows: list[list[int]]) -> list[float]:
    """The summed log probabilities of all pieces but the first of each row."""
    import torch

    width = max(2, *(len(row) for row in rows)) if rows else 2
    pieces = torch.tensor([row + [0] * (width - len(row)) for row in rows])
    mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows])
    logits = model(input_ids=pieces, attention_mask=mask).logits[:, :-1].log_softmax(-1)
    chosen = logits.gather(2, pieces[:, 1:, None])[:, :, 0]
    return [float(total) for total in (chosen.double() * mask[:, 1:]).sum(1)]
