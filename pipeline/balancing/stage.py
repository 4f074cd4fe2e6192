"""The last stage: instances are drawn, so that captions and foils are alike in distribution."""

from collections import Counter
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline.balancing.pool import Pool
from pipeline.balancing.selection import METHODS, SUPPLIED, select
from pipeline.instance import Instance, Verdict, from_table, to_table
from pipeline.pieces import Recipe
from pipeline.registry import check_options
from pipeline.store import StageFolder, StageResult, code_fingerprint, fingerprint, parts
from pipeline.workers import Progress

_POOL = 20
"""Source records that a draw looks at for each instance asked for: enough for any balance."""

_NO_SIZE = 1000


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
    inputs = parts(candidates)
    steps = len(inputs) + 1
    method = recipe.balance
    pool = Pool(inputs, _POOL * (method.size or _NO_SIZE), recipe.seed)
    offered: list[Instance] = []
    for index, part in enumerate(inputs):
        progress(index, steps)
        table = pq.read_table(part)
        inside = pool.holds(table)
        offered += from_table(table.filter(inside))
        _write_left(stage, index + 1, from_table(table.filter(pc.invert(inside))))
    progress(steps - 1, steps)
    judged = select(
        offered,
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
    progress(steps, steps)
    return stage.finish()


def _write_left(stage: StageFolder, index: int, instances: list[Instance]) -> None:
    """Write the candidates of one part that the draw does not look at."""
    reason = "beyond the size asked for"
    left = [i.judged(Verdict("balance", keep=False, reason=reason)) for i in instances]
    if left:
        stage.write_shard(
            index,
            to_table([]),
            to_table(left),
            entered=len(left),
            dropped=Counter(instance.rejection for instance in left),
        )
