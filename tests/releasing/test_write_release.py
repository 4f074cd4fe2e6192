"""A release is whole or absent, opens with `datasets`, and replaces nothing but a release."""

import hashlib
import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pipeline.errors import InputError
from pipeline.instance import SCHEMA
from pipeline.releasing import write
from pipeline.releasing.read import Release, open_release
from pipeline.releasing.tables import release_schema
from pipeline.releasing.verify import verify_release
from pipeline.releasing.write import write_release
from tests.releasing.small_builds import make_instance, write_build


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def load(monkeypatch, tmp_path: Path):
    """`datasets.load_dataset` without network, with a cache of its own."""
    datasets = pytest.importorskip("datasets")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)

    def load_dataset(*arguments, **options):
        return datasets.load_dataset(
            *arguments, split="test", cache_dir=str(tmp_path / "cache"), **options
        )

    return load_dataset


def test_the_folder_holds_all_that_the_manifest_lists(release: Release) -> None:
    assert sorted(contents(release.path)) == [
        "README.md",
        "existence/test-00000-of-00001.parquet",
        "figures/existence.png",
        "figures/existence.svg",
        "figures/existence.words.png",
        "figures/existence.words.svg",
        "manifest.json",
        "rejected/existence/instances.parquet",
        "rejected/existence/sources.parquet",
    ]
    manifest = json.loads((release.path / "manifest.json").read_text())
    for name, entry in manifest["files"].items():
        content = (release.path / name).read_bytes()
        assert entry == {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    assert len(manifest["files"]) == 8


def test_a_reader_gets_the_instances_back(release: Release, instances) -> None:
    opened = open_release(release.path)
    assert opened.instruments == ("existence",)
    assert opened.instances("existence") == instances[:3]
    assert opened.image_bytes("existence") is None
    with pytest.raises(InputError, match="Did you mean existence"):
        opened.instances("existance")
    sources = pq.read_table(release.path / "rejected/existence/sources.parquet").to_pylist()
    assert [(row["id"], row["reason"]) for row in sources] == [("7", "vague answer")]


def test_the_same_builds_give_the_same_bytes(build: Path, tmp_path: Path, pictures: Path) -> None:
    shutil.copytree(build, tmp_path / "elsewhere" / "copy")
    one = write_release([build], tmp_path / "one", embed_images=pictures)
    two = write_release([tmp_path / "elsewhere" / "copy"], tmp_path / "two", embed_images=pictures)
    assert contents(one.path) == contents(two.path)


def test_nothing_names_this_machine(release: Release, tmp_path: Path) -> None:
    for name in ("manifest.json", "README.md"):
        assert str(tmp_path) not in (release.path / name).read_text()


def test_datasets_opens_it_with_and_without_streaming(
    build: Path, instances, tmp_path: Path, load
) -> None:
    second = [make_instance(n, "There is no cat.", "There is a cat.", "cats") for n in range(2)]
    other = write_build(tmp_path / "cats", second, instrument="cats")
    release = write_release([build, other], tmp_path / "release")
    pairs = load(str(release.path), "existence")
    assert pairs["caption"][:] == [instance.caption for instance in instances[:3]]
    assert pairs[0]["edit"]["classes"] == ["0"]
    assert pairs[0]["votes"] is None
    streamed = list(load(str(release.path), "cats", streaming=True))
    assert [row["id"] for row in streamed] == [instance.id for instance in second]
    assert len(load(str(release.path))) == 3  # the first instrument is the default


def test_datasets_opens_embedded_pictures(
    build: Path, pictures: Path, instances, tmp_path: Path, load
) -> None:
    release = write_release([build], tmp_path / "release", embed_images=pictures)
    file = pictures / instances[0].image.file_name
    assert load(str(release.path), "existence")[0]["image"].size == (8, 6)
    assert next(iter(load(str(release.path), streaming=True)))["image"].size == (8, 6)
    assert release.image_bytes("existence")[file.name] == file.read_bytes()
    assert open_release(release.path).instances("existence") == instances[:3]


def test_pictures_are_added_as_the_card_says(release: Release, pictures: Path, load) -> None:
    from datasets import Image

    pairs = load(str(release.path), "existence")
    files = [f"{pictures}/{name}" for name in pairs["image_file"]]
    pairs = pairs.add_column("image", files).cast_column("image", Image())
    assert pairs[2]["image"].size == (8, 6)
    assert '.add_column("image", files)' in (release.path / "README.md").read_text()


@pytest.mark.parametrize("images", [False, True])
def test_the_feature_types_are_those_that_datasets_would_write(images: bool) -> None:
    from datasets import Features, Image

    features = Features.from_arrow_schema(SCHEMA)
    expected = Features({**features, "image": Image()}) if images else features
    ours = release_schema(images=images)
    assert Features.from_arrow_schema(ours) == expected
    assert ours.metadata == expected.arrow_schema.metadata
    assert ours.types == expected.arrow_schema.types


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("v7w_1.jpg", None, "no such image"),
        ("v7w_1.jpg", b"\xff\xd8\xff\xe0 broken", "not an image|damaged"),
    ],
)
def test_a_missing_or_damaged_picture_stops_it(
    name: str, content: bytes | None, message: str, build: Path, pictures: Path, tmp_path: Path
) -> None:
    (pictures / name).unlink()
    if content:
        (pictures / name).write_bytes(content)
    with pytest.raises(InputError, match=message):
        write_release([build], tmp_path / "release", embed_images=pictures)
    assert not list(tmp_path.glob("*release*"))


