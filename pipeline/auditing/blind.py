"""The blind check: how often does a linear model of words prefer the caption, without the image?

Captions and foils that differ in distribution can be told apart by their words alone (VALSE,
section 4; Goyal et al. 2017 for questions). A logistic regression on word unigrams and bigrams is
trained on four fifths of the pairs and asked about the rest.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.auditing.groups import related
from pipeline.instance import Instance
from pipeline.metrics import bootstrap_intervals, pair_metrics

Interval = tuple[float, float]

_FOLDS = 5
_SWAPS = 10
"""How many times the control swaps; a single swap of a few hundred pairs strays by some percent."""
_SHOWN = 8
_TOKEN = r"\w+(?:['\u2019.\-]\w+)*|[^\w\s]"
"""A word, or a mark: marks and upper case can give a foil away as well."""


@dataclass(frozen=True, slots=True)
class Telling:
    """A word or two that tell captions from foils.

    Attributes:
        weight: What one more of it adds to the odds (log) of being the caption.
        captions: How many captions have it more often than their foils.
        foils: How many foils have it more often than their captions.
    """

    words: str
    weight: float
    captions: int
    foils: int


@dataclass(frozen=True, slots=True)
class BlindCheck:
    """What came out; `dataclasses.asdict` gives plain JSON.

    Attributes:
        pairs: How many there are.
        images: How many different images they have.
        groups: How many groups without a common image or text.
        largest_group: The share of the pairs that is in the largest.
        accuracy: The share of pairs whose caption scores strictly higher; below one half where
            each change has its reverse in another fold.
        interval: Of the accuracy, 95 %, over images; None with one image.
        ties: The share of pairs that score the same.
        control: The accuracy after captions and foils were swapped at random, a tie counting one
            half: chance, which is 0.5.
        control_interval: Its interval.
        telling: What tells captions, then what tells foils, the most telling first.
    """

    pairs: int
    images: int
    groups: int
    largest_group: float
    accuracy: float
    interval: Interval | None
    ties: float
    control: float
    control_interval: Interval | None
    telling: tuple[Telling, ...]


def blind_check(instances: Sequence[Instance], *, seed: int = 0) -> BlindCheck | None:
    """Train and ask in five folds; the same instances and seed give the same answer.

    Pairs that share an image, or any text up to case and space, are in one fold.

    Returns:
        None where there are fewer than two such groups, so that nothing can be kept apart.
    """
    groups = related(instances)
    sizes = np.bincount(groups)
    if len(sizes) < 2:
        return None
    differences, names = _differences(instances)
    images = [(i.image.dataset, i.image.file_name) for i in instances]
    scores = _held_out_scores(differences, groups, seed)
    figures = pair_metrics(scores, np.zeros_like(scores))
    swapped = [_swapped_scores(differences, groups, seed + swap) for swap in range(_SWAPS)]
    control = np.concatenate(swapped)
    chance = pair_metrics(control, np.zeros_like(control))
    return BlindCheck(
        pairs=len(instances),
        images=len(set(images)),
        groups=len(sizes),
        largest_group=float(sizes.max() / len(instances)),
        accuracy=figures["acc_r"],
        interval=_interval(scores, images, "acc_r", seed),
        ties=figures["tie_rate"],
        control=chance["acc_r_half_credit"],
        control_interval=_interval(control, images * _SWAPS, "acc_r_half_credit", seed),
        telling=_telling(differences, names),
    )


def _interval(scores: np.ndarray, images: list[Any], name: str, seed: int) -> Interval | None:
    return bootstrap_intervals(scores, np.zeros_like(scores), images=images, seed=seed)[name]


def _differences(instances: Sequence[Instance]) -> tuple[Any, np.ndarray]:
    """Counts in captions minus counts in foils (pairs, n-grams), and the names of the n-grams."""
    from sklearn.feature_extraction.text import CountVectorizer

    counter = CountVectorizer(ngram_range=(1, 2), lowercase=False, token_pattern=_TOKEN)
    captions = [instance.caption for instance in instances]
    foils = [instance.foil for instance in instances]
    counts = counter.fit_transform(captions + foils).astype(np.float64)
    differences = (counts[: len(captions)] - counts[len(captions) :]).tocsr()
    differences.eliminate_zeros()
    return differences, counter.get_feature_names_out()


def _held_out_scores(differences: Any, groups: np.ndarray, seed: int) -> np.ndarray:
    """How much each caption outscores its foil by models that saw nothing related (pairs,)."""
    from sklearn.model_selection import GroupKFold

    folds = GroupKFold(min(_FOLDS, len(np.unique(groups))), shuffle=True, random_state=seed)
    scores = np.zeros(len(groups))
    for learnt, asked in folds.split(differences, groups=groups):
        scores[asked] = differences[asked] @ _weights(differences[learnt])
    return scores


def _swapped_scores(differences: Any, groups: np.ndarray, seed: int) -> np.ndarray:
    """The same where caption and foil of each pair have been swapped or not, at random."""
    from scipy.sparse import diags_array

    signs = np.random.default_rng(seed).choice([-1.0, 1.0], size=len(groups))
    return _held_out_scores((diags_array(signs) @ differences).tocsr(), groups, seed)


def _weights(differences: Any) -> np.ndarray:
    """A logistic regression of pairs, each shown both ways round, so that no side is favoured."""
    from scipy.sparse import vstack
    from sklearn.linear_model import LogisticRegression

    both = vstack([differences, -differences]).tocsr()
    labels = np.repeat([1, 0], differences.shape[0])
    model = LogisticRegression(fit_intercept=False, max_iter=1000)
    return model.fit(both, labels).coef_[0]


def _telling(differences: Any, names: np.ndarray) -> tuple[Telling, ...]:
    """The n-grams of greatest weight on either side, by a model of all pairs."""
    weights = _weights(differences)
    captions = Counter(differences.indices[differences.data > 0].tolist())
    foils = Counter(differences.indices[differences.data < 0].tolist())
    order = np.lexsort((names, -weights))
    ends = [n for n in order[:_SHOWN] if weights[n] > 0]
    ends += [n for n in order[::-1][:_SHOWN] if weights[n] < 0]
    return tuple(
        Telling(str(names[n]), round(float(weights[n]), 3), captions[n], foils[n]) for n in ends
    )
