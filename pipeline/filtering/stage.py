"""The third stage: filters judge the candidates; what one of them rejects is kept aside."""

from collections import Counter
from pathlib import Path

from pipeline.filtering import FILTERS
from pipeline.instance import Instance, from_table, to_table
from pipeline.pieces import Recipe
from pipeline.store import StageFolder, StageResult, code_fingerprint, fingerprint, parts, read_rows
from pipeline.workers import Progress


def filter_fingerprint(recipe: Recipe, candidates: str) -> str:
    """What the stage depends on: code, the filters with their options, and the candidates."""
    code = code_fingerprint("pipeline.filtering", "pipeline.instance")
    return fingerprint("filter", code, [step.model_dump() for step in recipe.filters], candidates)


def filter_stage(
    stage: StageFolder, recipe: Recipe, candidates: Path, *, progress: Progress
) -> StageResult:
    """Ask the filters in the recipe's order; a later one sees only what the earlier ones kept."""
    stage.begin()
    kept = from_table(read_rows(parts(candidates)))
    rejected: list[Instance] = []
    entered = len(kept)
    for done, step in enumerate(recipe.filters):
        progress(done, len(recipe.filters))
        verdicts = FILTERS[step.name](kept, **step.options)
        judged = [i.judged(verdict) for i, verdict in zip(kept, verdicts, strict=True)]
        kept = [instance for instance in judged if instance.kept]
        rejected += [instance for instance in judged if not instance.kept]
    stage.write_shard(
        0,
        to_table(kept),
        to_table(rejected),
        entered=entered,
        dropped=Counter(instance.rejection for instance in rejected),
    )
    progress(len(recipe.filters), len(recipe.filters))
    return stage.finish()
