"""Stage folders: complete or not, resumed by shard, and never mistaken for one another."""

import json

import pyarrow as pa
import pytest

from pipeline.errors import InputError
from pipeline.store import StageFolder, code_fingerprint, fingerprint, parts, read_rows
from pipeline.workers import run_shards

KEPT = pa.table({"n": [1, 2]})
NONE = pa.table({"n": pa.array([], pa.int64())})


def write_numbers(stage: StageFolder, index: int, number: int) -> None:
    if number < 0:
        raise RuntimeError("stopped")
    stage.write_shard(index, pa.table({"n": [number]}), NONE, entered=2, dropped={"odd": 1})


def run(stage, numbers, workers=1, progress=lambda done, total: None):
    return run_shards(
        stage, write_numbers, [(n,) for n in numbers], workers=workers, progress=progress
    )


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_finished_stage_is_found_again(tmp_path):
    stage = StageFolder(tmp_path / "stage", "a" * 32)
    assert stage.result() is None
    result = run(stage, [1, 2, 3])
    assert (result.entered, result.kept, result.dropped) == (6, 3, {"odd": 3})
    assert stage.result() == result
    assert read_rows(parts(stage.path))["n"].to_pylist() == [1, 2, 3]


def test_another_fingerprint_does_not_find_it_and_starts_afresh(tmp_path):
    run(StageFolder(tmp_path, "a" * 32), [1, 2, 3])
    other = StageFolder(tmp_path, "b" * 32)
    assert other.result() is None
    assert run(other, [7]).kept == 1
    assert read_rows(parts(tmp_path))["n"].to_pylist() == [7]


def test_a_changed_or_missing_file_makes_it_incomplete(tmp_path):
    stage = StageFolder(tmp_path, "a" * 32)
    run(stage, [1, 2])
    (tmp_path / "part-00001.parquet").write_bytes(b"changed")
    assert stage.result() is None
    run(stage, [1, 2])
    assert stage.result() is not None
    (tmp_path / "rejects-00000.parquet").unlink()
    assert stage.result() is None


def test_a_stopped_stage_goes_on_with_what_is_missing_and_ends_with_the_same_bytes(tmp_path):
    whole = StageFolder(tmp_path / "whole", "a" * 32)
    run(whole, [1, 2, 3])
    stopped = StageFolder(tmp_path / "stopped", "a" * 32)
    with pytest.raises(RuntimeError, match="stopped"):
        run(stopped, [1, -1, 3])
    (stopped.path / "part-00002.parquet.partial").write_bytes(b"half")
    done = []
    run(stopped, [1, 2, 3], progress=lambda *counts: done.append(counts))
    assert done[0] == (1, 3)
    assert files(whole.path) == files(stopped.path)


def test_the_number_of_workers_changes_no_byte(tmp_path):
    one, two = StageFolder(tmp_path / "1", "a" * 32), StageFolder(tmp_path / "2", "a" * 32)
    run(one, [1, 2, 3])
    run(two, [1, 2, 3], workers=2)
    assert files(one.path) == files(two.path)


def test_a_folder_with_a_strangers_file_is_left_alone(tmp_path):
    (tmp_path / "thesis.docx").write_text("mine")
    with pytest.raises(InputError, match=r"thesis\.docx.*not part of a build"):
        StageFolder(tmp_path, "a" * 32).begin()
    assert (tmp_path / "thesis.docx").read_text() == "mine"


def test_a_half_written_manifest_counts_as_not_done(tmp_path):
    stage = StageFolder(tmp_path, "a" * 32)
    run(stage, [1])
    (tmp_path / "manifest.json").write_text(json.dumps({"fingerprint": "a" * 32})[:-4])
    assert stage.result() is None


def test_fingerprints_follow_content_not_the_order_of_keys():
    assert fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1})
    assert fingerprint({"a": 1}) != fingerprint({"a": 2})
    assert code_fingerprint("pipeline.store") != code_fingerprint("pipeline.instance")
    assert code_fingerprint("pipeline.sources") == code_fingerprint("pipeline.sources")
