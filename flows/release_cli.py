"""The commands `foils release ...`."""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from flows.running import HELP, Verbose, running_prefect
from pipeline.errors import InputError

Overwrite = Annotated[bool, typer.Option(help="Replace what is there.")]


class _WritesByDefault(TyperGroup):
    """`foils release OUT... --to DIR` is `foils release write OUT... --to DIR`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = ["write", *args]
        return super().parse_args(ctx, args)


release_app = typer.Typer(
    cls=_WritesByDefault,
    help="Write builds as a release that `datasets` loads: foils release OUT... --to DIR.",
    no_args_is_help=True,
    context_settings=HELP,
)


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
    overwrite: Overwrite = False,
    verbose: Verbose = False,
) -> None:
    """Write builds as one release, and verify it."""
    from pipeline.releasing.builds import find_builds

    folders = find_builds(builds)
    with running_prefect(verbose):
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
    overwrite: Overwrite = False,
) -> None:
    """Turn VALSE's published JSON files into a release."""
    from pipeline.releasing.valse_release import import_valse

    print(f"Release: {import_valse(source, to, overwrite=overwrite).path}")


@release_app.command("export-valse")
def release_export_valse(
    path: Annotated[Path, typer.Argument(help="The release's folder.")],
    to: Annotated[Path, typer.Option(help="A folder for the JSON files, one an instrument.")],
    overwrite: Overwrite = False,
) -> None:
    """Write a release as JSON files in VALSE's format, as its evaluation scripts read them."""
    from pipeline.releasing.valse_release import export_valse

    for file in export_valse(path, to, overwrite=overwrite):
        print(file)


@release_app.command("export-checklist")
def release_export_checklist(
    path: Annotated[
        Path,
        typer.Argument(
            help="A release, a folder that `foils build` wrote, or a JSON file in VALSE's format."
        ),
    ],
    to: Annotated[
        Path, typer.Option(help="The file of the suite; its examples go beside it as .tsv.")
    ],
    instrument: Annotated[
        list[str] | None, typer.Option(help="Only this instrument; may be given several times.")
    ] = None,
) -> None:
    """Write pairs as a test suite of CheckList, for its own runner."""
    from pipeline.registry import unknown_name
    from pipeline.releasing.checklist_suite import write_suite
    from pipeline.releasing.pairs import read_pairs

    pairs = read_pairs([path])
    for name in instrument or ():
        if name not in pairs:
            raise unknown_name("instrument here", name, list(pairs))
    chosen = {name: pairs[name] for name in instrument or pairs}
    print(f"Examples: {write_suite(chosen, to)}\nSuite: {to}")
