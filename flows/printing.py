"""What the commands print: funnels, metrics and other tables."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def print_funnel(record: Any, folder: Path) -> None:
    """How many instances every step kept, and why it dropped the rest."""
    rows = [
        (
            step.stage,
            str(step.entered),
            str(step.kept),
            "\n".join(f"{count} {reason}" for reason, count in step.dropped.items()),
        )
        for step in record.funnel
    ]
    print_table(("stage", "entered", "kept", "dropped"), rows, title=str(folder))


def print_faults(record: Any, folder: Path) -> None:
    """What is wrong with the source itself, and where each fault is written down."""
    for step in record.funnel:
        for reason in ("bad record", "image cannot be used"):
            if count := step.dropped.get(reason):
                place = folder / step.stage / "rejects-*.parquet"
                print(f"foils: {count} left out: {reason}; see {place}", file=sys.stderr)


def print_metrics(evaluations: Sequence[Any]) -> None:
    """The metric table of `foils evaluate`."""
    from rich.console import Console

    from pipeline.evaluating.table import metric_table

    console = Console()
    # A row is wider than the 80 columns that a pipe is taken for, and cells cut short say nothing.
    Console(width=max(console.width, 104)).print(metric_table(evaluations))


def print_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], title: str | None = None
) -> None:
    """Rows of texts under the names of their columns."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*columns, title=title, title_justify="left", box=box.SIMPLE_HEAD)
    for row in rows:
        # Texts come from source files: as `Text` they are printed, not read as markup.
        table.add_row(*map(Text, row))
    Console().print(table)
