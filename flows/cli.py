"""The command `foils`. Each subcommand imports what it needs when it runs, so that help is fast."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from pipeline.errors import InputError


class _WritesByDefault(TyperGroup):
    """`foils release OUT... --to DIR` is `foils release write OUT... --to DIR`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = ["write", *args]
        return super().parse_args(ctx, args)


_HELP = {"help_option_names": ["-h", "--help"]}
app = typer.Typer(
    help="Make vision-and-language foil benchmarks: source data in, scored releases out.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings=_HELP,
)
release_app = typer.Typer(
    cls=_WritesByDefault,
    help="Write builds as a release that `datasets` loads: foils release OUT... --to DIR.",
    no_args_is_help=True,
    context_settings=_HELP,
)
app.add_typer(release_app, name="release")

Verbose = Annotated[bool, typer.Option("--verbose", help="Show what Prefect logs.")]
Workers = Annotated[
    int, typer.Option(min=1, help="How many processes; the result does not depend on it.")
]


@app.command()
def build(
    piece: Annotated[
        str,
        typer.Argument(
            help="A piece (all its instruments), an instrument, or a recipe file ending in .toml; "
            "`foils pieces` lists them."
        ),
    ],
    source: Annotated[
        Path,
        typer.Option(help="The source data set's file; `foils sources` says which."),
    ],
    out: Annotated[
        Path, typer.Option(help="Where the build goes, one folder for each instrument.")
    ],
    images: Annotated[
        Path | None,
        typer.Option(
            help="The folder of the source's images. Records whose image is missing or broken are "
            "left out and reported; without this option images are not looked at."
        ),
    ] = None,
    workers: Workers = os.cpu_count() or 1,
    verbose: Verbose = False,
) -> None:
    """Make instances: read, foil, filter, balance. A killed run goes on where it was."""
    from pipeline.balancing.stage import check_balance
    from pipeline.filtering.stage import check_filters
    from pipeline.foiling.stage import check_foiling, require_images
    from pipeline.pieces import find_recipes
    from pipeline.sources.stage import require_source

    recipes = find_recipes(piece)
    for recipe in recipes:
        require_source(recipe.source, source)
        for check in (check_foiling, check_filters, check_balance):
            check(recipe)
    require_images(images)
    with _prefect(verbose):
        from flows.build import build as flow

        records = flow(recipes, source, images, out, workers)
    for record in records:
        _print_funnel(record, out / record.instrument)
        _print_faults(record, out / record.instrument)


@release_app.command("write")
def release_write(
    builds: Annotated[
        list[Path],
        typer.Argument(
            metavar="OUT...",
            help="Folders that `foils build` wrote: an --out, or one instrument in it.",
        ),
    ],
    to: Annotated[Path, typer.Option(help="The release's folder; it must be new or empty.")],
    embed_images: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Put the images of this folder into the Parquet files. Mind their licences.",
        ),
    ] = None,
    overwrite: Annotated[bool, typer.Option(help="Replace a release that is there.")] = False,
    verbose: Verbose = False,
) -> None:
    """Write builds as one release, and verify it."""
    from pipeline.releasing.builds import find_builds

    folders = find_builds(builds)
    with _prefect(verbose):
        from flows.release import release

        written = release(folders, to, embed_images, overwrite)
    print(f"Release: {written}\nCard: {written / 'README.md'}")


@release_app.command("verify")
def release_verify(
    path: Annotated[Path, typer.Argument(help="The release's folder.")],
) -> None:
    """Recompute every figure and checksum of a release; exit with 2 if anything differs."""
    from pipeline.releasing.verify import verify_release

    findings = verify_release(path)
    for finding in findings:
        print(finding)
    if findings:
        raise InputError(f"{len(findings)} findings", where=path)
    print(f"{path}: all figures, checksums and invariants hold")


@release_app.command("import-valse")
def release_import_valse(
    source: Annotated[
        Path, typer.Argument(help="A JSON file in VALSE's format, or a folder of them.")
    ],
    to: Annotated[Path, typer.Option(help="The release's folder; it must be new or empty.")],
) -> None:
    """Turn VALSE's published JSON files into a release."""
    from pipeline.releasing.valse_release import import_valse

    print(f"Release: {import_valse(source, to).path}")


@release_app.command("export-valse")
def release_export_valse(
    path: Annotated[Path, typer.Argument(help="The release's folder.")],
    to: Annotated[Path, typer.Option(help="A folder for the JSON files, one an instrument.")],
) -> None:
    """Write a release as JSON files in VALSE's format, as its evaluation scripts read them."""
    from pipeline.releasing.valse_release import export_valse

    for file in export_valse(path, to):
        print(file)


