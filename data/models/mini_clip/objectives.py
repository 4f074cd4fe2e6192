"""What the mini CLIP is trained on: batches and losses."""

from dataclasses import dataclass

import numpy as np
import torch
from network import MOST
from statements import Claim, Pair
from torch.nn import functional
from transformers.image_utils import OPENAI_CLIP_MEAN, OPENAI_CLIP_STD
from world.concepts import concepts

_BACKGROUND_WEIGHT = 0.3  # most patches hold no centre of a thing


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of shards, see `pictures.Shard`."""

    pictures: np.ndarray
    counts: np.ndarray
    patches: np.ndarray
    captions: list[str]
    places: list[str]


@dataclass(frozen=True, slots=True)
class Loss:
    """A loss with its weight in the sum, and shares to report with it."""

    name: str
    value: torch.Tensor
    weight: float
    shares: dict[str, float]

    @property
    def weighted(self) -> torch.Tensor:
        """Its part of the sum."""
        return self.weight * self.value


class Losses:
    """Running means of losses and shares, for the log."""

    def __init__(self, sums: dict[str, float] | None = None, number: int = 0) -> None:
        self._sums, self._number = sums or {}, number

    @classmethod
    def of(cls, losses: list[Loss]) -> "Losses":
        """The figures of one batch."""
        sums = {loss.name: loss.value.item() for loss in losses}
        for loss in losses:
            sums |= loss.shares
        return cls(sums, 1)

    def plus(self, other: "Losses") -> "Losses":
        """The figures of both."""
        names = {**self._sums, **other._sums}
        sums = {name: self._sums.get(name, 0) + other._sums.get(name, 0) for name in names}
        return Losses(sums, self._number + other._number)

    def __str__(self) -> str:
        return " ".join(f"{name} {total / self._number:.3f}" for name, total in self._sums.items())


def to_pixels(pictures: np.ndarray) -> torch.Tensor:
    """Bytes (n, h, w, 3) as the image processor's pixel values (n, 3, h, w)."""
    pixels = torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255
    mean, spread = torch.tensor(OPENAI_CLIP_MEAN), torch.tensor(OPENAI_CLIP_STD)
    return (pixels - mean.view(3, 1, 1)) / spread.view(3, 1, 1)


def patch_loss(logits: torch.Tensor, labels: np.ndarray) -> Loss:
    """Which kind has its centre in which patch."""
    target = torch.from_numpy(labels).long()
    weights = torch.ones(logits.shape[-1])
    weights[0] = _BACKGROUND_WEIGHT
    value = functional.cross_entropy(logits.flatten(0, 1), target.flatten(), weights)
    things = target > 0
    right = (logits.argmax(-1) == target)[things].float().mean().item()
    return Loss("patch", value, 1.0, {"patch_right": right})


def count_loss(logits: torch.Tensor, counts: np.ndarray) -> Loss:
    """Whether there are at least 1, 2 ... 8 of each concept; open counts are left out."""
    known = torch.from_numpy(counts).long()
    steps = torch.arange(1, MOST + 1)
    target = (known.unsqueeze(-1) >= steps).float()
    each = functional.binary_cross_entropy_with_logits(logits, target, reduction="none")
    mask = (known >= 0).unsqueeze(-1).expand_as(each)
    value = each[mask].sum() / len(counts)
    found = (logits[..., 0] > 0)[known > 0].float().mean().item()
    exact = ((logits > 0).sum(-1) == known.clamp(max=MOST))[known > 0].float().mean().item()
    return Loss("count", value, 0.15, {"found": found, "exact": exact})


def pair_loss(
    images: torch.Tensor,
    true: torch.Tensor,
    false: torch.Tensor,
    scale: torch.Tensor,
    pairs: list[Pair],
    batch: Batch,
) -> Loss:
    """Log loss of preferring the statement that holds, for every pair on every picture.

    A pair says something about each picture on which one of its statements holds and the other
    does not. For each pair, pictures of the one sort weigh as much as those of the other, so
    that neither statement is preferred unseen.
    """
    signs = torch.from_numpy(_judge(pairs, batch))
    margins = (true - false) @ images.T
    each = functional.softplus(-scale * signs * margins)
    weights = sum(_share(signs == sign) for sign in (1, -1))
    value = (each * weights).sum() / weights.sum()
    shares = {}
    for sort in ("existence", "number", "kind", "plurality"):
        rows = torch.tensor([pair.sort == sort for pair in pairs])
        if rows.any():
            right = ((signs * margins > 0).float() * weights)[rows].sum() / weights[rows].sum()
            shares[sort] = right.item()
    return Loss("pair", value, 2.0, shares)


def _share(chosen: torch.Tensor) -> torch.Tensor:
    """Weights that sum to one over the chosen entries of each row."""
    return chosen.float() / chosen.sum(1, keepdim=True).clamp(min=1)


def _judge(pairs: list[Pair], batch: Batch) -> np.ndarray:
    """+1 where the pair's true statement alone holds, -1 where its false one does, else 0."""
    order = {name: index for index, name in enumerate(concepts())}

    def holds(claims: list[Claim]) -> tuple[np.ndarray, np.ndarray]:
        counts = batch.counts[:, [order[claim.concept] for claim in claims]].T
        low = np.array([[claim.low] for claim in claims])
        high = np.array([[claim.high] for claim in claims])
        return (counts >= low) & (counts <= high), counts >= 0

    true, true_known = holds([pair.true_claim for pair in pairs])
    false, false_known = holds([pair.false_claim for pair in pairs])
    of_place = np.array([[pair.place in ("", place) for place in batch.places] for pair in pairs])
    usable = true_known & false_known & of_place
    return np.where(usable, true.astype(np.float32) - false, 0).astype(np.float32)


def caption_loss(images: torch.Tensor, captions: torch.Tensor, scale: torch.Tensor) -> Loss:
    """CLIP's symmetrical loss over the batch."""
    logits = scale * images @ captions.T
    target = torch.arange(len(logits))
    value = functional.cross_entropy(logits, target) + functional.cross_entropy(logits.T, target)
    right = (logits.argmax(-1) == target).float().mean().item()
    return Loss("caption", value / 2, 0.2, {"caption_right": right})
