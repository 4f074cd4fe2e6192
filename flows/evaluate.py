"""A release and models in, scores, metrics and a table out."""

from collections.abc import Sequence
from pathlib import Path

from prefect import flow, task
from prefect.artifacts import create_table_artifact
from prefect.cache_policies import NO_CACHE

from flows.progress import stage_progress
from pipeline.evaluating.images import release_images
from pipeline.evaluating.report import render_report
from pipeline.evaluating.runner import (
    Evaluation,
    evaluate,
    read_results,
    results_fingerprint,
    write_results,
)
from pipeline.evaluating.scorers import Settings, open_scorer
from pipeline.evaluating.table import HEADER, table_rows
from pipeline.registry import unknown_name
from pipeline.releasing.read import open_release
from pipeline.store import write_text


@task(cache_policy=NO_CACHE)
def score(
    path: Path,
    instruments: Sequence[str],
    model: str,
    images: Path | None,
    out: Path,
    settings: Settings,
) -> Evaluation:
    """Score a release with one model, unless its results are there already."""
    release = open_release(path)
    scorer = open_scorer(model, settings)
    folder = out / scorer.name.replace("/", "--").strip(".-")
    results_print = results_fingerprint(release, instruments, scorer)
    done = read_results(folder, results_print)
    label = f"evaluate: {scorer.name}"
    with stage_progress(f"{label} (unchanged)" if done else label) as progress:
        if done:
            return done
        evaluation = evaluate(
            [instance for name in instruments for instance in release.instances(name)],
            scorer,
            release_images(release, instruments, images),
            lambda what, done, total: progress(done, total),
        )
        write_results(folder, evaluation, results_print)
    return evaluation


@flow(name="evaluate", validate_parameters=False)
def evaluate_release(
    path: Path,
    models: Sequence[str],
    images: Path | None = None,
    out: Path | None = None,
    instruments: Sequence[str] = (),
    settings: Settings | None = None,
) -> list[Evaluation]:
    """Score a release with each model, into one folder for each below `out`."""
    release = open_release(path)
    for name in instruments:
        if name not in release.instruments:
            raise unknown_name("instrument in this release", name, release.instruments)
    chosen = tuple(instruments) or release.instruments
    folder = out or scores_folder(path)
    evaluations = [
        score(path, chosen, model, images, folder, settings or Settings()) for model in models
    ]
    create_table_artifact(
        key="metrics",
        table=[dict(zip(HEADER, row, strict=True)) for row in table_rows(evaluations)],
        description=f"How often each model prefers the caption in {path.name}",
    )
    return evaluations


def scores_folder(release: Path) -> Path:
    """Where the scores of a release go unless the user says otherwise: beside it."""
    release = release.resolve()
    return release.with_name(f"{release.name}-scores")


def write_report(
    path: Path, evaluations: Sequence[Evaluation], images: Path | None, to: Path
) -> None:
    """Write the HTML page about a release and what models gave for it."""
    release = open_release(path)
    read = release_images(release, release.instruments, images)
    write_text(to, render_report(release, evaluations, read))
