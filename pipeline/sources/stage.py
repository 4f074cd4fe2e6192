"""The first stage: a source file becomes shards of records."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from pipeline.errors import InputError
from pipeline.pieces import SourceRecipe
from pipeline.sources import SOURCES, record_type
from pipeline.sources.records import Reject, records_to_table
from pipeline.store import StageFolder, StageResult, code_fingerprint, file_checksum, fingerprint
from pipeline.workers import Progress

SHARD = 1000


def require_source(recipe: SourceRecipe, source: Path) -> None:
    """Check that there is a source file.

    Raises:
        InputError: There is none.
    """
    if not source.is_file():
        raise InputError(
            "there is no such file",
            where=source,
            remedy=f"`foils sources` says which file of {recipe.name} is meant.",
        )


def read_fingerprint(recipe: SourceRecipe, source: Path) -> str:
    """What the stage depends on: code, recipe and the bytes of the source file.

    Raises:
        InputError: There is no such file.
    """
    require_source(recipe, source)
    code = code_fingerprint("pipeline.sources")
    return fingerprint("read", code, recipe.model_dump(), file_checksum(source))


def read_stage(
    stage: StageFolder, recipe: SourceRecipe, source: Path, *, progress: Progress
) -> StageResult:
    """Read the source once, front to back, in constant memory.

    Raises:
        InputError: The file cannot be used.
    """
    stage.begin()
    refused: list[Reject] = []
    reader = SOURCES[recipe.name]
    records = reader(source, recipe.split, refuse=refused.append)
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
