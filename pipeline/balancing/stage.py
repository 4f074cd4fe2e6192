"""The last stage: instances are drawn, so that captions and foils are alike in distribution."""

from collections import Counter
from pathlib import Path

from pipeline.balancing.selection import METHODS, SUPPLIED, select
from pipeline.instance import from_table, to_table
from pipeline.pieces import Recipe
from pipeline.registry import check_options
from pipeline.store import StageFolder, StageResult, code_fingerprint, fingerprint, parts, read_rows
from pipeline.workers import Progress


def check_balance(recipe: Recipe) -> None:
    """Check before anything runs that the method exists and takes these options.

    Raises:
        InputError: It does not; the message names the option.
    """
    method = recipe.balance
    function = METHODS[method.name]
    check_options("balance method", method.name, function, method.options, SUPPLIED)


def balance_fingerprint(recipe: Recipe, candidates: str) -> str:
    """What the stage depends on: code, the recipe's method, size and seed, and the candidates."""
    code = code_fingerprint("pipeline.balancing", "pipeline.instance")
    return fingerprint("balance", code, recipe.balance.model_dump(), recipe.seed, candidates)


def balance_stage(
    stage: StageFolder, recipe: Recipe, candidates: Path, *, progress: Progress
) -> StageResult:
    """Draw instances by the recipe's method; those not drawn are kept aside with the reason."""
    stage.begin()
    progress(0, 1)
    method = recipe.balance
    judged = select(
        from_table(read_rows(parts(candidates))),
        method.name,
        size=method.size,
        seed=recipe.seed,
        **method.options,
    )
    drawn = [instance for instance in judged if instance.kept]
    left = [instance for instance in judged if not instance.kept]
    stage.write_shard(
        0,
        to_table(drawn),
        to_table(left),
        entered=len(judged),
        dropped=Counter(instance.rejection for instance in left),
    )
    progress(1, 1)
    return stage.finish()
