"""VALSE's files become a release and come out of it as they went in."""

import json
from pathlib import Path

import pytest

from pipeline.errors import InputError
from pipeline.releasing.valse_release import export_valse, import_valse
from pipeline.releasing.verify import verify_release
from tests.releasing.valse_records import COREFERENCE, COUNTING, EXISTENCE, written


@pytest.fixture
def published(tmp_path: Path) -> Path:
    folder = tmp_path / "published"
    folder.mkdir()
    written(folder / "existence.json", {"e1": EXISTENCE, "e2": EXISTENCE | {"dataset_idx": "13"}})
    same = COUNTING | {"foil": COUNTING["caption"], "dataset_idx": "2"}
    written(folder / "counting-hard.json", {"c1": COUNTING, "c2": same})
    return folder


def test_files_come_out_as_they_went_in(published: Path, tmp_path: Path) -> None:
    release = import_valse(published, tmp_path / "release")
    assert release.instruments == ("counting-balanced", "existence")
    files = export_valse(release.path, tmp_path / "out")
    assert [file.name for file in files] == ["counting-hard.json", "existence.json"]
    for file in files:
        assert file.read_bytes() == (published / file.name).read_bytes()


def test_an_import_is_a_sound_release_and_names_its_defects(
    published: Path, tmp_path: Path
) -> None:
    release = import_valse(published / "counting-hard.json", tmp_path / "release")
    assert verify_release(release.path) == []
    card = (release.path / "README.md").read_text()
    assert "The pairs are those that VALSE" in card
    assert "Imported from counting-hard.json as it was published." in card
    assert "Pairs whose caption and foil are the same text: 1." in card
    assert "| valid pairs (at least two for the caption) | 2 |" in card
    assert release.manifest.instruments[0].sources == ["valse", "visual7w"]


def test_a_file_of_several_instruments_becomes_several(tmp_path: Path) -> None:
    file = written(tmp_path / "all.json", {"a": EXISTENCE, "b": COREFERENCE, "c": COUNTING})
    release = import_valse(file, tmp_path / "release")
    assert set(release.instruments) == {"existence", "coreference-hard", "counting-adversarial"}


def test_nothing_is_overwritten_unless_wanted(published: Path, tmp_path: Path) -> None:
    release = import_valse(published / "existence.json", tmp_path / "release")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "existence.json").write_text("mine")
    with pytest.raises(InputError, match="is there already"):
        export_valse(release.path, tmp_path / "out")
    export_valse(release.path, tmp_path / "out", overwrite=True)
    assert json.loads((tmp_path / "out" / "existence.json").read_text())["e1"] == EXISTENCE


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    with pytest.raises(InputError, match=r"holds no \*\.json file"):
        import_valse(tmp_path / "nothing", tmp_path / "release")
