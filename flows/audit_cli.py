"""The command `foils audit`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from flows.printing import print_table
from pipeline.errors import InputError


def audit(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH...",
            help="A release, a folder that `foils build` wrote, or a JSON file in VALSE's format.",
        ),
    ],
    to: Annotated[
        Path | None,
        typer.Option(help="A new .html or .json file, which also tells what words give it away."),
    ] = None,
    at_most: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            max=1.0,
            help="Exit with 2 where an instrument lets the caption be told in a greater share of "
            "its pairs: 0.6, say.",
        ),
    ] = None,
    unconfirmed: Annotated[
        bool,
        typer.Option(
            "--unconfirmed", help="Take pairs too that annotators voted on and did not confirm."
        ),
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Draws the folds and the control.")] = 0,
) -> None:
    """Tell caption from foil by their words alone: half of the pairs would be chance."""
    from pipeline.auditing import blind_check, require_writable, write_audit
    from pipeline.releasing.pairs import read_pairs

    if to is not None:
        require_writable(to)
    pairs = read_pairs(paths, unconfirmed=unconfirmed)
    checks = {name: blind_check(instances, seed=seed) for name, instances in pairs.items()}
    columns = ("instrument", "pairs", "accuracy", "95 %", "ties", "control")
    print_table(columns, [_row(name, check) for name, check in checks.items()])
    if to is not None:
        write_audit(checks, to)
        print(f"Audit: {to}")
    if at_most is not None:
        _require(checks, at_most)


def _row(name: str, check: Any) -> tuple[str, ...]:
    if check is None:
        return (name, "", "pairs are all related", "", "", "")
    low, high = check.interval or (float("nan"), float("nan"))
    return (
        name,
        str(check.pairs),
        f"{check.accuracy:.3f}",
        f"{low:.3f} - {high:.3f}" if check.interval else "",
        f"{check.ties:.3f}",
        f"{check.control:.3f}",
    )


def _require(checks: dict[str, Any], at_most: float) -> None:
    """Stop where an instrument is easier than allowed, or nothing could be said of it."""
    unclear = [name for name, check in checks.items() if check is None]
    if unclear:
        raise InputError(f"the pairs of {', '.join(unclear)} are all related: nothing can be said")
    above = {name: check.accuracy for name, check in checks.items() if check.accuracy > at_most}
    if above:
        listed = ", ".join(f"{name} ({accuracy:.3f})" for name, accuracy in above.items())
        raise InputError(f"captions can be told by their words in more than {at_most}: {listed}")
