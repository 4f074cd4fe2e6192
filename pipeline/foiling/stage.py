"""The second stage: source records become candidate instances, shard by shard."""

import inspect
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet as pq

from pipeline import DATA
from pipeline.errors import InputError, Refusal
from pipeline.foiling import FOILING
from pipeline.foiling.target import Target
from pipeline.instance import Instance, to_table
from pipeline.pieces import Recipe
from pipeline.registry import check_options
from pipeline.sources import SOURCES, record_type
from pipeline.sources.images import check_image
from pipeline.sources.records import Reject, records_from_table, records_to_table
from pipeline.store import (
    StageFolder,
    StageResult,
    code_fingerprint,
    fingerprint,
    folder_fingerprint,
    parts,
)
from pipeline.workers import Progress, run_shards


def check_foiling(recipe: Recipe) -> None:
    """Check before anything runs that the function exists and takes these options and this source.

    Raises:
        InputError: It does not; the message names the recipe's field.
    """
    function = FOILING[recipe.foiling.name]
    check_options("foiling function", recipe.foiling.name, function, recipe.foiling.options)
    wanted = next(iter(inspect.signature(function).parameters.values())).annotation
    given = record_type(SOURCES[recipe.source.name])
    if wanted is not given:
        raise InputError(
            f"the foiling function '{recipe.foiling.name}' takes a {wanted.__name__}, "
            f"but the source '{recipe.source.name}' gives a {given.__name__}",
            where=recipe.instrument,
        )


def foil_fingerprint(recipe: Recipe, read: str, images: Path | None) -> str:
    """What the stage depends on: code, lexicons, recipe, the records read, and the images."""
    code = code_fingerprint("pipeline.foiling", "pipeline.language", "pipeline.instance")
    lexicons = folder_fingerprint(DATA / "lexicons")
    named = recipe.model_dump(include={"piece", "instrument", "seed", "foiling"})
    return fingerprint("foil", code, lexicons, named, read, _image_sizes(images))


def foil_stage(
    stage: StageFolder,
    recipe: Recipe,
    records: Path,
    images: Path | None,
    *,
    workers: int,
    progress: Progress,
) -> StageResult:
    """Foil every record of the read stage; a refused one is written with its reason."""
    shards = [(part, recipe, images) for part in parts(records)]
    return run_shards(stage, foil_shard, shards, workers=workers, progress=progress)


def require_candidates(result: StageResult, recipe: Recipe, folder: Path) -> None:
    """Check that the stage, run now or before, made anything; `folder` is the stage's.

    Raises:
        InputError: No record gave a foil.
    """
    if not result.kept:
        raise InputError(
            f"no foil could be made ({result.reasons()})",
            where=recipe.instrument,
            remedy=f"{folder} holds each record with its reason in rejects-*.parquet.",
        )


def foil_shard(
    stage: StageFolder, index: int, part: Path, recipe: Recipe, images: Path | None
) -> None:
    """Foil the records of one Parquet file and write the shard."""
    function = FOILING[recipe.foiling.name]
    target = Target(recipe.piece, recipe.instrument, recipe.seed)
    records: list[Any] = records_from_table(
        pq.read_table(part), record_type(SOURCES[recipe.source.name])
    )
    instances: list[Instance] = []
    rejects: list[Reject] = []
    for record in records:
        # Seeded by the record, so that neither its place nor the number of workers matters.
        rng = Random(f"{recipe.seed}/{recipe.instrument}/{record.id}")
        try:
            made = list(function(record, rng, target, **recipe.foiling.options))
            if made:
                _require_image(images, record.image.file_name)
            else:
                raise Refusal("outside the instrument's range")
        except Refusal as refusal:
            rejects.append(
                Reject(record.dataset, record.id, record.text, refusal.reason, refusal.detail)
            )
        else:
            instances += made
    stage.write_shard(
        index,
        to_table(instances),
        records_to_table(rejects, Reject),
        entered=len(records),
        dropped=Counter(reject.reason for reject in rejects),
    )


def _require_image(images: Path | None, file_name: str) -> None:
    problem = check_image(images, file_name) if images else None
    if problem:
        raise Refusal("image cannot be used", f"{file_name}: {problem}")


def require_images(images: Path | None) -> None:
    """Check that the folder of images, if one is given, exists.

    Raises:
        InputError: It does not.
    """
    if images is not None and not images.is_dir():
        raise InputError("there is no such folder", where=images, remedy="Give --images a folder.")


def _image_sizes(images: Path | None) -> dict[str, int] | None:
    """Name -> bytes of every image; reading them all to hash them would take longer than the work.

    Raises:
        InputError: There is no such folder.
    """
    require_images(images)
    if images is None:
        return None
    files = (path for path in images.rglob("*") if path.is_file())
    return {path.relative_to(images).as_posix(): path.stat().st_size for path in files}
