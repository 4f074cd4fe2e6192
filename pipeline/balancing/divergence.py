"""Jensen-Shannon divergence between what captions and what foils say, as VALSE computes it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any


def histogram(classes: Iterable[Any]) -> Counter[str]:
    """How often each class occurs; lists among the classes count by their members.

    Classes are compared as text, since published files hold them as numbers, as texts and once
    as a boolean.
    """
    return Counter(_flatten(classes))


def jensen_shannon(captions: Iterable[Any], foils: Iterable[Any]) -> float:
    """The Jensen-Shannon distance between the classes of captions and those of foils.

    This is the figure of VALSE's Table 5 (Parcalabescu et al., ACL 2022): logarithm to base 2
    and the square root taken, over `classes` against `classes_foil`.

    Args:
        captions: A class, or a list of classes, per caption.
        foils: The same per foil; the two need not be equally long.

    Returns:
        0 for equal frequencies up to 1 for nothing in common; both exactly.

    Raises:
        ValueError: There is no class on one of the sides.
    """
    return histogram_distance(histogram(captions), histogram(foils))


def histogram_distance(captions: Counter[str], foils: Counter[str]) -> float:
    """The distance of `jensen_shannon` between two histograms.

    Raises:
        ValueError: One of the histograms is empty.
    """
    for side, counts in (("captions", captions), ("foils", foils)):
        if not counts.total():
            raise ValueError(f"the divergence is undefined: the {side} have no classes")
    if not captions.keys() & foils.keys():
        return 1.0
    classes = sorted(captions.keys() | foils.keys())
    # In whole numbers, because the square root would turn a rounding error into 1e-8.
    if all(captions[c] * foils.total() == foils[c] * captions.total() for c in classes):
        return 0.0
    from scipy.spatial.distance import jensenshannon

    distance = jensenshannon([captions[c] for c in classes], [foils[c] for c in classes], base=2)
    return min(1.0, float(distance))


def _flatten(classes: Iterable[Any]) -> Iterator[str]:
    for item in classes:
        if isinstance(item, list | tuple | set | frozenset):
            yield from _flatten(item)
        else:
            yield str(item)
