"""What a build left in its folder: `build.json` and the stage folders beside it."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pipeline import store
from pipeline.errors import InputError
from pipeline.instance import SCHEMA, Instance
from pipeline.releasing.tables import read_instances

BUILD = "build.json"
NAME = r"^[a-z0-9][a-z0-9-]*$"
"""What names of instruments and stages look like; they become names of folders."""

REFUSED_SCHEMA = pa.schema(
    [(name, pa.string()) for name in ("dataset", "id", "text", "reason", "detail")]
)
"""The columns of source records that were refused."""


class FunnelStep(BaseModel):
    """How many records entered a stage, how many it kept, and why it dropped the others."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    stage: str
    entered: int = Field(ge=0)
    kept: int = Field(ge=0)
    dropped: dict[str, Annotated[int, Field(ge=0)]] = {}


class BuildRecord(BaseModel):
    """The content of `build.json`.

    Attributes:
        recipe: The piece's TOML as parsed.
        fingerprint: Covers code, recipe, source and checkpoints.
        sources: Names of the data sets that were read.
        stages: Names of the stage folders in order; the last one holds the instances.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal[1] = 1
    piece: str
    instrument: str = Field(pattern=NAME)
    recipe: dict[str, Any]
    fingerprint: str = Field(pattern=r"^[0-9a-f]+$")
    sources: list[str]
    stages: list[Annotated[str, Field(pattern=NAME)]]
    funnel: list[FunnelStep]


class _StageManifest(BaseModel):
    """What is read of the `manifest.json` of a stage folder."""

    entered: int
    kept: int
    dropped: dict[str, int]
    files: dict[str, str]


@dataclass(frozen=True, slots=True)
class Content:
    """All that a release says about one instrument.

    Attributes:
        rejected: Parquet files of instances that a filter or the balancing rejected.
        refused: Parquet files of source records that could not be used.
        imported_from: Name of the published file that the instances come from, if they do.
    """

    record: BuildRecord
    instances: list[Instance]
    rejected: tuple[Path, ...] = ()
    refused: tuple[Path, ...] = ()
    imported_from: str = ""


def find_builds(paths: Sequence[Path]) -> list[Path]:
    """The builds at these paths: each is a build, or a folder that holds nothing but builds.

    Raises:
        InputError: A path is no build and holds none, or one of its folders is unfinished.
    """
    builds: list[Path] = []
    for path in paths:
        if (path / BUILD).is_file():
            builds.append(path)
            continue
        if not path.is_dir():
            raise InputError("there is no such folder", where=path)
        inside = sorted(f for f in path.iterdir() if f.is_dir() and not f.name.startswith("."))
        unfinished = next((folder for folder in inside if not (folder / BUILD).is_file()), None)
        if unfinished is not None or not inside:
            raise _not_finished(unfinished or path)
        builds += inside
    return builds


def read_build(folder: Path) -> Content:
    """Read a finished build.

    Raises:
        InputError: The folder holds no finished build, or one of its files has been changed.
    """
    record = _read_record(folder)
    if not record.stages:
        raise InputError("names no stage", where=folder / BUILD)
    steps = {step.stage: step for step in record.funnel}
    rejected: list[Path] = []
    refused: list[Path] = []
    for stage in record.stages:
        _check_stage(folder / stage, steps.get(stage))
        for path in sorted((folder / stage).glob("rejects-*.parquet")):
            (rejected if _is_of_instances(path) else refused).append(path)
    parts = store.parts(folder / record.stages[-1])
    instances = [instance for part in parts for instance in read_instances(part)]
    if not instances:
        raise InputError(
            "no instance is left to release",
            where=folder,
            remedy="Its funnel in build.json says where they went.",
        )
    return Content(record, instances, tuple(rejected), tuple(refused))


def read_batches(paths: tuple[Path, ...], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The rows of Parquet files of this schema, some thousand at a time."""
    for path in paths:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=4096):
                yield pa.RecordBatch.from_arrays(batch.columns, schema=schema)


def _read_record(folder: Path) -> BuildRecord:
    path = folder / BUILD
    try:
        return BuildRecord.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except (FileNotFoundError, NotADirectoryError):
        raise _not_finished(folder) from None
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise InputError(f"field '{field}' is wrong ({first['msg']})", where=path) from error
    except ValueError as error:
        raise InputError(f"is not whole JSON ({error})", where=path) from error


def _not_finished(folder: Path) -> InputError:
    return InputError(
        "is not a finished build", where=folder, remedy="Run `foils build` to its end."
    )


def _check_stage(stage: Path, step: FunnelStep | None) -> None:
    """A stage must be the one that the record speaks of, with every file as it was written."""
    try:
        manifest = _StageManifest.model_validate_json((stage / store.MANIFEST).read_bytes())
    except (OSError, ValueError) as error:
        raise InputError(
            "the stage is not complete", where=stage, remedy="Run `foils build` again."
        ) from error
    done = FunnelStep(
        stage=stage.name, entered=manifest.entered, kept=manifest.kept, dropped=manifest.dropped
    )
    if done != step:
        raise InputError(
            f"does not agree with {BUILD}", where=stage, remedy="Run `foils build` to its end."
        )
    present = {path.name for path in stage.glob("*.parquet")}
    for name in sorted(manifest.files.keys() | present):
        path = stage / name
        known = name in manifest.files and name in present
        if not known or store.file_checksum(path) != manifest.files[name]:
            raise InputError(
                "is not the file that the build wrote", where=path, remedy="Build it again."
            )


def _is_of_instances(path: Path) -> bool:
    schema = pq.read_schema(path).remove_metadata()
    if schema.names not in (SCHEMA.names, REFUSED_SCHEMA.names):
        raise InputError("holds neither instances nor refused records", where=path)
    return schema.names == SCHEMA.names
