"""Only finished and unchanged builds become a release."""

import json
from pathlib import Path

import pytest

from pipeline.errors import InputError
from pipeline.releasing.builds import find_builds, read_build
from pipeline.releasing.tables import read_instances
from tests.releasing.small_builds import write_build


def test_a_build_gives_instances_rejects_and_refused_records(build: Path, instances) -> None:
    content = read_build(build)
    assert content.instances == instances[:3]
    assert [i.rejection for p in content.rejected for i in read_instances(p)] == [
        "duplicates: seen before"
    ]
    assert [path.parent.name for path in content.refused] == ["read"]


def test_builds_are_found_in_their_folder(build: Path, instances) -> None:
    other = write_build(build.parent / "a-second", instances, instrument="a-second")
    assert find_builds([build.parent]) == [other, build]
    assert find_builds([build]) == [build]


def test_an_unfinished_build_is_not_skipped(build: Path, tmp_path: Path) -> None:
    (build.parent / "counting" / "read").mkdir(parents=True)
    with pytest.raises(InputError, match="counting: is not a finished build"):
        find_builds([build.parent])
    with pytest.raises(InputError, match="there is no such folder"):
        find_builds([tmp_path / "nothing"])
    with pytest.raises(InputError, match="is not a finished build"):
        read_build(build.parent / "counting")


def test_a_changed_file_is_refused(build: Path) -> None:
    part = build / "filter" / "part-00000.parquet"
    part.write_bytes(part.read_bytes() + b"x")
    with pytest.raises(InputError, match="is not the file that the build wrote"):
        read_build(build)


def test_a_stage_that_went_on_after_the_record_is_refused(build: Path) -> None:
    path = build / "filter" / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"entered": 99}))
    with pytest.raises(InputError, match=r"does not agree with build\.json"):
        read_build(build)
    path.unlink()
    with pytest.raises(InputError, match="the stage is not complete"):
        read_build(build)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"instrument": "../up"}, "field 'instrument' is wrong"),
        ({"format": 2}, "field 'format' is wrong"),
        ({"surprise": 1}, "field 'surprise' is wrong"),
        ({"stages": []}, "names no stage"),
        ({"stages": ["../read"]}, "field 'stages.0' is wrong"),
    ],
)
def test_a_broken_record_is_refused(build: Path, change: dict, message: str) -> None:
    path = build / "build.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(InputError, match=message):
        read_build(build)


def test_half_a_record_and_an_empty_build_are_refused(
    build: Path, tmp_path: Path, instances
) -> None:
    (build / "build.json").write_text('{"format": 1')
    with pytest.raises(InputError, match="is not whole JSON"):
        read_build(build)
    with pytest.raises(InputError, match="no instance is left to release"):
        read_build(write_build(tmp_path / "empty", []))
