"""The first stage: a source file becomes shards of records."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from pipeline.errors import InputError
from pipeline.pieces import SourceRecipe
from pipeline.sources import COMPANIONS, SOURCES, record_type
from pipeline.sources.records import Reject, records_to_table
from pipeline.store import StageFolder, StageResult, code_fingerprint, file_checksum, fingerprint
from pipeline.workers import Progress

SHARD = 1000


@dataclass(frozen=True, slots=True)
class SourceFiles:
    """The files of one source data set.

    Attributes:
        path: The file that has the records.
        companion: The second file, where the reader needs one.
    """

    path: Path
    companion: Path | None = None


def require_source(recipe: SourceRecipe, path: Path, companion: Path | None = None) -> SourceFiles:
    """Check that there is a source file, and its companion where the reader needs one.

    Args:
        companion: None takes the file of the official name beside the first.

    Raises:
        InputError: One is missing, or a companion is given that the reader does not take.
    """
    if not path.is_file():
        remedy = f"`foils sources` says which file of {recipe.name} is meant."
        raise InputError("there is no such file", where=path, remedy=remedy)
    if recipe.name not in COMPANIONS:
        if companion is not None:
            problem = f"the source '{recipe.name}' is one file and takes no second one"
            raise InputError(problem, where=companion)
        return SourceFiles(path)
    needed = COMPANIONS[recipe.name]
    found = companion or needed.find(path)
    if companion is None and not needed.required and not found.is_file():
        return SourceFiles(path)
    if not found.is_file():
        problem = f"the second file of {recipe.name} ({needed.keyword}) is not there"
        raise InputError(problem, where=found, remedy="Put it beside the first, or give it --with.")
    return SourceFiles(path, found)


def read_fingerprint(recipe: SourceRecipe, files: SourceFiles) -> str:
    """What the stage depends on: code, recipe and the bytes of the source files."""
    code = code_fingerprint("pipeline.sources")
    checksums = [file_checksum(path) for path in (files.path, files.companion) if path]
    return fingerprint("read", code, recipe.model_dump(), checksums)


def read_stage(
    stage: StageFolder, recipe: SourceRecipe, files: SourceFiles, *, progress: Progress
) -> StageResult:
    """Read the source once, front to back, in constant memory.

    Raises:
        InputError: A file cannot be used.
    """
    stage.begin()
    refused: list[Reject] = []
    reader = SOURCES[recipe.name]
    second = {COMPANIONS[recipe.name].keyword: files.companion} if files.companion else {}
    records = reader(files.path, split=recipe.split, refuse=refused.append, **second)
    kind = record_type(reader)
    seen = 0
    for index, shard in enumerate(_chunks(records, SHARD)):
        seen += len(shard) + len(refused)
        stage.write_shard(
            index,
            records_to_table(shard, kind),
            records_to_table(refused, Reject),
            entered=len(shard) + len(refused),
            dropped=Counter(reject.reason for reject in refused),
        )
        refused.clear()
        progress(seen, 0)
    return stage.finish()


def require_records(result: StageResult, source: Path) -> None:
    """Check that the stage, run now or before, kept anything.

    Raises:
        InputError: The source holds nothing to use.
    """
    if not result.kept:
        raise InputError(
            f"holds no usable record ({result.reasons() or 'it is empty'})", where=source
        )


def _chunks(records: Iterator, size: int) -> Iterator[list]:
    """Lists of `size` records; the last may be shorter, and is there even when it is empty."""
    while True:
        chunk = list(islice(records, size))
        yield chunk
        if len(chunk) < size:
            return
