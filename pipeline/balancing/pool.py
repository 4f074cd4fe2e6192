"""The pool: which candidates a draw looks at, so that its memory does not grow with the corpus."""

from collections.abc import Iterable

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.store import digest

_COLUMNS = ["source", "edit"]


class Pool:
    """At most `limit` source records, rare classes first.

    Records are ranked among those with the same classes of caption and foil by a hash of their id
    and the seed; the first of all classes come before the second of any. So what is drawn from the
    pool is spread over all classes, and does not depend on the order of the records.
    """

    def __init__(self, parts: Iterable, limit: int, seed: int) -> None:
        """Look at the classes and ids of all candidates in Parquet files of instances."""
        self._seed = seed
        hashes, classes = [np.empty(0, np.uint64)], [np.empty(0, np.uint64)]
        for part in parts:
            keys, kinds = self._keys(pq.read_table(part, columns=_COLUMNS))
            hashes.append(keys)
            classes.append(kinds)
        # A record counts with the classes of its first candidate.
        keys, first = np.unique(np.concatenate(hashes), return_index=True)
        kinds = np.concatenate(classes)[first]
        self._members = keys if len(keys) <= limit else _spread(keys, kinds, limit)

    def holds(self, candidates: pa.Table) -> pa.Array:
        """Whether each candidate's record is in the pool (rows,)."""
        keys, _ = self._keys(candidates.select(_COLUMNS))
        return pa.array(np.isin(keys, self._members))

    def _keys(self, table: pa.Table) -> tuple[np.ndarray, np.ndarray]:
        """A hash of each row's record, and one of its classes (rows,), uint64."""
        sources, edits = (table[name].to_pylist() for name in _COLUMNS)
        keys = [digest(repr((self._seed, source["dataset"], source["id"]))) for source in sources]
        kinds = [digest(repr((edit["classes"], edit["classes_foil"]))) for edit in edits]
        return np.array(keys, np.uint64), np.array(kinds, np.uint64)


def _spread(keys: np.ndarray, kinds: np.ndarray, limit: int) -> np.ndarray:
    """The keys that are first among those of their kind, then the second, up to the limit."""
    order = np.lexsort((keys, kinds))
    sorted_kinds = kinds[order]
    starts = np.flatnonzero(np.r_[True, sorted_kinds[1:] != sorted_kinds[:-1]])
    ranks = np.arange(len(order)) - np.repeat(starts, np.diff(np.r_[starts, len(order)]))
    return keys[order][np.lexsort((keys[order], ranks))[:limit]]