def test_a_picture_outside_its_folder_stops_it(tmp_path: Path, pictures: Path, changed) -> None:
    from pipeline.instance import ImageRef

    instance = make_instance(1, "There is no cat.", "There is a cat.")
    outside = changed(instance, image=ImageRef("visual7w", "../secret.jpg", "test"))
    build = write_build(tmp_path / "build", [outside])
    with pytest.raises(InputError, match="climbs out of its folder"):
        write_release([build], tmp_path / "release", embed_images=pictures)


def test_what_is_no_release_is_never_replaced(build: Path, tmp_path: Path, release) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("mine")
    for overwrite, message in ((False, "is not empty"), (True, "is not a release")):
        with pytest.raises(InputError, match=message):
            write_release([build], tmp_path / "thesis", overwrite=overwrite)
    assert (tmp_path / "thesis" / "chapter.txt").read_text() == "mine"
    (release.path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"holds 'notes.txt', which is not part of a release"):
        write_release([build], release.path, overwrite=True)
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="is a file"):
        write_release([build], tmp_path / "file")


def test_a_release_is_replaced_only_if_wanted(release: Release, instances, tmp_path: Path) -> None:
    smaller = write_build(tmp_path / "smaller", instances[:1])
    with pytest.raises(InputError, match="is not empty"):
        write_release([smaller], release.path)
    assert len(release.instances("existence")) == 3
    write_release([smaller], release.path, overwrite=True)
    assert len(open_release(release.path).instances("existence")) == 1
    assert verify_release(release.path) == []
    assert not list(tmp_path.glob(".release*"))


def test_an_error_in_the_middle_leaves_the_old_release(
    release: Release, build: Path, monkeypatch
) -> None:
    before = contents(release.path)

    def fail(*_arguments):
        raise RuntimeError("killed")

    monkeypatch.setattr(write, "render_card", fail)
    with pytest.raises(RuntimeError, match="killed"):
        write_release([build], release.path, overwrite=True)
    assert contents(release.path) == before
    assert not list(release.path.parent.glob(".release*"))


def test_what_a_killed_run_left_is_cleared_away(build: Path, tmp_path: Path) -> None:
    (tmp_path / ".release.0123abcd.partial" / "existence").mkdir(parents=True)
    (tmp_path / ".release.mine.partial").mkdir()
    write_release([build], tmp_path / "release")
    assert [path.name for path in tmp_path.glob(".release*")] == [".release.mine.partial"]


def test_an_empty_folder_may_be_the_target(build: Path, tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    assert write_release([build], tmp_path / "new").instruments == ("existence",)


def test_no_build_and_two_of_one_instrument_are_refused(build: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no build was given"):
        write_release([], tmp_path / "release")
    with pytest.raises(InputError, match="'existence' is given twice"):
        write_release([build, build], tmp_path / "release")


def test_what_is_no_release_is_not_opened(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such folder"):
        open_release(tmp_path / "nothing")
    with pytest.raises(InputError, match="is not a release"):
        open_release(tmp_path)
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(InputError, match="field 'tool_version' is wrong"):
        open_release(tmp_path)
