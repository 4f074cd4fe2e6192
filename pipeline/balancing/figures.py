"""The frequency figure: classes or words of captions beside those of foils (VALSE, Fig. 3-4)."""

import math
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pipeline.balancing.divergence import histogram_distance
from pipeline.balancing.statistics import class_histograms, word_histograms
from pipeline.instance import Instance

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Blue and orange of Okabe and Ito's palette: told apart with every kind of colour vision.
_CAPTION_COLOUR, _FOIL_COLOUR = "#0072B2", "#E69F00"
_ROWS_PER_COLUMN = 25
_LONGEST_LABEL = 22
_STYLE: Any = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so every machine draws the same
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "valse-foils",
    "path.simplify": False,
}

# matplotlib's settings belong to the whole process; two threads must not change them at once.
_DRAWING = threading.Lock()


@dataclass(frozen=True, slots=True)
class Drawing:
    """One figure as PNG and as SVG; the same instances give the same bytes."""

    png: bytes
    svg: bytes


def draw_frequencies(
    instances: Sequence[Instance],
    *,
    by: Literal["classes", "words"] = "classes",
    top: int = 100,
    title: str = "",
) -> Drawing:
    """Draw how frequent each class (or word) is in captions and in foils, in two colours.

    Numbers stand in their own order, everything else by its frequency in both together. Beside
    each pair of bars stands how often captions and foils have it.

    Args:
        instances: What to draw; none gives a figure that says so.
        by: Whether to count classes or all words.
        top: How many of the most frequent ones to draw, at least 1.
        title: The first line, in bold; it is drawn as it is, never read as a formula.
    """
    count = class_histograms if by == "classes" else word_histograms
    captions, foils = count(instances)
    import matplotlib as mpl

    with _DRAWING, mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_STYLE)
        figure = _frequency_figure(captions, foils, top)
        _write_head(figure, title, _summary(instances, captions, foils, by, top))
        return Drawing(_save(figure, "png"), _save(figure, "svg"))


def _frequency_figure(captions: Counter[str], foils: Counter[str], top: int) -> "Figure":
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    names = _ranked(captions, foils, top)
    columns = max(1, math.ceil(len(names) / _ROWS_PER_COLUMN))
    rows = math.ceil(len(names) / columns)
    figure = Figure(
        figsize=(max(5.5, 2.9 * columns), 1.5 + 0.23 * max(rows, 3)), layout="constrained"
    )
    FigureCanvasAgg(figure)
    axes = figure.subplots(1, columns, sharex=True, squeeze=False)[0]
    widest = max((_percent(side, name) for side in (captions, foils) for name in names), default=1)
    for column, ax in enumerate(axes):
        _draw_bars(ax, names[column * rows : (column + 1) * rows], rows, captions, foils)
        _scale(ax, widest, by_root=columns > 1)
    return figure


def _scale(ax: "Axes", widest: float, *, by_root: bool) -> None:
    """Leave room for the counts; with many names, widen the small shares of the long tail."""
    if by_root:
        ax.set_xscale("function", functions=(np.sqrt, np.square))
        ax.set_xlim(0, widest * 1.7)
        ax.set_xlabel("share of its side, % (root scale)")
    else:
        ax.set_xlim(0, widest * 1.15)
        ax.set_xlabel("share of its side, %")


def _draw_bars(
    ax: "Axes", names: list[str], rows: int, captions: Counter[str], foils: Counter[str]
) -> None:
    sides = (
        ("captions", captions, _CAPTION_COLOUR, -0.2),
        ("foils", foils, _FOIL_COLOUR, 0.2),
    )
    for label, counts, colour, offset in sides:
        ax.barh(
            [row + offset for row in range(len(names))],
            [_percent(counts, name) for name in names],
            height=0.4,
            color=colour,
            label=label,
        )
    for row, name in enumerate(names):
        end = max(_percent(captions, name), _percent(foils, name))
        ax.annotate(
            f"{captions[name]} | {foils[name]}",
            (end, row),
            xytext=(3, 0),
            textcoords="offset points",
            va="center",
            fontsize=6,
            color="#555555",
        )
    labels = [_label(name) for name in names]
    ax.set_yticks(range(len(names)), labels, parse_math=False)
    ax.set_ylim(rows - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)


def _write_head(figure: "Figure", title: str, summary: str) -> None:
    if title:
        figure.suptitle(
            _printable(title), x=0.01, ha="left", fontsize=10, weight="bold", parse_math=False
        )
    figure.axes[0].set_title(summary, loc="left", fontsize=8, parse_math=False)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(
        handles,
        labels,
        loc="outside lower left",
        ncols=2,
        frameon=False,
        borderaxespad=0.1,
        title="beside the bars: how often, captions | foils",
        title_fontsize=7,
        alignment="left",
    )


def _summary(
    instances: Sequence[Instance], captions: Counter[str], foils: Counter[str], by: str, top: int
) -> str:
    different = len(captions.keys() | foils.keys())
    shown = f"the {top} most frequent of {different}" if different > top else str(different)
    parts = [f"{len(instances):,} pairs", f"{shown} {by}"]
    if captions and foils:
        parts.append(f"Jensen-Shannon divergence {histogram_distance(captions, foils):.3f}")
    return " · ".join(parts)


def _ranked(captions: Counter[str], foils: Counter[str], top: int) -> list[str]:
    """The `top` most frequent names; in the order of numbers where all are numbers."""
    both = captions + foils
    names = sorted(both, key=lambda name: (-both[name], name))[:top]
    if all(name.isascii() and name.isdigit() for name in names):
        names.sort(key=int)
    return names


def _percent(counts: Counter[str], name: str) -> float:
    return 100 * counts[name] / max(1, counts.total())


def _label(name: str) -> str:
    name = _printable(name)
    return name if len(name) <= _LONGEST_LABEL else name[: _LONGEST_LABEL - 1] + "…"


def _printable(text: str) -> str:
    """The text on one line, with what no font draws (and XML forbids) replaced."""
    return "".join(c if c.isprintable() else "�" for c in " ".join(text.split()))


def _save(figure: "Figure", form: str) -> bytes:
    import warnings

    # Without date and version, which would change the bytes from run to run.
    metadata = {"png": {"Software": None}, "svg": {"Date": None, "Creator": None}}[form]
    content = BytesIO()
    with warnings.catch_warnings():
        # A text in a script that the font lacks is drawn as boxes; the figure still serves.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure.savefig(content, format=form, dpi=150, metadata=metadata)
    return content.getvalue()
