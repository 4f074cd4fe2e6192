"""Score the pairs of a release with one model, measure, and keep both."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline.errors import InputError
from pipeline.evaluating.scorers import Matches, Progress, ReadImage, Scorer, Scores
from pipeline.evaluating.scorers.matching import report_nothing
from pipeline.instance import ImageRef, Instance
from pipeline.metrics import pair_metrics
from pipeline.releasing.manifest import data_file
from pipeline.releasing.read import Release
from pipeline.store import (
    code_fingerprint,
    file_checksum,
    fingerprint,
    write_json,
    write_parquet,
)

logger = logging.getLogger(__name__)

SCORES_FILE = "scores.parquet"
METRICS_FILE = "metrics.json"

SCORE_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("instrument", pa.string()),
        ("image_dataset", pa.string()),
        ("image_file", pa.string()),
        ("caption_score", pa.float64()),
        ("foil_score", pa.float64()),
        ("caption_probability", pa.float64()),
        ("foil_probability", pa.float64()),
        ("error", pa.string()),
    ]
)
"""One row a pair. Scores are null and `error` says why where a pair failed; probabilities are null
too where the model gives none."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What one model gave for the pairs of one or more instruments.

    Attributes:
        model: The scorer's name.
        checkpoint: The fingerprint of its checkpoint.
        settings: The settings that its answers depend on.
        table: A row a pair, in `SCORE_SCHEMA`, in the order of the instances.
        metrics: Instrument -> what `pair_metrics` gives, with intervals over images.
    """

    model: str
    checkpoint: str
    settings: Mapping[str, str | int]
    table: pa.Table
    metrics: Mapping[str, Mapping[str, Any]]

    @property
    def scores(self) -> dict[str, tuple[float | None, float | None]]:
        """Instance id -> the scores of caption and foil, None where scoring failed."""
        columns = (self.table[name].to_pylist() for name in ("id", "caption_score", "foil_score"))
        return {id_: (caption, foil) for id_, caption, foil in zip(*columns, strict=True)}


def evaluate(
    instances: Sequence[Instance],
    scorer: Scorer,
    read: ReadImage,
    progress: Progress = report_nothing,
) -> Evaluation:
    """Score pairs and measure each instrument; arguments and errors as `evaluate_instances`."""
    table = evaluate_instances(instances, scorer, read, progress)
    return Evaluation(
        model=scorer.name,
        checkpoint=scorer.fingerprint,
        settings=dict(scorer.settings),
        table=table,
        metrics=instrument_metrics(table),
    )


def evaluate_instances(
    instances: Sequence[Instance],
    scorer: Scorer,
    read: ReadImage,
    progress: Progress = report_nothing,
) -> pa.Table:
    """Score the caption and the foil of every instance.

    An image that cannot be used fails its own pairs: they keep their row, with the reason.

    Args:
        instances: In any order, of any instruments; the rows keep the order.
        scorer: The model or control.
        read: Gives an image, or raises `InputError`; called from several threads at once.
        progress: Told how far the encoding is.

    Returns:
        A table in `SCORE_SCHEMA`.

    Raises:
        InputError: There are no instances, or no pair could be scored at all.
    """
    if not instances:
        raise InputError("there are no pairs to score")
    matches = _matches(instances)
    scores = scorer.score(matches, read, progress)
    errors = _errors(matches, scores)
    _report_failures(errors, scorer.name)
    # Matches hold all captions first and then all foils.
    values = np.asarray(scores.values, dtype=np.float64).reshape(2, -1)
    columns = {"caption_score": values[0], "foil_score": values[1]}
    if scores.probabilities is not None:
        probabilities = np.asarray(scores.probabilities, dtype=np.float64).reshape(2, -1)
        columns |= {
            "caption_probability": probabilities[0],
            "foil_probability": probabilities[1],
        }
    failed = np.array([bool(error) for error in errors])
    missing = pa.nulls(len(instances), pa.float64())
    return pa.table(
        {
            "id": [instance.id for instance in instances],
            "instrument": [instance.instrument for instance in instances],
            "image_dataset": [instance.image.dataset for instance in instances],
            "image_file": [instance.image.file_name for instance in instances],
            **{
                name: pa.array(columns[name], mask=failed) if name in columns else missing
                for name in SCORE_SCHEMA.names[4:8]
            },
            "error": [error or None for error in errors],
        },
        schema=SCORE_SCHEMA,
    )


def instrument_metrics(table: pa.Table) -> dict[str, dict[str, Any]]:
    """What `pair_metrics` gives for each instrument of a table in `SCORE_SCHEMA`.

    Instruments come in the order of their first row; intervals are over images.
    """
    metrics = {}
    for instrument in pc.unique(table["instrument"]).to_pylist():
        rows = table.filter(pc.equal(table["instrument"], instrument))
        columns = {name: _floats(rows[name]) for name in SCORE_SCHEMA.names[4:8]}
        images = list(
            zip(rows["image_dataset"].to_pylist(), rows["image_file"].to_pylist(), strict=True)
        )
        classifies = rows["caption_probability"].null_count < len(rows)
        metrics[instrument] = pair_metrics(
            columns["caption_score"],
            columns["foil_score"],
            columns["caption_probability"] if classifies else None,
            columns["foil_probability"] if classifies else None,
            images=images,
        )
    return metrics


def results_fingerprint(release: Release, instruments: Sequence[str], scorer: Scorer) -> str:
    """What results depend on: code, the pairs and embedded images, the checkpoint, its settings.

    Images in a folder count by their file names alone, through the pairs; reading them all to
    notice a changed one would take as long as scoring.
    """
    files = release.manifest.files
    return fingerprint(
        "evaluate",
        code_fingerprint("pipeline.evaluating", "pipeline.metrics", "pipeline.sources.images"),
        {name: files[data_file(name)].sha256 for name in instruments},
        scorer.fingerprint,
        dict(scorer.settings),
    )


def write_results(folder: Path, evaluation: Evaluation, results_print: str = "") -> None:
    """Write `scores.parquet` and `metrics.json`, each whole or not at all.

    The folder is made where there is none; results that it holds already are replaced.
    """
    folder.mkdir(parents=True, exist_ok=True)
    write_parquet(folder / SCORES_FILE, evaluation.table)
    write_json(
        folder / METRICS_FILE,
        {
            "fingerprint": results_print,
            "scores_sha256": file_checksum(folder / SCORES_FILE),
            "model": evaluation.model,
            "checkpoint": evaluation.checkpoint,
            "settings": dict(evaluation.settings),
            "intervals": "95 % by 1000 bootstrap draws of images, seed 0",
            "instruments": evaluation.metrics,
        },
    )


def read_results(folder: Path, results_print: str | None = None) -> Evaluation | None:
    """What `write_results` left in a folder; None where there is nothing whole.

    Args:
        folder: The folder of one model's results.
        results_print: Only results of this fingerprint are wanted; None takes any.
    """
    try:
        recorded = json.loads((folder / METRICS_FILE).read_text(encoding="utf-8"))
        wanted = results_print in (None, recorded["fingerprint"])
        if not wanted or file_checksum(folder / SCORES_FILE) != recorded["scores_sha256"]:
            return None
        return Evaluation(
            model=recorded["model"],
            checkpoint=recorded["checkpoint"],
            settings=recorded["settings"],
            table=pq.read_table(folder / SCORES_FILE, schema=SCORE_SCHEMA),
            metrics=recorded["instruments"],
        )
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        # Results that are not whole are made again, or said to be missing.
        return None


def _matches(instances: Sequence[Instance]) -> Matches:
    """All captions with their images, then all foils with theirs."""
    images: dict[ImageRef, int] = {}
    texts: dict[str, int] = {}
    image_index = [images.setdefault(instance.image, len(images)) for instance in instances]
    text_index = [
        texts.setdefault(text, len(texts))
        for text in (*(i.caption for i in instances), *(i.foil for i in instances))
    ]
    return Matches(
        images=tuple(images),
        texts=tuple(texts),
        image_index=np.array(image_index * 2, dtype=np.int64),
        text_index=np.array(text_index, dtype=np.int64),
    )


def _errors(matches: Matches, scores: Scores) -> list[str]:
    """For each instance why it has no scores, or an empty text."""
    values = np.asarray(scores.values, dtype=np.float64).reshape(2, -1)
    no_number: list[bool] = np.any(np.isnan(values), axis=0).tolist()
    images: list[int] = matches.image_index[: len(no_number)].tolist()
    return [
        scores.image_errors.get(image, "the model gave no number" if failed else "")
        for image, failed in zip(images, no_number, strict=True)
    ]


def _report_failures(errors: Sequence[str], model: str) -> None:
    """Say once how many pairs failed; stop where all did."""
    reasons = [error for error in errors if error]
    if len(reasons) == len(errors):
        raise InputError(
            f"none of the {len(errors)} pairs could be scored; the first: {reasons[0]}",
            where=model,
            remedy="Check the folder of images",
        )
    if reasons:
        logger.warning(
            "%s: %d of %d pairs could not be scored; the first: %s",
            model,
            len(reasons),
            len(errors),
            reasons[0],
        )


def _floats(column: pa.ChunkedArray) -> np.ndarray:
    """A column as float64, NaN for null."""
    return column.combine_chunks().to_numpy(zero_copy_only=False).astype(np.float64)
