"""Run one function over many shards, in this process or in several, skipping what is done."""

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from typing import Any

from pipeline.store import StageFolder, StageResult

Progress = Callable[[int, int], None]

# Numerical libraries read these once, when they are loaded.
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")

# oneDNN keeps what it prepared for every shape it has met. Texts come in hundreds of shapes, and a
# worker would grow by half over the captions of one COCO split; preparing again costs nothing.
_SHAPES_KEPT = {"ONEDNN_PRIMITIVE_CACHE_CAPACITY": "32", "LRU_CACHE_CAPACITY": "32"}


def run_shards(
    stage: StageFolder,
    function: Callable[..., None],
    shards: Sequence[tuple[Any, ...]],
    *,
    common: tuple[Any, ...] = (),
    workers: int,
    progress: Progress,
) -> StageResult:
    """Write every shard of a stage that is not written yet, then complete the stage.

    Args:
        function: Called as `function(stage, index, *shard, *common)`; it writes that shard and
            must be importable by name, since other processes call it.
        shards: The arguments of each shard; their order numbers them.
        common: What every shard needs; each process is given it once.
        workers: How many processes at most; with one shard or one worker none is started.
        progress: Called with (done, all) whenever a shard is done.
    """
    stage.begin()
    missing = [index for index in range(len(shards)) if not stage.has_shard(index)]
    done = len(shards) - len(missing)
    progress(done, len(shards))
    if min(workers, len(missing)) <= 1:
        for index in missing:
            function(stage, index, *shards[index], *common)
            done += 1
            progress(done, len(shards))
        return stage.finish()
    count = min(workers, len(missing))
    with (
        _environment(count),
        ProcessPoolExecutor(
            count,
            # A forked process would inherit the locks of Prefect's threads.
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_start_worker,
            initargs=(common,),
        ) as pool,
    ):
        futures = [pool.submit(_work, function, stage, index, shards[index]) for index in missing]
        try:
            for future in as_completed(futures):
                future.result()
                done += 1
                progress(done, len(shards))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return stage.finish()


_common: tuple[Any, ...] = ()
"""In a worker: what every shard needs."""


def _start_worker(common: tuple[Any, ...]) -> None:
    global _common
    _common = common
    _exit_with_parent()


def _work(
    function: Callable[..., None], stage: StageFolder, index: int, shard: tuple[Any, ...]
) -> None:
    function(stage, index, *shard, *_common)


@contextmanager
def _environment(workers: int) -> Iterator[None]:
    """Let the workers started in here share the cores; else each would take all for its models."""
    share = str(max(1, (os.cpu_count() or 1) // workers))
    settings = dict.fromkeys(_THREADS, share) | _SHAPES_KEPT
    before = {name: os.environ.get(name) for name in settings}
    os.environ |= {name: before[name] or value for name, value in settings.items()}
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]


def _exit_with_parent() -> None:
    """End this worker when its parent is killed; it would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
