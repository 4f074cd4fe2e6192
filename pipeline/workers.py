"""Run one function over many shards, in this process or in several, skipping what is done."""

import multiprocessing
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any

from pipeline.store import StageFolder, StageResult

Progress = Callable[[int, int], None]


def run_shards(
    stage: StageFolder,
    function: Callable[..., None],
    shards: Sequence[tuple[Any, ...]],
    *,
    workers: int,
    progress: Progress,
) -> StageResult:
    """Write every shard of a stage that is not written yet, then complete the stage.

    Args:
        function: Called as `function(stage, index, *shard)`; it writes that shard and must be
            importable by name, since other processes call it.
        shards: The arguments of each shard; their order numbers them.
        workers: How many processes at most; with one shard or one worker none is started.
        progress: Called with (done, all) whenever a shard is done.
    """
    stage.begin()
    missing = [index for index in range(len(shards)) if not stage.has_shard(index)]
    done = len(shards) - len(missing)
    progress(done, len(shards))
    if min(workers, len(missing)) <= 1:
        for index in missing:
            function(stage, index, *shards[index])
            done += 1
            progress(done, len(shards))
        return stage.finish()
    with ProcessPoolExecutor(
        min(workers, len(missing)),
        # A forked process would inherit the locks of Prefect's threads.
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_exit_with_parent,
    ) as pool:
        futures = [pool.submit(function, stage, index, *shards[index]) for index in missing]
        try:
            for future in as_completed(futures):
                future.result()
                done += 1
                progress(done, len(shards))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return stage.finish()


def _exit_with_parent() -> None:
    """End this worker when its parent is killed; it would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
