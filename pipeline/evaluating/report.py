"""One self-contained HTML page about a release: scores, funnel, balance, and pairs to look at."""

import base64
import io
from collections.abc import Mapping, Sequence
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any

from pipeline.errors import InputError
from pipeline.evaluating.runner import Evaluation
from pipeline.evaluating.scorers import ReadImage
from pipeline.instance import ImageRef, Instance
from pipeline.releasing.manifest import InstrumentEntry, figure_file
from pipeline.releasing.read import Release

if TYPE_CHECKING:
    from PIL.Image import Image

GALLERY = 20
_THUMBNAIL = 360
ModelScores = Mapping[str, tuple[float | None, float | None]]

_METRICS = ("acc_r", "acc_r_half_credit", "tie_rate", "acc", "min_p", "auroc")


def render_report(release: Release, results: Sequence[Evaluation], read: ReadImage) -> str:
    """The page as HTML. Nothing in it is loaded from elsewhere; all texts are escaped.

    Args:
        release: An open release.
        results: What each model gave; the page says nothing of scores where it is empty.
        read: Gives an image; one that it cannot read is shown by its name.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("pipeline.evaluating", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    entries = release.manifest.instruments
    models = [(result.model, result.scores) for result in results]
    return environment.get_template("report.html.jinja").render(
        title=f"Report on {release.path.name}",
        tool_version=release.manifest.tool_version,
        total=sum(entry.count for entry in entries),
        models=models,
        metric_names=_METRICS,
        instruments=[_instrument(release, entry, results) for entry in entries],
        gallery=[_pair(name, instance, models, read) for name, instance in _gallery(release)],
    )


def _instrument(
    release: Release, entry: InstrumentEntry, results: Sequence[Evaluation]
) -> dict[str, Any]:
    card = entry.recipe.get("card", {})
    figure = (release.path / figure_file(entry.name, "classes", "png")).read_bytes()
    numbers = entry.statistics
    return {
        "name": entry.name,
        "title": card.get("title", entry.name),
        "summary": card.get("summary", ""),
        "notice": card.get("notice", ""),
        "funnel": _funnel(entry),
        "figure": base64.b64encode(figure).decode(),
        "metrics": [
            _metric_row(result.model, result.metrics[entry.name])
            for result in results
            if entry.name in result.metrics
        ],
        "balance": [
            numbers.instances,
            numbers.images,
            _decimal(numbers.class_divergence),
            _decimal(numbers.word_divergence),
            numbers.lexical_items,
        ],
        "directions": ", ".join(f"{n} {100 * s:.0f} %" for n, s in numbers.directions.items()),
    }


def _funnel(entry: InstrumentEntry) -> list[dict[str, Any]]:
    """Bars are relative to the largest number of records that any step saw."""
    largest = max((step.entered for step in entry.funnel), default=1) or 1
    return [
        {
            "stage": step.stage,
            "entered": step.entered,
            "kept": step.kept,
            "share": 100 * step.kept / largest,
            "dropped": sorted(step.dropped.items(), key=lambda item: -item[1]),
        }
        for step in entry.funnel
    ]


def _metric_row(model: str, metrics: Mapping[str, Any]) -> dict[str, Any]:
    intervals = metrics.get("intervals") or {}
    cells = []
    for name in _METRICS:
        value, interval = metrics.get(name), intervals.get(name)
        bounds = f"{100 * interval[0]:.1f} to {100 * interval[1]:.1f}" if interval else ""
        cells.append({"value": "–" if value is None else f"{100 * value:.1f}", "interval": bounds})
    return {"model": model, "cells": cells, "n": metrics["n"], "n_failed": metrics["n_failed"]}


def _gallery(release: Release) -> list[tuple[str, Instance]]:
    """Pairs in turn from each instrument; their ids are hashes, so the first are a fair sample."""
    queues = {
        name: iter(sorted(release.instances(name), key=lambda instance: instance.id))
        for name in release.instruments
    }
    drawn: list[tuple[str, Instance]] = []
    largest = max(entry.count for entry in release.manifest.instruments)
    for name in islice(cycle(queues), largest * len(queues)):
        instance = next(queues[name], None)
        if instance is not None:
            drawn.append((name, instance))
        if len(drawn) == GALLERY:
            break
    return drawn


def _pair(
    instrument: str,
    instance: Instance,
    models: Sequence[tuple[str, ModelScores]],
    read: ReadImage,
) -> dict[str, Any]:
    edit = instance.edit
    picture = _picture(read, instance.image)
    return {
        "instrument": instrument,
        "image_file": instance.image.file_name,
        "picture": picture and _thumbnail(picture),
        "caption": _marked(instance.caption, edit.caption_start, edit.caption_end),
        "foil": _marked(instance.foil, edit.foil_start, edit.foil_end),
        "scores": [
            _scores(model, *scores[instance.id])
            for model, scores in models
            if instance.id in scores
        ],
    }


def _picture(read: ReadImage, image: ImageRef) -> "Image | None":
    try:
        return read(image)
    except InputError:
        # The page says that the picture is not at hand; scoring has counted the failure.
        return None


def _scores(model: str, caption: float | None, foil: float | None) -> dict[str, Any]:
    return {
        "model": model,
        "caption": _decimal(caption),
        "foil": _decimal(foil),
        "wrong": caption is None or foil is None or caption <= foil,
    }


def _marked(text: str, start: int, end: int) -> dict[str, str]:
    return {"before": text[:start], "edited": text[start:end], "after": text[end:]}


def _thumbnail(picture: "Image") -> str:
    picture = picture.convert("RGB")
    picture.thumbnail((_THUMBNAIL, _THUMBNAIL))
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=85)
    return base64.b64encode(buffer.getvalue()).decode()


def _decimal(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
