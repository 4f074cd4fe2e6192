"""Progress of stages on the terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def stage_progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """Show a stage's line; hands out `progress(done, all)`, where all is 0 if it is unknown."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (
        SpinnerColumn(finished_text="✓"),
        TextColumn("{task.description:<32}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        line = bar.add_task(label, total=None)

        def progress(done: int, total: int) -> None:
            bar.update(line, completed=done, total=total or None)

        yield progress
        completed = int(bar.tasks[line].completed)
        bar.update(line, completed=max(completed, 1), total=max(completed, 1))
