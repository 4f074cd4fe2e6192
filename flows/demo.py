"""The whole job on the bundled sample world."""

from pathlib import Path

from prefect import flow

from flows.build import Means, build
from flows.evaluate import evaluate_release, write_report
from flows.release import release
from pipeline import DATA
from pipeline.evaluating.runner import Evaluation
from pipeline.pieces import SourceRecipe, find_recipes, instruments
from pipeline.releasing.builds import BuildRecord, find_builds
from pipeline.sources.stage import SourceFiles, require_source

SAMPLE = DATA / "sample"
_FILES = {
    "coco": "coco/captions_val2017.json",
    "coco-objects": "coco/captions_val2017.json",
    "foil-it": "foilit/foilv1.0_test_2017.json",
    "swig": "swig/train.json",
    "visdial": "visdial/visdial_1.0_{split}.json",
    "visual7w": "visual7w/dataset_v7w_telling.json",
}
"""Source -> its file in the sample world; a data set of several files has one for each split."""
MODELS = ("mini-clip", "random", "constant")


def sample_files(recipe: SourceRecipe) -> SourceFiles:
    """The files of a source in the sample world."""
    file = SAMPLE / _FILES[recipe.name].format(split=recipe.split)
    return require_source(recipe, file)


@flow(name="demo", validate_parameters=False)
def demo(out: Path, workers: int) -> tuple[list[BuildRecord], list[Evaluation]]:
    """Build every piece, release them with their images, score the release and report."""
    means = Means(SAMPLE / "images", "embedded", workers)
    records = [
        record
        for recipe in (find_recipes(name)[0] for name in instruments())
        for record in build([recipe], sample_files(recipe.source), means, out / "builds")
    ]
    builds = find_builds([out / "builds" / record.instrument for record in records])
    written = release(builds, out / "release", SAMPLE / "images", overwrite=True)
    evaluations = evaluate_release(written, MODELS)
    write_report(written, evaluations, None, out / "report.html")
    return records, evaluations
