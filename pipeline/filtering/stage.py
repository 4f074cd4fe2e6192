"""The third stage: filters judge the candidates; what one of them rejects is kept aside."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from pipeline import DATA
from pipeline.filtering import FILTERS, MODEL_ROLES, SCORES, SURVEYS
from pipeline.instance import Instance, from_table, to_table
from pipeline.models import role_fingerprints
from pipeline.pieces import Recipe
from pipeline.registry import check_options
from pipeline.store import (
    StageFolder,
    StageResult,
    code_fingerprint,
    fingerprint,
    folder_fingerprint,
    parts,
)
from pipeline.workers import Progress, run_shards


def check_filters(recipe: Recipe) -> None:
    """Check before anything runs that every filter exists and takes its options.

    Raises:
        InputError: One does not; the message names it.
    """
    for step in recipe.filters:
        check_options("filter", step.name, FILTERS[step.name], step.options, supplied=("survey",))


def filter_fingerprint(recipe: Recipe, candidates: str, profile: str) -> str:
    """What the stage depends on: code, lexicons, models, the filters, and the candidates."""
    code = code_fingerprint("pipeline.filtering", "pipeline.language", "pipeline.instance")
    lexicons = folder_fingerprint(DATA / "lexicons")
    models = role_fingerprints(_roles(recipe), profile)
    steps = [step.model_dump() for step in recipe.filters]
    return fingerprint("filter", code, lexicons, models, steps, candidates)


def filter_stage(
    stage: StageFolder,
    recipe: Recipe,
    candidates: Path,
    profile: str,
    *,
    workers: int,
    progress: Progress,
) -> StageResult:
    """Ask the filters in the recipe's order; a later one sees only what the earlier ones kept."""
    inputs = parts(candidates)
    surveys = {
        step.name: SURVEYS[step.name](_batches(inputs))
        for step in recipe.filters
        if step.name in SURVEYS
    }
    return run_shards(
        stage,
        filter_shard,
        [(part,) for part in inputs],
        common=(recipe, profile, surveys),
        # Filters without models are done before another process has started.
        workers=workers if _roles(recipe) else 1,
        progress=progress,
    )


def _roles(recipe: Recipe) -> list[str]:
    """The roles of all checkpoints that score for the filters."""
    return [role for step in recipe.filters for role in MODEL_ROLES.get(step.name, ())]


def filter_shard(
    stage: StageFolder,
    index: int,
    part: Path,
    recipe: Recipe,
    profile: str,
    surveys: Mapping[str, Any],
) -> None:
    """Judge the candidates of one Parquet file and write the shard."""
    kept = from_table(pq.read_table(part))
    rejected: list[Instance] = []
    entered = len(kept)
    for step in recipe.filters:
        if step.name in SCORES:
            scores = SCORES[step.name](kept, profile=profile)
            kept = [i.scored(*given) for i, given in zip(kept, scores, strict=True)]
        survey = {"survey": surveys[step.name]} if step.name in surveys else {}
        verdicts = FILTERS[step.name](kept, **step.options, **survey)
        judged = [i.judged(verdict) for i, verdict in zip(kept, verdicts, strict=True)]
        kept = [instance for instance in judged if instance.kept]
        rejected += [instance for instance in judged if not instance.kept]
    stage.write_shard(
        index,
        to_table(kept),
        to_table(rejected),
        entered=entered,
        dropped=Counter(instance.rejection for instance in rejected),
    )


def _batches(inputs: list[Path]) -> Iterator[list[Instance]]:
    return (from_table(pq.read_table(part)) for part in inputs)
