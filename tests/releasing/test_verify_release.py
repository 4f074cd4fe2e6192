"""Whatever is tampered with in a release, verifying it says so."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.errors import InputError
from pipeline.instance import SCHEMA, ImageRef, Instance, SourceRef, Verdict, Votes, find_edit
from pipeline.releasing.read import Release
from pipeline.releasing.tables import write_instances
from pipeline.releasing.verify import Finding, verify_release
from pipeline.releasing.write import write_release
from pipeline.store import file_checksum
from tests.releasing.small_builds import make_instance, write_build

DATA = "existence/test-00000-of-00001.parquet"


def change_manifest(release: Release, change: Callable[[dict], Any]) -> None:
    path = release.path / "manifest.json"
    manifest = json.loads(path.read_text())
    change(manifest)
    path.write_text(json.dumps(manifest))


def sign_again(release: Release) -> None:
    """Enter the present files into the manifest, as somebody would who covers his traces."""

    def enter(manifest: dict) -> None:
        for name, entry in manifest["files"].items():
            path = release.path / name
            entry |= {"sha256": file_checksum(path), "bytes": path.stat().st_size}

    change_manifest(release, enter)


def findings(release: Release) -> str:
    return "\n".join(str(finding) for finding in verify_release(release.path))


def test_a_release_as_written_has_no_findings(release: Release) -> None:
    assert verify_release(release.path) == []


def test_so_has_one_with_pictures_and_votes(
    tmp_path: Path, instances: list[Instance], pictures: Path
) -> None:
    judged = [replace(i, votes=Votes(caption=3 - n, foil=n)) for n, i in enumerate(instances)]
    build = write_build(tmp_path / "build", judged)
    release = write_release([build], tmp_path / "release", embed_images=pictures)
    assert verify_release(release.path) == []
    assert release.manifest.instruments[0].votes.valid == 2


def test_what_is_no_release_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a release"):
        verify_release(tmp_path)
    with pytest.raises(InputError, match="there is no such folder"):
        verify_release(tmp_path / "nothing")


def test_a_finding_is_one_line() -> None:
    assert str(Finding("a.json", "field", "is wrong")) == "a.json: field: is wrong"
    assert str(Finding("a.json", "", "is missing")) == "a.json: is missing"


@pytest.mark.parametrize(
    ("tamper", "expected"),
    [
        (lambda p: (p / "figures/existence.png").unlink(), "figures/existence.png: is missing"),
        (
            lambda p: (p / "figures/existence.svg").write_text("<svg/>"),
            "figures/existence.svg: has 6 bytes, the manifest says",
        ),
        (
            lambda p: (p / "README.md").write_text(
                (p / "README.md").read_text().replace("| 0.286 |", "| 0.001 |", 1)
            ),
            "README.md: has another checksum than the manifest says",
        ),
        (lambda p: (p / "extra.txt").write_text("x"), "extra.txt: is not in the manifest"),
        (
            lambda p: (p / "link").symlink_to("/etc/hostname"),
            "link: is not in the manifest",
        ),
        (lambda p: (p / "manifest.json").write_text("{"), "manifest.json: cannot be read"),
        (lambda p: (p / DATA).write_bytes(b"PAR1"), f"{DATA}: is not a whole Parquet file"),
        (
            lambda p: (p / "rejected/existence/sources.parquet").write_bytes(b""),
            "rejected/existence/sources.parquet: is not a whole Parquet file",
        ),
    ],
)
def test_tampered_files_are_found(
    tamper: Callable[[Path], Any], expected: str, release: Release
) -> None:
    tamper(release.path)
    assert expected in findings(release)


def test_files_of_a_hub_or_repository_do_not_matter(release: Release) -> None:
    (release.path / ".gitattributes").write_text("")
    (release.path / ".git").mkdir()
    (release.path / ".git" / "HEAD").write_text("")
    assert verify_release(release.path) == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            lambda m: m["instruments"][0]["statistics"].update(class_divergence=0.01),
            "manifest.json: existence.statistics.class_divergence: is 0.01, but the pairs give 0.2",
        ),
        (
            lambda m: m["instruments"][0]["statistics"]["caption_classes"].update({"1": 7}),
            "existence.statistics.caption_classes.1: is 7, but the pairs give 1",
        ),
        (
            lambda m: m["instruments"][0].update(count=4),
            "manifest.json: existence.count: is 4, but the pairs give 3",
        ),
        (
            lambda m: m["instruments"][0].update(
                votes={"judged": 3, "valid": 3, "unanimous": 3, "valid_class_divergence": 0.0}
            ),
            "manifest.json: existence.votes: is {",
        ),
        (
            lambda m: m["instruments"][0].update(rejected_instances=9),
            "rejected/existence/instances.parquet: has 1 rows, the manifest says 9",
        ),
        (
            lambda m: m["instruments"][0]["funnel"][1].update(kept=2),
            "existence.funnel.filter: kept 2, but there are 3 pairs",
        ),
        (
            lambda m: m["instruments"][0]["funnel"][0].update(kept=9),
            "existence.funnel.filter: 4 entered, but the step before kept 9",
        ),
        (
            lambda m: m["instruments"][0]["funnel"][0]["dropped"].update({"vague answer": 5}),
            "existence.funnel: vague answer: dropped 5, but 1 are in rejected/",
        ),
        (
            lambda m: m["instruments"][0]["recipe"]["filters"][0].update(min=0.1),
            "README.md: line",
        ),
        (lambda m: m["files"].pop(DATA), f"manifest.json: files.{DATA}: is not listed"),
        (
            lambda m: m["files"].update({"../up.txt": {"sha256": "0", "bytes": 1}}),
            "manifest.json: files.../up.txt: leads out of the release",
        ),
        (
            lambda m: m["files"].update({"/etc/hostname": {"sha256": "0", "bytes": 1}}),
            "manifest.json: files./etc/hostname: leads out of the release",
        ),
        (
            lambda m: m["instruments"][0].update(name="../up"),
            "manifest.json: field 'instruments.0.name' is wrong",
        ),
        (
            lambda m: m["instruments"].append(m["instruments"][0]),
            "manifest.json: instruments: one of them is listed twice",
        ),
        (
            lambda m: m["instruments"][0].update(images_embedded=True),
            f"{DATA}: columns: are not those that the manifest promises",
        ),
    ],
)
def test_a_tampered_manifest_is_found(
    change: Callable[[dict], Any], expected: str, release: Release
) -> None:
    change_manifest(release, change)
    assert expected in findings(release)


def test_a_figure_changed_on_the_card_is_found_even_if_signed(release: Release) -> None:
    card = release.path / "README.md"
    card.write_text(card.read_text().replace("divergence of classes | 0.286 |", "x | 0.001 |"))
    sign_again(release)
    (only,) = verify_release(release.path)
    assert only.file == "README.md"
    assert "0.001" in only.problem
    assert "the pairs give '| Jensen-Shannon divergence of classes | 0.286 |'" in only.problem


def _edited(instance: Instance, **fields: int) -> Instance:
    return replace(instance, edit=replace(instance.edit, **fields))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda i: replace(i, id="0" * 16), "has another id than its source, instrument and edit"),
        (lambda i: replace(i, caption=" "), "has no caption"),
        (lambda i: replace(i, foil=""), "has no foil"),
        (
            lambda i: replace(i, foil=i.caption, edit=find_edit(i.caption, i.caption)),
            "has the same text as caption and as foil",
        ),
        (lambda i: _edited(i, caption_end=999), "has an edit outside its texts"),
        (lambda i: _edited(i, caption_start=-1), "has an edit outside its texts"),
        (lambda i: replace(i, foil=i.foil + " Look!"), "differs outside its edit"),
        (lambda i: i.judged(Verdict("x", False, "bad")), "was rejected (x: bad)"),
        (lambda i: replace(i, instrument="other"), "is of the instrument 'other'"),
        (lambda i: replace(i, piece="other"), "is of the piece 'other'"),
        (
            lambda i: replace(i, image=ImageRef("coco", "../../secret.jpg")),
            "names an image outside its folder",
        ),
        (lambda i: replace(i, votes=Votes(caption=-1, foil=0)), "has a negative number of votes"),
        (
            lambda i: replace(i, source=SourceRef("coco", "val", "9", "other")),
            "has another id than its source",
        ),
    ],
)
def test_a_tampered_pair_is_found_even_if_signed(
    change: Callable[[Instance], Instance], expected: str, release: Release, instances
) -> None:
    broken = change(instances[0])
    write_instances(release.path / DATA, [broken, *instances[1:3]])
    sign_again(release)
    assert f"{DATA}: instance {broken.id}: {expected}" in findings(release)


def test_an_id_used_twice_and_a_missing_pair_are_found(release: Release, instances) -> None:
    write_instances(release.path / DATA, [instances[0], instances[0]])
    sign_again(release)
    found = findings(release)
    assert f"instance {instances[0].id}: occurs 2 times" in found
    assert "existence.count: is 3, but the pairs give 2" in found


def test_an_instance_that_nothing_rejected_is_found_among_the_rejects(release, instances) -> None:
    name = "rejected/existence/instances.parquet"
    write_instances(release.path / name, [instances[3]])
    sign_again(release)
    assert f"{name}: instance {instances[3].id}: was not rejected" in findings(release)


def test_other_columns_types_and_features_are_found(release: Release, instances) -> None:
    path = release.path / DATA
    table = pq.read_table(path)
    pq.write_table(table.drop_columns(["foil"]), path)
    assert f"{DATA}: has no column 'foil'" in findings(release)
    numbers = table.set_column(0, "id", pa.array([1, 2, 3]))
    pq.write_table(numbers, path)
    assert f"{DATA}: column 'id' is int64, not string" in findings(release)
    pq.write_table(table.append_column("extra", pa.array([1, 2, 3])), path)
    assert "columns: are not those that the manifest promises" in findings(release)
    pq.write_table(table.replace_schema_metadata(None), path)
    assert "columns: have other feature types" in findings(release)
    empty = table.to_pylist()
    empty[1]["edit"] = None
    pq.write_table(pa.Table.from_pylist(empty, schema=SCHEMA), path)
    assert f"{DATA}: has an empty field where none may be" in findings(release)


def test_a_damaged_embedded_picture_is_found(
    build: Path, pictures: Path, tmp_path: Path, instances
) -> None:
    release = write_release([build], tmp_path / "release", embed_images=pictures)
    whole = (pictures / instances[0].image.file_name).read_bytes()
    damaged = {instances[0].image.file_name: b"", instances[1].image.file_name: whole[:200]}
    write_instances(release.path / DATA, instances[:3], lambda name: damaged.get(name, whole))
    sign_again(release)
    first, second = verify_release(release.path)
    assert str(first) == f"{DATA}: instance {instances[0].id}: v7w_0.jpg: the image is missing"
    assert str(second).startswith(f"{DATA}: instance {instances[1].id}: v7w_1.jpg: the image is")


def test_classes_that_cannot_be_counted_are_found(tmp_path: Path, instances) -> None:
    build = write_build(tmp_path / "build", instances)
    change = json.loads((build / "build.json").read_text()) | {"piece": "counting"}
    (build / "build.json").write_text(json.dumps(change))
    release = write_release([build], tmp_path / "release")
    words = replace(instances[0].edit, classes=("many",))
    write_instances(release.path / DATA, [replace(instances[0], piece="counting", edit=words)])
    assert "cannot be compared as numbers" in findings(release)


def test_an_imported_pair_may_have_the_same_text_twice(release: Release) -> None:
    same = make_instance(1, "There is a boat.", "There is a boat.")
    write_instances(release.path / DATA, [replace(same, imported='{"key": "k"}')])
    assert "the same text" not in "\n".join(
        str(f) for f in verify_release(release.path) if f.file == DATA
    )
