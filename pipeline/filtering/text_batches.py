"""Texts before a language model, in batches of one length each.

Nothing is padded, so no work is wasted and no text's figures depend on what it was batched with,
but for the last digits of 32-bit sums in the smallest batches. Figures are rounded beyond those.
"""

import copy
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

DIGITS = 5
"""To how many places figures are rounded."""

_PIECES_AT_ONCE = 2048
"""How many word pieces pass the model together, which bounds the memory of its answers."""


def read_batches(
    encoded: Mapping[str, Sequence[Sequence[int]]],
    read: Callable[[dict[str, Any]], Any],
    *,
    width: int,
    batch_size: int,
) -> np.ndarray:
    """What a model says of each text.

    Args:
        encoded: What a tokenizer made of the texts, not padded: `input_ids` and perhaps
            `token_type_ids`. Masks are not needed and are left aside.
        read: Takes tensors (rows, pieces) by name and answers with a tensor (rows, width).
        width: How many figures a text has.
        batch_size: How many texts are read together at most.

    Returns:
        Figures (texts, width).
    """
    import torch

    pieces = encoded["input_ids"]
    names = [name for name in ("input_ids", "token_type_ids") if name in encoded]
    figures = np.zeros((len(pieces), width))
    for chosen in _batches([len(text) for text in pieces], batch_size):
        inputs = {name: torch.tensor([encoded[name][n] for n in chosen]) for name in names}
        with torch.inference_mode():
            figures[chosen] = read(inputs).double().numpy()
    return figures


def _batches(lengths: Sequence[int], batch_size: int) -> Iterator[list[int]]:
    """Numbers of texts of one length each, the short ones first."""
    alike: dict[int, list[int]] = defaultdict(list)
    for number, length in enumerate(lengths):
        alike[length].append(number)
    for length, numbers in sorted(alike.items()):
        rows = max(1, min(batch_size, _PIECES_AT_ONCE // max(1, length)))
        yield from (numbers[start : start + rows] for start in range(0, len(numbers), rows))


def longest(model: Any, tokenizer: Any, wanted: int = 512) -> int:
    """How many pieces of a text the model can read, `wanted` at most."""
    places = getattr(model.config, "max_position_embeddings", wanted)
    return min(wanted, places, tokenizer.model_max_length)


@cache
def quick(model: Any) -> Any:
    """The model with the products of its linear layers taken by oneDNN, where PyTorch has it.

    PyTorch's default for 32-bit floats, MKL, is half as fast on processors of AMD. The weights are
    those of the model itself, not a copy.
    """
    import torch

    if not torch.backends.mkldnn.is_available():
        return model
    product = torch.ops.mkldnn._linear_pointwise  # what torch.compile uses

    class Linear(torch.nn.Module):
        def __init__(self, linear: torch.nn.Linear) -> None:
            super().__init__()
            self.weight, self.bias = linear.weight, linear.bias

        def forward(self, values: torch.Tensor) -> torch.Tensor:
            return product(values, self.weight, self.bias, "none", [], "")

    shared = {id(weight): weight for weight in [*model.parameters(), *model.buffers()]}
    quicker = copy.deepcopy(model, shared)
    for module in list(quicker.modules()):
        for name, child in list(module.named_children()):
            if type(child) is torch.nn.Linear:
                setattr(module, name, Linear(child))
    return quicker
