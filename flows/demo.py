"""The whole job on the bundled sample world."""

from pathlib import Path

from prefect import flow

from flows.build import Means, build
from flows.evaluate import evaluate_release, write_report
from flows.release import release
from pipeline import DATA
from pipeline.evaluating.runner import Evaluation
from pipeline.pieces import find_recipes
from pipeline.releasing.builds import BuildRecord, find_builds
from pipeline.sources.stage import SourceFiles

SAMPLE = DATA / "sample"
MODELS = ("mini-clip", "random", "constant")


@flow(name="demo", validate_parameters=False)
def demo(out: Path, workers: int) -> tuple[list[BuildRecord], list[Evaluation]]:
    """Build every piece, release them with their images, score the release and report."""
    recipes = [*find_recipes("existence"), *find_recipes("counting")]
    source = SAMPLE / "visual7w" / "dataset_v7w_telling.json"
    means = Means(SAMPLE / "images", "embedded", workers)
    records = build(recipes, SourceFiles(source), means, out / "builds")
    builds = find_builds([out / "builds" / recipe.instrument for recipe in recipes])
    written = release(builds, out / "release", SAMPLE / "images", overwrite=True)
    evaluations = evaluate_release(written, MODELS)
    write_report(written, evaluations, None, out / "report.html")
    return records, evaluations
