from collections import Counter
from pathlib import Path

import pytest

from pipeline.balancing.pool import Pool
from pipeline.instance import Instance, to_table
from pipeline.store import write_parquet
from tests.balancing.candidates import candidates_of


@pytest.fixture
def candidates() -> list[Instance]:
    """Fifty records of a frequent swap, five of a rare one, three foils each."""
    return candidates_of([(1, [2, 3, 4])] * 50 + [(7, [8, 9, 5])] * 5)


def pooled(folder: Path, candidates: list[Instance], *, limit: int, shards: int = 1) -> list[str]:
    """Ids of the records whose candidates are in the pool, one for each candidate."""
    paths = []
    for number in range(shards):
        paths.append(folder / f"{shards}-{number}.parquet")
        write_parquet(paths[-1], to_table(candidates[number::shards]))
    table = to_table(candidates)
    inside = table.filter(Pool(paths, limit, seed=1).holds(table))
    return [source["id"] for source in inside["source"].to_pylist()]


def test_all_records_are_in_a_pool_that_is_large_enough(tmp_path, candidates):
    assert len(set(pooled(tmp_path, candidates, limit=55))) == 55


def test_a_record_comes_with_all_its_candidates(tmp_path, candidates):
    counts = Counter(pooled(tmp_path, candidates, limit=12))
    assert len(counts) == 12
    assert set(counts.values()) == {3}


def test_rare_classes_come_before_more_of_the_frequent_ones(tmp_path, candidates):
    rare = {i.source.id for i in candidates if i.edit.classes == ("7",)}
    assert rare <= set(pooled(tmp_path, candidates, limit=12))


def test_the_order_and_the_shards_do_not_matter(tmp_path, candidates):
    once = set(pooled(tmp_path, candidates, limit=12))
    backwards = candidates[::-1]
    assert set(pooled(tmp_path, backwards, limit=12)) == once


def test_there_may_be_no_candidate(tmp_path):
    assert pooled(tmp_path, [], limit=3) == []
