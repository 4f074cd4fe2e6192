"""Whatever is wrong with what a user gives: one line that says what and where, and exit code 2."""

import json
import shutil
import sys

import pytest

from flows import cli
from pipeline import DATA
from pipeline.store import read_rows

IMAGES = DATA / "sample" / "images"
MINI_CLIP = DATA / "models" / "mini_clip"


@pytest.fixture
def foils(monkeypatch, capsys):
    """Run a command; gives its exit code and the lines of its error stream that `foils` wrote."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["foils", *map(str, arguments)])
        code = 0
        try:
            cli.main()
        except SystemExit as stop:
            code = stop.code or 0
        lines = capsys.readouterr().err.splitlines()
        return code, [line for line in lines if line.startswith("foils: ")]

    return run


@pytest.fixture
def content(small_source):
    """The small source's JSON, to be broken."""
    return json.loads(small_source.read_text())


def build(source, out, *options):
    return ("build", "existence", "--source", source, "--out", out, "--workers", 1, *options)


def whole(content):
    return json.dumps(content)


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (lambda content: whole(content)[: len(whole(content)) // 2], "JSON that breaks off"),
        (lambda content: "", "JSON"),
        (lambda content: whole({"dataset": "coco", "images": []}), "telling"),
        (lambda content: whole([1, 2]), "dataset.json"),
        (lambda content: whole({"info": {}, "annotations": []}), "telling"),
        (lambda content: whole(content | {"images": []}), "holds no usable record"),
    ],
    ids=["half", "empty", "another data set", "a list", "COCO", "no images"],
)
def test_a_source_file_that_cannot_be_used(write, message, content, foils, tmp_path):
    source = tmp_path / "dataset.json"
    source.write_text(write(content))
    code, (line,) = foils(*build(source, tmp_path / "out"))
    assert code == 2
    assert str(source) in line
    assert message in line


def test_a_missing_source_file(foils, tmp_path):
    code, (line,) = foils(*build(tmp_path / "none.json", tmp_path / "out"))
    assert code == 2
    assert line.startswith(f"foils: {tmp_path / 'none.json'}: there is no such file")


def test_a_missing_image_folder(foils, small_source, tmp_path):
    code, (line,) = foils(*build(small_source, tmp_path / "out", "--images", tmp_path / "none"))
    assert code == 2
    assert "there is no such folder" in line


def test_bad_records_and_images_are_left_out_with_place_and_reason(content, foils, tmp_path):
    images = tmp_path / "images"
    shutil.copytree(IMAGES, images)
    first, second, third, fourth = content["images"][:4]
    del first["qa_pairs"][0]["answer"]
    (images / second["filename"]).unlink()
    path = images / third["filename"]
    path.write_bytes(path.read_bytes()[:2000])
    (tmp_path / "secret.jpg").write_bytes((images / fourth["filename"]).read_bytes())
    fourth["filename"] = "../secret.jpg"
    source = tmp_path / "dataset.json"
    source.write_text(whole(content))
    code, lines = foils(*build(source, tmp_path / "out", "--images", images))
    assert code == 0
    stages = tmp_path / "out" / "existence"
    files = [f for stage in ("read", "foil") for f in (stages / stage).glob("rejects-*.parquet")]
    rejects = read_rows(files).to_pylist()
    told = {f"{r['reason']}: {r['detail']}" for r in rejects}
    for wanted in ("no answer: images[0].qa_pairs[0]", "there is no such image", "truncated"):
        assert any(wanted in reason for reason in told), (wanted, told)
    assert any("secret.jpg" in f"{r['text']} {r['detail']}" for r in rejects)
    kept = read_rows(sorted((stages / "balance").glob("part-*.parquet")))
    unusable = {second["filename"], third["filename"], fourth["filename"]}
    assert not unusable & set(kept["image_file"].to_pylist())
    assert any("left out: image cannot be used; see" in line for line in lines)


def test_a_folder_of_other_images(foils, small_source, tmp_path):
    (tmp_path / "images").mkdir()
    command = build(small_source, tmp_path / "out", "--images", tmp_path / "images")
    code, (line,) = foils(*command)
    assert code == 2
    assert "image cannot be used" in line
    assert foils(*command) == (2, [line])


def test_a_checkpoint_that_lacks_a_weight(foils, small_source, tmp_path):
    from safetensors.torch import load_file, save_file

    assert foils(*build(small_source, tmp_path / "out"))[0] == 0
    assert foils("release", tmp_path / "out", "--to", tmp_path / "release")[0] == 0
    checkpoint = tmp_path / "checkpoint"
    shutil.copytree(MINI_CLIP, checkpoint)
    weights = load_file(checkpoint / "model.safetensors")
    del weights["visual_projection.weight"]
    save_file(weights, checkpoint / "model.safetensors", metadata={"format": "pt"})
    code, (line,) = foils("evaluate", tmp_path / "release", "--model", checkpoint)
    assert code == 2
    assert str(checkpoint) in line
    assert "visual_projection.weight" in line
