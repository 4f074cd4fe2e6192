"""The metrics of models as a table to print: one row an instrument and model."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pipeline.evaluating.runner import Evaluation

if TYPE_CHECKING:
    from rich.table import Table

_FIGURES = {
    "acc_r": "acc_r",
    "acc_r_half_credit": "ties ½",
    "acc_r_paper": "ties 1",
    "tie_rate": "ties",
    "acc": "acc",
    "p_c": "p_c",
    "p_f": "p_f",
    "auroc": "AUROC",
}

HEADER = ("instrument", "model", "n", "failed", *_FIGURES.values())


def table_rows(evaluations: Sequence[Evaluation]) -> list[tuple[str, ...]]:
    """The cells under `HEADER`, instrument by instrument, figures in percent.

    acc_r shows its interval behind itself ("64.2 [60.1, 68.0]"), the others not, so that a row
    fits a terminal; a figure that is undefined shows a dash.
    """
    instruments = dict.fromkeys(name for each in evaluations for name in each.metrics)
    return [
        _row(instrument, each.model, each.metrics[instrument])
        for instrument in instruments
        for each in evaluations
        if instrument in each.metrics
    ]


def metric_table(evaluations: Sequence[Evaluation]) -> "Table":
    """The same as a `rich` table, with a line of its own for each instrument."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for place, name in enumerate(HEADER[1:]):
        table.add_column(name, justify="right" if place else "left", no_wrap=True)
    previous = ""
    for instrument, *cells in table_rows(evaluations):
        if instrument != previous:
            table.add_section()
            table.add_row(Text(instrument, style="bold"))
            previous = instrument
        table.add_row(*map(Text, cells))
    return table


def _row(instrument: str, model: str, metrics: Mapping[str, Any]) -> tuple[str, ...]:
    cells = (_cell(metrics, name, interval=name == "acc_r") for name in _FIGURES)
    return (instrument, model, str(metrics["n"]), str(metrics["n_failed"]), *cells)


def _cell(metrics: Mapping[str, Any], name: str, interval: bool) -> str:
    value = metrics[name]
    if value is None:
        return "–"
    bounds = (metrics.get("intervals") or {}).get(name) if interval else None
    shown = f"{100 * value:.1f}"
    return f"{shown} [{100 * bounds[0]:.1f}, {100 * bounds[1]:.1f}]" if bounds else shown
