"""The main job from source file to report, through the command line."""

import json
from itertools import pairwise

import pytest
from typer.testing import CliRunner

from flows import cli
from pipeline import DATA
from pipeline.releasing.read import open_release
from pipeline.store import parts, read_rows
from tests.flows.folders import bytes_below

IMAGES = DATA / "sample" / "images"


def foils(*arguments) -> str:
    result = CliRunner().invoke(cli.app, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture(scope="module")
def job(small_source, tmp_path_factory):
    """Builds, release, scores and report of two instruments."""
    folder = tmp_path_factory.mktemp("job")
    for instrument in ("existence", "counting-small"):
        foils(
            *("build", instrument, "--source", small_source, "--images", IMAGES),
            *("--out", folder / "builds", "--workers", 1),
        )
    foils("release", folder / "builds", "--to", folder / "release", "--embed-images", IMAGES)
    foils("evaluate", folder / "release", "--model", "mini-clip", "--model", "random")
    foils("report", folder / "release", "--to", folder / "report.html")
    return folder


def test_the_release_holds_what_the_builds_kept_and_verifies(job):
    release = open_release(job / "release")
    assert release.instruments == ("counting-small", "existence")
    for name in release.instruments:
        kept = read_rows(parts(job / "builds" / name / "balance"))
        assert [i.id for i in release.instances(name)] == kept["id"].to_pylist()
        assert len(kept) > 20
    assert "all figures, checksums and invariants hold" in foils("release", "verify", release.path)


def test_every_step_accounts_for_every_record(job):
    for build in (job / "builds").iterdir():
        funnel = json.loads((build / "build.json").read_text())["funnel"]
        for before, after in pairwise(funnel):
            assert after["entered"] == before["kept"]
        for step in funnel:
            rejects = read_rows(sorted((build / step["stage"]).glob("rejects-*.parquet")))
            assert sum(step["dropped"].values()) == len(rejects)
            if step["stage"] != "foil":
                assert step["kept"] + len(rejects) == step["entered"]


def test_datasets_loads_the_release(job):
    from datasets import load_dataset

    pairs = load_dataset(str(job / "release"), "existence", split="test")
    assert pairs[0]["caption"] != pairs[0]["foil"]
    assert pairs[0]["image"].size == (224, 224)
    streamed = load_dataset(str(job / "release"), "existence", split="test", streaming=True)
    assert next(iter(streamed))["id"] == pairs[0]["id"]


def test_every_pair_has_scores_and_the_report_shows_them(job):
    for model in ("mini-clip", "random"):
        folder = job / "release-scores" / model
        metrics = json.loads((folder / "metrics.json").read_text())["instruments"]
        assert metrics["existence"]["n_failed"] == 0
        scored = read_rows([folder / "scores.parquet"])
        assert len(scored) == sum(entry["n"] for entry in metrics.values())
    page = (job / "report.html").read_text()
    assert "mini-clip" in page
    assert page.count('src="data:image/jpeg;base64,') == 20
    assert "http" not in page.replace("http-equiv", "")


def test_running_again_does_nothing_and_changes_no_byte(job, small_source, monkeypatch):
    before = bytes_below(job / "builds")
    scores = bytes_below(job / "release-scores")
    monkeypatch.setattr("flows.build.foil_stage", None)
    monkeypatch.setattr("flows.evaluate.evaluate", None)
    foils(
        *("build", "existence", "--source", small_source, "--images", IMAGES),
        *("--out", job / "builds"),
    )
    foils("evaluate", job / "release", "--model", "mini-clip", "--model", "random")
    assert bytes_below(job / "builds") == before
    assert bytes_below(job / "release-scores") == scores


def test_the_number_of_workers_changes_no_byte(job, small_source, tmp_path, monkeypatch):
    monkeypatch.setattr("pipeline.sources.stage.SHARD", 40)
    for workers in (1, 2):
        foils(
            *("build", "existence", "--source", small_source, "--images", IMAGES),
            *("--out", tmp_path / str(workers), "--workers", workers),
        )
    assert bytes_below(tmp_path / "1") == bytes_below(tmp_path / "2")
    assert len(parts(tmp_path / "1" / "existence" / "foil")) > 2
