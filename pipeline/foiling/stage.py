"""The second stage: source records become candidate instances, shard by shard."""

import inspect
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet as pq

from pipeline import DATA
from pipeline.errors import InputError, Refusal
from pipeline.foiling import CORPUS_SURVEYS, FOILING, MODEL_ROLES, PREPARATIONS
from pipeline.foiling.target import Target
from pipeline.instance import Instance, to_table
from pipeline.models import role_fingerprints
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

# What the program gives to foiling functions and their companions, beside a recipe's options.
_SUPPLIED = ("prepared", "profile", "survey")


def check_foiling(recipe: Recipe) -> None:
    """Check before anything runs that the function exists and takes these options and this source.

    Raises:
        InputError: It does not; the message names the recipe's field.
    """
    name = recipe.foiling.name
    function = FOILING[name]
    steps = [registry[name] for registry in (PREPARATIONS, CORPUS_SURVEYS) if name in registry]
    check_options(
        "foiling function", name, function, recipe.foiling.options, _SUPPLIED, shared_with=steps
    )
    wanted = _first_annotation(function)
    given = record_type(SOURCES[recipe.source.name])
    if not issubclass(given, wanted):
        raise InputError(
            f"the foiling function '{recipe.foiling.name}' takes a {wanted.__name__}, "
            f"but the source '{recipe.source.name}' gives a {given.__name__}",
            where=recipe.instrument,
        )


def _first_annotation(function: Any) -> type:
    """The type of record that a foiling function takes."""
    annotation = next(iter(inspect.signature(function).parameters.values())).annotation
    return function.__globals__[annotation] if isinstance(annotation, str) else annotation


def foil_fingerprint(recipe: Recipe, read: str, images: Path | None, profile: str) -> str:
    """What the stage depends on: code, lexicons, models, recipe, the records, and the images."""
    code = code_fingerprint(
        "pipeline.foiling", "pipeline.language", "pipeline.proposing", "pipeline.instance"
    )
    models = role_fingerprints(MODEL_ROLES.get(recipe.foiling.name, ()), profile)
    lexicons = folder_fingerprint(DATA / "lexicons")
    named = recipe.model_dump(include={"piece", "instrument", "seed", "foiling"})
    return fingerprint("foil", code, lexicons, models, named, read, _image_sizes(images))


def foil_stage(
    stage: StageFolder,
    recipe: Recipe,
    records: Path,
    images: Path | None,
    profile: str,
    *,
    workers: int,
    progress: Progress,
) -> StageResult:
    """Foil every record of the read stage; a refused one is written with its reason."""
    inputs = parts(records)
    survey = _survey(recipe, inputs, profile)
    return run_shards(
        stage,
        foil_shard,
        [(part,) for part in inputs],
        common=(recipe, images, profile, survey),
        workers=workers,
        progress=progress,
    )


def _survey(recipe: Recipe, inputs: list[Path], profile: str) -> Any:
    """What the foiling function has to know of all records; None if nothing."""
    name = recipe.foiling.name
    if name not in CORPUS_SURVEYS:
        return None
    batches = (_records(part, recipe) for part in inputs)
    survey = CORPUS_SURVEYS[name]
    return survey(batches, profile=profile, **_taken_by(survey, recipe.foiling.options))


def _prepared(recipe: Recipe, records: list[Any], profile: str, survey: Any) -> list[dict]:
    """The keywords for each record's foiling: what the preparation made of it, if there is one."""
    name = recipe.foiling.name
    if name not in PREPARATIONS:
        return [{}] * len(records)
    prepare = PREPARATIONS[name]
    options = _taken_by(prepare, recipe.foiling.options)
    made = prepare(records, profile=profile, survey=survey, **options)
    return [{"prepared": prepared} for prepared in made]


def _taken_by(function: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Those of the recipe's options that a function takes."""
    parameters = inspect.signature(function).parameters
    return {name: value for name, value in options.items() if name in parameters}


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
    stage: StageFolder,
    index: int,
    part: Path,
    recipe: Recipe,
    images: Path | None,
    profile: str,
    survey: Any,
) -> None:
    """Foil the records of one Parquet file and write the shard."""
    function = FOILING[recipe.foiling.name]
    target = Target(recipe.piece, recipe.instrument, recipe.seed)
    options = _taken_by(function, recipe.foiling.options)
    records = _records(part, recipe)
    instances: list[Instance] = []
    rejects: list[Reject] = []

    def reject(record: Any, refusal: Refusal) -> None:
        rejects.append(
            Reject(record.dataset, record.id, record.text, refusal.reason, refusal.detail)
        )

    for record, prepared in zip(records, _prepared(recipe, records, profile, survey), strict=True):
        # Seeded by the record, so that neither its place nor the number of workers matters.
        rng = Random(f"{recipe.seed}/{recipe.instrument}/{record.id}")
        try:
            made = list(function(record, rng, target, **options, **prepared))
            if any(isinstance(one, Instance) for one in made):
                _require_image(images, record.image.file_name)
            elif not made:
                raise Refusal("outside the instrument's range")
        except Refusal as refusal:
            reject(record, refusal)
            continue
        for one in made:
            if isinstance(one, Refusal):
                reject(record, one)
            else:
                instances.append(one)
    stage.write_shard(
        index,
        to_table(instances),
        records_to_table(rejects, Reject),
        entered=len(records),
        dropped=Counter(reject.reason for reject in rejects),
    )


def _records(part: Path, recipe: Recipe) -> list[Any]:
    return records_from_table(pq.read_table(part), record_type(SOURCES[recipe.source.name]))


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
