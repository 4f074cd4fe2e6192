"""The command `foils`. Each subcommand imports what it needs when it runs, so that help is fast."""

import os
import sys
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
    from pipeline.foiling.stage import check_foiling
    from pipeline.pieces import find_recipes

    recipes = find_recipes(piece)
    for recipe in recipes:
        check_foiling(recipe)
    with _prefect(verbose):
        from flows.build import build as flow

        records = flow(recipes, source, images, out, workers)
    for record in records:
        _print_funnel(record, out / record.instrument)


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
    from pipeline.releasing.write import import_valse

    print(f"Release: {import_valse(source, to).path}")


@release_app.command("export-valse")
def release_export_valse(
    path: Annotated[Path, typer.Argument(help="The release's folder.")],
    to: Annotated[Path, typer.Option(help="A folder for the JSON files, one an instrument.")],
) -> None:
    """Write a release as JSON files in VALSE's format, as its evaluation scripts read them."""
    from pipeline.releasing.write import export_valse

    for file in export_valse(path, to):
        print(file)


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
