"""Which pairs must not be parted: those with an image or a text in common."""

from collections.abc import Hashable, Sequence

import numpy as np

from pipeline.filtering.wording import wording
from pipeline.instance import Instance


def related(instances: Sequence[Instance]) -> np.ndarray:
    """The number of the group of each pair (pairs,).

    Pairs are related that share an image or a text, be it caption or foil, by its wording; and
    so are pairs that others relate to each other.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    numbers: dict[Hashable, int] = {}
    rows, columns = [], []
    for row, instance in enumerate(instances):
        image = (instance.image.dataset, instance.image.file_name)
        for part in (image, wording(instance.caption), wording(instance.foil)):
            rows.append(row)
            columns.append(len(instances) + numbers.setdefault(part, len(numbers)))
    size = len(instances) + len(numbers)
    links = coo_array((np.ones(len(rows), dtype=np.int8), (rows, columns)), shape=(size, size))
    return connected_components(links, directed=False)[1][: len(instances)]