@app.command()
def evaluate(
    path: Annotated[Path, typer.Argument(metavar="RELEASE", help="The release's folder.")],
    model: Annotated[
        list[str],
        typer.Option(
            metavar="NAME_OR_PATH",
            help="A name (mini-clip, clip, constant, random), a folder with a checkpoint, or a "
            "name on the model hub; give the option once for each model.",
        ),
    ],
    images: Annotated[
        Path | None,
        typer.Option(
            help="The folder of the images; not needed where the release embeds them, or is made "
            "from the bundled sample."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Where the scores go.", show_default="RELEASE-scores beside it"),
    ] = None,
    instrument: Annotated[
        list[str] | None, typer.Option(help="Only this instrument; may be given several times.")
    ] = None,
    batch_size: Annotated[
        int, typer.Option(min=1, help="Images or texts at once; no score depends on it.")
    ] = 32,
    device: Annotated[
        str, typer.Option(help="auto takes a GPU where there is one; or cpu, cuda, cuda:1 ...")
    ] = "auto",
    bf16: Annotated[
        bool, typer.Option("--bf16", help="Encode in bfloat16: faster, scores differ slightly.")
    ] = False,
    verbose: Verbose = False,
) -> None:
    """Score a release: which model prefers the caption to the foil, and how often?"""
    from pipeline.evaluating.scorers import Settings

    settings = Settings(batch_size=batch_size, precision="bf16" if bf16 else "fp32", device=device)
    with _prefect(verbose):
        from flows.evaluate import evaluate_release, scores_folder

        evaluations = evaluate_release(path, model, images, out, instrument or (), settings)
    _print_metrics(evaluations)
    print(f"Scores: {out or scores_folder(path)}")


@app.command()
def report(
    path: Annotated[Path, typer.Argument(metavar="RELEASE", help="The release's folder.")],
    to: Annotated[Path, typer.Option(help="The HTML file to write.")],
    scores: Annotated[
        Path | None,
        typer.Option(
            help="What `foils evaluate` wrote; every model in it is shown.",
            show_default="RELEASE-scores beside it",
        ),
    ] = None,
    images: Annotated[
        Path | None, typer.Option(help="The folder of the images, as for `foils evaluate`.")
    ] = None,
) -> None:
    """Make one HTML page of a release: scores, funnel, balance, and twenty pairs to look at."""
    from flows.environment import prepare_environment

    prepare_environment()
    from flows.evaluate import scores_folder, write_report
    from pipeline.evaluating.runner import read_results

    if to.exists():
        raise InputError("is there already", where=to, remedy="Choose another --to.")
    folder = scores or scores_folder(path)
    if scores is not None and not scores.is_dir():
        raise InputError("there is no such folder", where=scores)
    results = [read_results(entry) for entry in sorted(folder.glob("*/"))]
    write_report(path, [result for result in results if result], images, to)
    print(f"Report: {to}")


@app.command()
def convert(
    checkpoint: Annotated[
        str,
        typer.Argument(metavar="NAME_OR_PATH", help="A folder, or a name on the model hub."),
    ],
    to: Annotated[Path, typer.Option(help="The folder to make; give it to `--model`.")],
) -> None:
    """Turn a checkpoint's pickled weights into safetensors, the only form that is opened."""
    from pipeline.checkpoints import convert_weights

    convert_weights(checkpoint, to)
    print(f"Checkpoint: {to}")


@app.command()
def pieces() -> None:
    """List the instruments there are recipes for."""
    from pipeline.pieces import find_recipes, instruments

    recipes = [find_recipes(name)[0] for name in instruments()]
    rows = [
        (r.piece, r.instrument, r.source.name, r.foiling.name, str(r.balance.size or ""))
        for r in recipes
    ]
    _print_table(("piece", "instrument", "source", "foiling function", "size"), rows)


@app.command()
def sources() -> None:
    """List the data sets that can be read, and which file of each is meant."""
    from pipeline.releasing.credits import read_credits
    from pipeline.sources import SOURCES

    known = read_credits()
    for name in SOURCES:
        credit = known[name]
        print(f"{name}\n  file     {credit.file}\n  from     {credit.url}")
        print(f"  texts    {credit.texts}\n  images   {credit.images}")


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Where the demo's builds, release and report go.")],
    workers: Workers = os.cpu_count() or 1,
    verbose: Verbose = False,
) -> None:
    """Run the whole job on the bundled sample world: build, release, verify, evaluate, report."""
    with _prefect(verbose):
        from flows.demo import demo as flow

        records, evaluations = flow(out, workers)
    for record in records:
        _print_funnel(record, out / "builds" / record.instrument)
    _print_metrics(evaluations)
    print(f"Release: {out / 'release'}\nReport:  {out / 'report.html'}")


@contextmanager
def _prefect(verbose: bool) -> Iterator[None]:
    """Prefect's environment, with its temporary server stopped in the end."""
    from flows.environment import prepare_environment, temporary_server

    prepare_environment(verbose)
    print("Starting Prefect ...", file=sys.stderr)
    with temporary_server():
        yield


def _print_funnel(record: Any, folder: Path) -> None:
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
    _print_table(("stage", "entered", "kept", "dropped"), rows, title=str(folder))


def _print_faults(record: Any, folder: Path) -> None:
    """What is wrong with the source itself, and where each fault is written down."""
    for step in record.funnel:
        for reason in ("bad record", "image cannot be used"):
            if count := step.dropped.get(reason):
                place = folder / step.stage / "rejects-*.parquet"
                print(f"foils: {count} left out: {reason}; see {place}", file=sys.stderr)


def _print_metrics(evaluations: Sequence[Any]) -> None:
    """The metric table of `foils evaluate`."""
    from rich.console import Console

    from pipeline.evaluating.table import metric_table

    console = Console()
    # A row is wider than the 80 columns that a pipe is taken for, and cells cut short say nothing.
    Console(width=max(console.width, 104)).print(metric_table(evaluations))


def _print_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], title: str | None = None
) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*columns, title=title, title_justify="left", box=box.SIMPLE_HEAD)
    for row in rows:
        # Texts come from source files: as `Text` they are printed, not read as markup.
        table.add_row(*map(Text, row))
    Console().print(table)


def main() -> None:
    """Run the command line: errors of the user exit with 2 and one line, our own with 1."""
    try:
        app()
    except InputError as error:
        print(f"foils: {' '.join(str(error).split())}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("foils: stopped; the same command goes on where it was", file=sys.stderr)
        sys.exit(130)
