"""The command `foils`. Each subcommand imports what it needs when it runs, so that help is fast."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from flows.audit_cli import audit
from flows.printing import print_faults, print_funnel, print_metrics, print_table
from flows.release_cli import release_app
from flows.running import CORES, HELP, Verbose, Workers, running_prefect
from pipeline.errors import InputError

app = typer.Typer(
    help="Make vision-and-language foil benchmarks: source data in, scored releases out.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings=HELP,
)
app.add_typer(release_app, name="release")
app.command()(audit)


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
    companion: Annotated[
        Path | None,
        typer.Option(
            "--with",
            help="The second file of a source that has two; looked for beside the first.",
        ),
    ] = None,
    models: Annotated[
        str,
        typer.Option(
            metavar="PROFILE",
            help="Which checkpoints propose and filter: embedded (they come with this project), or "
            "paper (those of the papers, downloaded), or a profile of your own ending in .toml.",
        ),
    ] = "embedded",
    workers: Workers = CORES,
    verbose: Verbose = False,
) -> None:
    """Make instances: read, foil, filter, balance. A killed run goes on where it was."""
    from pipeline.balancing.stage import check_balance
    from pipeline.filtering.stage import check_filters
    from pipeline.foiling.stage import check_foiling, require_images
    from pipeline.models import read_profile
    from pipeline.pieces import find_recipes
    from pipeline.sources.stage import require_source

    recipes = find_recipes(piece)
    for recipe in recipes:
        files = require_source(recipe.source, source, companion)
        for check in (check_foiling, check_filters, check_balance):
            check(recipe)
    require_images(images)
    read_profile(models)
    with running_prefect(verbose):
        from flows.build import Means
        from flows.build import build as flow

        records = flow(recipes, files, Means(images, models, workers), out)
    for record in records:
        print_funnel(record, out / record.instrument)
        print_faults(record, out / record.instrument)


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
    with running_prefect(verbose):
        from flows.evaluate import evaluate_release, scores_folder

        evaluations = evaluate_release(path, model, images, out, instrument or (), settings)
    print_metrics(evaluations)
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
        typer.Argument(
            metavar="NAME_OR_PATH",
            help="A folder, a name on the model hub, or the authors' archive of SpanBERT.",
        ),
    ],
    to: Annotated[
        Path,
        typer.Option(help="The folder to make, for `--model` or a profile."),
    ],
    vocabulary: Annotated[
        str | None,
        typer.Option(
            metavar="NAME_OR_PATH",
            help="For SpanBERT's archive, which has none: a folder with the vocab.txt of BERT, "
            "cased; without it google-bert/bert-large-cased of the model hub.",
        ),
    ] = None,
) -> None:
    """Turn a checkpoint's pickled weights into safetensors, the only form that is opened."""
    from pipeline.converting import convert_weights

    convert_weights(checkpoint, to, vocabulary)
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
    print_table(("piece", "instrument", "source", "foiling function", "size"), rows)


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
    workers: Workers = CORES,
    verbose: Verbose = False,
) -> None:
    """Run the whole job on the bundled sample world: build, release, verify, evaluate, report."""
    with running_prefect(verbose):
        from flows.demo import demo as flow

        records, evaluations = flow(out, workers)
    for record in records:
        print_funnel(record, out / "builds" / record.instrument)
    print_metrics(evaluations)
    print(f"Release: {out / 'release'}\nReport:  {out / 'report.html'}")


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
