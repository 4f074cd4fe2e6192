"""Scores of every pair are kept, broken images fail their own pairs, figures follow from scores."""

import json
import logging
from dataclasses import replace

import numpy as np
import pyarrow.parquet as pq
import pytest
from PIL import Image

from pipeline.errors import InputError
from pipeline.evaluating.images import embedded_images, images_in
from pipeline.evaluating.runner import (
    SCORE_SCHEMA,
    evaluate,
    evaluate_instances,
    instrument_metrics,
    write_results,
)
from pipeline.evaluating.scorers import Scores, open_scorer
from pipeline.evaluating.table import HEADER, metric_table, table_rows
from pipeline.instance import ImageRef
from pipeline.metrics import FIGURES


class _TextLength:
    """Prefers longer texts, and fails on the images it is told to."""

    name, fingerprint, gives_probabilities, settings = "length", "f", False, {}

    def __init__(self, without_number=()):
        self.without_number = without_number

    def score(self, matches, read, progress=None):
        values = np.array([float(len(matches.texts[text])) for text in matches.text_index])
        for place, image in enumerate(matches.images):
            if image.file_name in self.without_number:
                values[matches.image_index == place] = np.nan
        return Scores(values)


def _broken(pairs, folder):
    """The pairs with an image that is missing, cut or outside in three of them."""
    whole = (folder / "0.jpg").read_bytes()
    (folder / "cut.jpg").write_bytes(whole[: len(whole) // 2])
    names = {3: "none.jpg", 5: "cut.jpg", 8: "../outside.jpg"}
    return [
        replace(pair, image=ImageRef("drawn", names.get(place, pair.image.file_name), "test"))
        for place, pair in enumerate(pairs)
    ]


def test_rows_keep_the_order_and_hold_the_scores_of_their_own_texts(pairs):
    table = evaluate_instances(pairs, _TextLength(), None)
    assert table.schema == SCORE_SCHEMA
    rows = table.to_pylist()
    assert [row["id"] for row in rows] == [pair.id for pair in pairs]
    for row, pair in zip(rows, pairs, strict=True):
        assert (row["instrument"], row["image_file"]) == (pair.instrument, pair.image.file_name)
        assert (row["caption_score"], row["foil_score"]) == (len(pair.caption), len(pair.foil))
        assert row["caption_probability"] is row["foil_probability"] is row["error"] is None


def test_metrics_are_those_of_the_rows_of_each_instrument(pairs):
    metrics = instrument_metrics(evaluate_instances(pairs, _TextLength(), None))
    assert list(metrics) == ["existence", "counting"]
    for instrument, figures in metrics.items():
        own = [pair for pair in pairs if pair.instrument == instrument]
        wins = sum(len(pair.caption) > len(pair.foil) for pair in own)
        ties = sum(len(pair.caption) == len(pair.foil) for pair in own)
        assert figures["acc_r"] == wins / len(own)
        assert figures["tie_rate"] == ties / len(own)
        assert figures["acc"] is None
        assert figures["n_images"] == len({pair.image for pair in own})
        assert figures["intervals"]["acc_r"] is not None


def test_controls_tie_always_or_guess(pairs):
    constant = evaluate(pairs, open_scorer("constant"), None).metrics["existence"]
    assert (constant["acc_r"], constant["acc_r_half_credit"], constant["tie_rate"]) == (0, 0.5, 1)
    assert (constant["p_c"], constant["p_f"], constant["acc"]) == (0, 1, 0.5)
    random = evaluate(pairs, open_scorer("random"), None).metrics["existence"]
    assert random["tie_rate"] == 0
    assert random["acc"] is not None


def test_broken_images_fail_their_own_pairs_and_are_said_once(pairs, pictures, checkpoint, caplog):
    scorer = open_scorer(str(checkpoint))
    with caplog.at_level(logging.WARNING):
        evaluation = evaluate(_broken(pairs, pictures), scorer, images_in(pictures))
    rows = evaluation.table.to_pylist()
    assert [place for place, row in enumerate(rows) if row["error"]] == [3, 5, 8]
    assert rows[3]["error"] == "there is no such image"
    assert "damaged or incomplete" in rows[5]["error"]
    assert rows[8]["error"] == "the image's path climbs out of its folder"
    assert all((row["caption_score"] is None) == bool(row["error"]) for row in rows)
    assert [evaluation.metrics[name]["n_failed"] for name in ("existence", "counting")] == [1, 2]
    assert [evaluation.metrics[name]["n"] for name in ("existence", "counting")] == [9, 8]
    assert [record.getMessage() for record in caplog.records] == [
        "tiny: 3 of 20 pairs could not be scored; the first: there is no such image"
    ]
    assert evaluation.scores[pairs[3].id] == (None, None)


def test_a_score_that_is_no_number_fails_its_pair(pairs):
    table = evaluate_instances(pairs, _TextLength(without_number=["2.jpg"]), None)
    errors = dict(zip(table["image_file"].to_pylist(), table["error"].to_pylist(), strict=True))
    assert errors["2.jpg"] == "the model gave no number"
    assert errors["1.jpg"] is None


def test_an_instrument_whose_pairs_all_failed_has_no_figures(pairs):
    lost = [replace(pair, image=ImageRef("drawn", "x.jpg")) for pair in pairs[::2]]
    table = evaluate_instances([*lost, *pairs[1::2]], _TextLength(["x.jpg"]), None)
    figures = instrument_metrics(table)["existence"]
    assert (figures["n"], figures["n_failed"], figures["acc_r"]) == (0, 10, None)


def test_nothing_scored_at_all_stops_the_run(pairs, checkpoint, tmp_path):
    with pytest.raises(InputError, match=r"none of the 20 pairs could be scored.*no such image"):
        evaluate_instances(pairs, open_scorer(str(checkpoint)), images_in(tmp_path))
    with pytest.raises(InputError, match="no pairs to score"):
        evaluate_instances([], open_scorer("constant"), images_in(tmp_path))
    with pytest.raises(InputError, match="no image folder here"):
        images_in(tmp_path / "none")


def test_embedded_images_score_as_their_files(pairs, pictures, checkpoint):
    scorer = open_scorer(str(checkpoint))
    contents = {path.name: path.read_bytes() for path in pictures.glob("*.jpg")}
    from_files = evaluate_instances(pairs, scorer, images_in(pictures))
    assert evaluate_instances(pairs, scorer, embedded_images(contents)).equals(from_files)
    del contents["0.jpg"]
    table = evaluate_instances(pairs, scorer, embedded_images(contents))
    assert table["error"].to_pylist()[0] == "the release does not carry this image"


def test_images_of_two_data_sets_are_kept_apart(pairs, pictures, checkpoint, tmp_path):
    Image.new("RGB", (40, 40), "red").save(tmp_path / "0.jpg")
    other = replace(pairs[0], image=ImageRef("other", "0.jpg"))
    folders = {"drawn": images_in(pictures), "other": images_in(tmp_path)}

    def read(image):
        return folders[image.dataset](image)

    table = evaluate_instances([pairs[0], other], open_scorer(str(checkpoint)), read)
    assert len(set(table["caption_score"].to_pylist())) == 2


def test_results_are_written_whole_and_the_same_each_time(pairs, pictures, checkpoint, tmp_path):
    scorer = open_scorer(str(checkpoint))
    evaluation = evaluate(pairs, scorer, images_in(pictures))
    for folder in ("first", "second"):
        write_results(tmp_path / folder / "deep", evaluation)
    files = sorted(path.name for path in (tmp_path / "first" / "deep").iterdir())
    assert files == ["metrics.json", "scores.parquet"]
    for name in files:
        first, second = (tmp_path / folder / "deep" / name for folder in ("first", "second"))
        assert first.read_bytes() == second.read_bytes()
    assert pq.read_table(tmp_path / "first" / "deep" / "scores.parquet").equals(evaluation.table)
    kept = json.loads((tmp_path / "first" / "deep" / "metrics.json").read_text())
    assert (kept["model"], kept["checkpoint"]) == ("tiny", scorer.fingerprint)
    assert kept["settings"] == {"precision": "fp32", "device": "cpu"}
    assert set(FIGURES) | {"n", "n_failed", "n_images", "intervals"} == set(
        kept["instruments"]["existence"]
    )


def test_the_table_has_a_row_for_each_instrument_and_model(pairs):
    evaluations = [evaluate(pairs, open_scorer(name), None) for name in ("random", "constant")]
    evaluations.append(evaluate(pairs, _TextLength(), None))
    rows = table_rows(evaluations)
    assert [row[:2] for row in rows] == [
        (instrument, model)
        for instrument in ("existence", "counting")
        for model in ("random", "constant", "length")
    ]
    assert all(len(row) == len(HEADER) for row in rows)
    cells = dict(zip(HEADER, rows[1], strict=True))
    assert (cells["n"], cells["failed"]) == ("10", "0")
    assert cells["acc_r"] == "0.0 [0.0, 0.0]"
    assert (cells["ties"], cells["acc"], cells["AUROC"]) == ("100.0", "50.0", "50.0")
    assert dict(zip(HEADER, rows[2], strict=True))["acc"] == "–"
    instruments = {row[0] for row in rows}
    assert metric_table(evaluations).row_count == len(rows) + len(instruments)
