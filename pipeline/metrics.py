"""How well a model tells captions from foils: VALSE's metrics, with ties and intervals.

The definitions are those of VALSE (Parcalabescu et al., ACL 2022, section 5.2). Every figure is a
fraction in [0, 1], or None where nothing defines it.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

FIGURES = (
    "acc_r",
    "acc_r_half_credit",
    "acc_r_paper",
    "tie_rate",
    "acc",
    "p_c",
    "p_f",
    "min_p",
    "auroc",
)
"""The names of the figures, in the order in which they are reported."""

_DRAWS_AT_ONCE = 1_500_000
"""How many weights one block of bootstrap repeats may hold, which bounds its memory."""


@dataclass(frozen=True, slots=True)
class _Pairs:
    """The pairs that have all their scores, as arrays of one length.

    `caption_confidence` and `foil_confidence` are what AUROC ranks: the probabilities where there
    are any, else the scores. `failed` marks, among all pairs given, those that are left out.
    """

    caption_scores: np.ndarray
    foil_scores: np.ndarray
    caption_confidence: np.ndarray
    foil_confidence: np.ndarray
    has_probabilities: bool
    failed: np.ndarray


def pair_metrics(
    caption_scores: Sequence[float] | np.ndarray,
    foil_scores: Sequence[float] | np.ndarray,
    caption_probabilities: Sequence[float] | np.ndarray | None = None,
    foil_probabilities: Sequence[float] | np.ndarray | None = None,
    images: Sequence[Hashable] | None = None,
) -> dict[str, Any]:
    """Measure how often a model prefers the caption, over pairs of shape (pairs,).

    A pair with a score or probability that is NaN has failed: it is counted in `n_failed` and in
    nothing else. With no pair left every figure is None.

    Args:
        caption_scores: How well each caption matches its image, on any scale.
        foil_scores: The same of each foil.
        caption_probabilities: The probability, in [0, 1], that each caption matches its image.
        foil_probabilities: The same of each foil.
        images: Which image each pair is about; given, intervals are computed as well.

    Returns:
        `acc_r`, the share of pairs whose caption scores strictly higher; `acc_r_half_credit`,
        where a tie counts one half; `acc_r_paper`, where a tie counts as right, as the formula
        printed in VALSE has it (foil <= caption); `tie_rate`; `auroc` over all captions and foils,
        by probabilities where there are any (as VALSE), else by scores. With probabilities also
        `p_c`, the share of captions above 0.5, `p_f`, the share of foils at 0.5 or below,
        `acc`, their mean, and `min_p`, the lesser of them; None without. VALSE calls p_c and p_f
        precision, but its code computes these recalls. Then `n` and `n_failed`. With `images`
        also `n_images`, and `intervals` as `bootstrap_intervals` gives them by default.

    Raises:
        ValueError: The arguments differ in length, only one kind of probability is given, or a
            probability lies outside [0, 1].
    """
    pairs = _pairs(caption_scores, foil_scores, caption_probabilities, foil_probabilities)
    n = len(pairs.caption_scores)
    figures: dict[str, Any] = dict.fromkeys(FIGURES)
    if n:
        sums = _indicators(pairs).sum(axis=0, keepdims=True)
        area = _auroc(pairs, np.ones((1, n)))
        figures |= {name: float(values[0]) for name, values in _figures(sums, area).items()}
    figures |= {"n": n, "n_failed": int(pairs.failed.sum())}
    if images is not None:
        groups = _image_indices(images, pairs.failed)
        figures["n_images"] = int(groups.max(initial=-1)) + 1
        figures["intervals"] = _intervals(pairs, groups, repeats=1000, seed=0, level=0.95)
    return figures


def bootstrap_intervals(
    caption_scores: Sequence[float] | np.ndarray,
    foil_scores: Sequence[float] | np.ndarray,
    caption_probabilities: Sequence[float] | np.ndarray | None = None,
    foil_probabilities: Sequence[float] | np.ndarray | None = None,
    *,
    images: Sequence[Hashable],
    repeats: int = 1000,
    seed: int = 0,
    level: float = 0.95,
) -> dict[str, tuple[float, float] | None]:
    """Percentile intervals of `pair_metrics`' figures, by resampling images with replacement.

    Pairs that share an image are not independent, so whole images are drawn (the cluster
    bootstrap; Davison and Hinkley 1997, section 3.8). The same arguments give the same intervals.
    Where every pair is right, or none, the interval has no width: a limit of the method.

    Args:
        caption_scores: See `pair_metrics`, as for the next three.
        foil_scores: See there.
        caption_probabilities: See there.
        foil_probabilities: See there.
        images: Which image each pair is about, one hashable name a pair.
        repeats: How many times the images are drawn.
        seed: Where the draws start.
        level: The share of the draws that lies within the interval.

    Returns:
        (low, high) for each name of `FIGURES`; None where the figure is None, and everywhere when
        fewer than two images are left, since one image says nothing about others.

    Raises:
        ValueError: As `pair_metrics`; or `repeats` or `level` makes no sense.
    """
    if repeats < 1 or not 0 < level < 1:
        raise ValueError(f"repeats must be positive and 0 < level < 1: {repeats}, {level}")
    pairs = _pairs(caption_scores, foil_scores, caption_probabilities, foil_probabilities)
    return _intervals(pairs, _image_indices(images, pairs.failed), repeats, seed, level)


def _pairs(
    caption_scores: Sequence[float] | np.ndarray,
    foil_scores: Sequence[float] | np.ndarray,
    caption_probabilities: Sequence[float] | np.ndarray | None,
    foil_probabilities: Sequence[float] | np.ndarray | None,
) -> _Pairs:
    """The arguments as arrays, checked, without the pairs that failed."""
    if (caption_probabilities is None) != (foil_probabilities is None):
        raise ValueError("probabilities are needed for captions and foils, or for neither")
    given = {"caption scores": caption_scores, "foil scores": foil_scores}
    if caption_probabilities is not None and foil_probabilities is not None:
        given |= {
            "caption probabilities": caption_probabilities,
            "foil probabilities": foil_probabilities,
        }
    arrays = {name: np.asarray(values, dtype=np.float64) for name, values in given.items()}
    lengths = {name: array.shape for name, array in arrays.items()}
    if len(set(lengths.values())) > 1 or arrays["caption scores"].ndim != 1:
        raise ValueError(f"scores must be lists of one length, not {lengths}")
    for name, array in arrays.items():
        if name.endswith("probabilities") and ((array < 0) | (array > 1)).any():
            raise ValueError(f"{name} must lie between 0 and 1")
    columns = list(arrays.values())
    failed = np.any(np.isnan(np.stack(columns)), axis=0)
    columns = [column[~failed] for column in columns]
    return _Pairs(
        caption_scores=columns[0],
        foil_scores=columns[1],
        caption_confidence=columns[-2],
        foil_confidence=columns[-1],
        has_probabilities=len(columns) == 4,
        failed=failed,
    )


def _image_indices(images: Sequence[Hashable], failed: np.ndarray) -> np.ndarray:
    """The images of the pairs that have scores, numbered from 0 in order of appearance."""
    if len(images) != len(failed):
        raise ValueError(f"{len(images)} images for {len(failed)} pairs")
    numbers: dict[Hashable, int] = {}
    return np.array(
        [
            numbers.setdefault(image, len(numbers))
            for image, left_out in zip(images, failed, strict=True)
            if not left_out
        ],
        dtype=np.int64,
    )


def _indicators(pairs: _Pairs) -> np.ndarray:
    """What each pair adds to the sums, of shape (pairs, 3 or 5): one, win, tie, p_c, p_f."""
    columns = [
        np.ones(len(pairs.caption_scores)),
        pairs.caption_scores > pairs.foil_scores,
        pairs.caption_scores == pairs.foil_scores,
    ]
    if pairs.has_probabilities:
        columns += [pairs.caption_confidence > 0.5, pairs.foil_confidence <= 0.5]
    return np.stack(columns, axis=1).astype(np.float64)


def _figures(sums: np.ndarray, area: np.ndarray) -> dict[str, np.ndarray]:
    """Figures of shape (repeats,) from sums of `_indicators` of shape (repeats, columns)."""
    total, wins, ties = sums[:, 0], sums[:, 1], sums[:, 2]
    figures = {
        "acc_r": wins / total,
        "acc_r_half_credit": (wins + ties / 2) / total,
        "acc_r_paper": (wins + ties) / total,
        "tie_rate": ties / total,
        "auroc": area,
    }
    if sums.shape[1] > 3:
        p_c, p_f = sums[:, 3] / total, sums[:, 4] / total
        figures |= {"p_c": p_c, "p_f": p_f, "acc": (p_c + p_f) / 2, "min_p": np.minimum(p_c, p_f)}
    return figures


def _auroc(pairs: _Pairs, weights: np.ndarray) -> np.ndarray:
    """The chance that a caption outranks a foil drawn apart from it, ties one half.

    Args:
        pairs: Of length n.
        weights: How often each pair counts, of shape (repeats, n).
    """
    order = np.argsort(pairs.foil_confidence)
    ranked = pairs.foil_confidence[order]
    below = np.zeros((len(weights), len(ranked) + 1))
    np.cumsum(weights[:, order], axis=1, out=below[:, 1:])
    outranked = below[:, np.searchsorted(ranked, pairs.caption_confidence, side="left")]
    outranked += below[:, np.searchsorted(ranked, pairs.caption_confidence, side="right")]
    return np.einsum("rn,rn->r", weights, outranked) / 2 / weights.sum(axis=1) ** 2


def _intervals(
    pairs: _Pairs, groups: np.ndarray, repeats: int, seed: int, level: float
) -> dict[str, tuple[float, float] | None]:
    """`bootstrap_intervals` over pairs whose images are numbered `groups`."""
    intervals: dict[str, tuple[float, float] | None] = dict.fromkeys(FIGURES)
    images = int(groups.max(initial=-1)) + 1
    if images < 2:
        return intervals
    indicators = _indicators(pairs)
    sums = np.zeros((images, indicators.shape[1]))
    np.add.at(sums, groups, indicators)
    generator = np.random.default_rng(seed)
    drawn: dict[str, list[np.ndarray]] = {}
    block = max(1, _DRAWS_AT_ONCE // len(groups))
    for start in range(0, repeats, block):
        rows = min(block, repeats - start)
        draws = generator.integers(images, size=(rows, images))
        draws += np.arange(rows)[:, None] * images
        counts = np.bincount(draws.ravel(), minlength=rows * images).reshape(rows, images)
        weights = counts.astype(np.float64)
        for name, values in _figures(weights @ sums, _auroc(pairs, weights[:, groups])).items():
            drawn.setdefault(name, []).append(values)
    tails = (1 - level) / 2
    for name, blocks in drawn.items():
        low, high = np.quantile(np.concatenate(blocks), (tails, 1 - tails))
        intervals[name] = (float(low), float(high))
    return intervals
