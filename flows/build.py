"""Source file in, balanced instances out: read, foil, filter, balance."""

from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prefect import flow, task
from prefect.artifacts import create_table_artifact
from prefect.cache_policies import NO_CACHE

from flows.progress import stage_progress
from pipeline import DATA
from pipeline.balancing.stage import balance_fingerprint, balance_stage
from pipeline.filtering.stage import filter_fingerprint, filter_stage
from pipeline.foiling.stage import foil_fingerprint, foil_stage, require_candidates
from pipeline.pieces import Recipe
from pipeline.releasing.builds import BuildRecord, FunnelStep
from pipeline.sources.stage import SourceFiles, read_fingerprint, read_stage, require_records
from pipeline.store import StageFolder, StageResult, fingerprint, write_json
from pipeline.workers import Progress


@dataclass(frozen=True, slots=True)
class Means:
    """What a build has at hand beside its source.

    Attributes:
        images: The folder of the source's images; None does not look at images.
        profile: Which checkpoints fill the roles, see `pipeline.models`.
        workers: How many processes at most.
    """

    images: Path | None
    profile: str
    workers: int


def _may_pass(_task: Any, _run: Any, state: Any) -> bool:
    """Whether a failure may be gone on the next try: a busy disk, or a worker that was ended."""
    return isinstance(state.result(raise_on_failure=False), OSError | BrokenProcessPool)


# Stage folders are the cache: they know their fingerprint and stay when Prefect's storage goes.
_stage_task = task(
    cache_policy=NO_CACHE, retries=2, retry_delay_seconds=2, retry_condition_fn=_may_pass
)


@_stage_task
def read(recipe: Recipe, files: SourceFiles, folder: Path) -> StageResult:
    """Keep the records of the source that the instrument may use."""
    stage = StageFolder(folder / "read", read_fingerprint(recipe.source, files))
    return _resume(
        stage,
        recipe,
        lambda progress: read_stage(stage, recipe.source, files, progress=progress),
    )


@_stage_task
def foil(recipe: Recipe, records: StageResult, means: Means, folder: Path) -> StageResult:
    """Make candidate instances of the records."""
    read, images, profile = folder / "read", means.images, means.profile
    depends = foil_fingerprint(recipe, records.fingerprint, images, profile)
    stage = StageFolder(folder / "foil", depends)
    return _resume(
        stage,
        recipe,
        lambda progress: foil_stage(
            stage, recipe, read, images, profile, workers=means.workers, progress=progress
        ),
    )


@_stage_task
def filter_candidates(
    recipe: Recipe, candidates: StageResult, means: Means, folder: Path
) -> StageResult:
    """Drop the candidates that a filter objects to."""
    depends = filter_fingerprint(recipe, candidates.fingerprint, means.profile)
    stage = StageFolder(folder / "filter", depends)
    return _resume(
        stage,
        recipe,
        lambda progress: filter_stage(
            stage,
            recipe,
            folder / "foil",
            means.profile,
            workers=means.workers,
            progress=progress,
        ),
    )


@_stage_task
def balance(recipe: Recipe, candidates: StageResult, folder: Path) -> StageResult:
    """Draw the instances, so that captions and foils are alike in distribution."""
    stage = StageFolder(folder / "balance", balance_fingerprint(recipe, candidates.fingerprint))
    return _resume(
        stage,
        recipe,
        lambda progress: balance_stage(stage, recipe, folder / "filter", progress=progress),
    )


@flow(name="build", validate_parameters=False)
def build(recipes: list[Recipe], files: SourceFiles, means: Means, out: Path) -> list[BuildRecord]:
    """Build instruments from one source, each into its own folder below `out`."""
    return [_build_one(recipe, files, means, out) for recipe in recipes]


def _build_one(recipe: Recipe, files: SourceFiles, means: Means, out: Path) -> BuildRecord:
    folder = out / recipe.instrument
    records = read(recipe, files, folder)
    require_records(records, files.path)
    candidates = foil(recipe, records, means, folder)
    require_candidates(candidates, recipe, folder / "foil")
    filtered = filter_candidates(recipe, candidates, means, folder)
    balanced = balance(recipe, filtered, folder)
    stages = {"read": records, "foil": candidates, "filter": filtered, "balance": balanced}
    funnel = [
        FunnelStep(stage=name, entered=r.entered, kept=r.kept, dropped=r.dropped)
        for name, r in stages.items()
    ]
    record = BuildRecord(
        piece=recipe.piece,
        instrument=recipe.instrument,
        recipe=recipe.model_dump(mode="json", by_alias=True),
        fingerprint=fingerprint("build", recipe.version, balanced.fingerprint),
        sources=[_credited(recipe, files.path)],
        stages=list(stages),
        funnel=funnel,
    )
    write_json(folder / "build.json", record.model_dump(mode="json"))
    create_table_artifact(
        key=f"funnel-{recipe.instrument}",
        table=[step.model_dump() for step in funnel],
        description=f"How many instances of {recipe.instrument} each step kept, and why not more",
    )
    return record


def _credited(recipe: Recipe, source: Path) -> str:
    """Whose data the source file holds; the bundled sample only has the published form."""
    is_sample = source.resolve().is_relative_to((DATA / "sample").resolve())
    return "sample" if is_sample else recipe.source.name


def _resume(
    stage: StageFolder, recipe: Recipe, work: Callable[[Progress], StageResult]
) -> StageResult:
    """The result of a stage: the one its folder holds, or that of the work still to be done."""
    done = stage.result()
    label = f"{recipe.instrument}: {stage.path.name}"
    with stage_progress(f"{label} (unchanged)" if done else label) as progress:
        return done or work(progress)
