"""What must hold of every row of a release: its pairs, its pictures and its rejects."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.errors import InputError
from pipeline.instance import Instance, instance_id
from pipeline.releasing.builds import REFUSED_SCHEMA
from pipeline.releasing.manifest import InstrumentEntry, refused_file, rejected_file
from pipeline.releasing.tables import (
    IMAGE,
    read_columns,
    read_instances,
    release_schema,
)

Note = Callable[[str, str], None]
"""Takes which record (or field) is at fault, and what is wrong with it."""


def check_pairs(instances: list[Instance], entry: InstrumentEntry, note: Note) -> None:
    """Check every pair, and that no two have the same id."""
    for name, times in Counter(instance.id for instance in instances).items():
        if times > 1:
            note(f"instance {name}", f"occurs {times} times")
    for instance in instances:
        for problem in _pair_problems(instance, entry):
            note(f"instance {instance.id}", problem)


def _pair_problems(instance: Instance, entry: InstrumentEntry) -> list[str]:
    edit, caption, foil = instance.edit, instance.caption, instance.foil
    starts = caption[: edit.caption_start] == foil[: edit.foil_start]
    ends = caption[edit.caption_end :] == foil[edit.foil_end :]
    spans = 0 <= edit.caption_start <= edit.caption_end <= len(
        caption
    ) and 0 <= edit.foil_start <= edit.foil_end <= len(foil)
    due = instance_id(instance.source, instance.instrument, caption, foil, edit)
    votes = instance.votes
    problems = {
        "has another id than its source, instrument and edit give": due != instance.id,
        f"is of the instrument '{instance.instrument}'": instance.instrument != entry.name,
        f"is of the piece '{instance.piece}'": instance.piece != entry.piece,
        "has no caption": not caption.strip(),
        "has no foil": not foil.strip(),
        # VALSE published some such pairs; an import must give them back.
        "has the same text as caption and as foil": caption == foil and not instance.imported,
        "has an edit outside its texts": not spans,
        "differs outside its edit": spans and not (starts and ends),
        f"was rejected ({instance.rejection})": not instance.kept,
        "names an image outside its folder": not _is_safe_name(instance.image.file_name),
        "has a negative number of votes": votes is not None
        and min(votes.caption, votes.foil, votes.both, votes.neither, votes.cannot_tell) < 0,
    }
    return [problem for problem, holds in problems.items() if holds]


def check_pictures(path: Path, entry: InstrumentEntry, note: Note) -> None:
    """Check types, and that every embedded picture is there and whole, and every other absent.

    Raises:
        InputError: The file is damaged.
    """
    schema = release_schema(images=entry.images_embedded)
    try:
        with pq.ParquetFile(path) as file:
            present = file.schema_arrow
            if not present.remove_metadata().equals(schema.remove_metadata()):
                note("columns", "are not those that the manifest promises")
                return
            if (present.metadata or {}).get(b"huggingface") != schema.metadata[b"huggingface"]:
                note("columns", "have other feature types than a release has")
            if entry.images_embedded:
                _check_embedded(file, note)
    except (OSError, pa.ArrowException) as error:
        raise InputError("is not a whole Parquet file", where=path) from error


def _check_embedded(file: pq.ParquetFile, note: Note) -> None:
    from pipeline.sources.images import decode_image

    for batch in file.iter_batches(batch_size=64, columns=["id", "image_file", IMAGE]):
        for row in batch.to_pylist():
            content = (row[IMAGE] or {}).get("bytes")
            try:
                if not content:
                    raise InputError("the image is missing")
                decode_image(content, row["image_file"])
            except InputError as error:
                note(f"instance {row['id']}", f"{row['image_file']}: {error.problem}")


def check_rejects(release: Path, entry: InstrumentEntry, note_in: Callable[[str], Note]) -> None:
    """Check that what was rejected has its reason, and is as much as manifest and funnel say."""
    instances_file, refused_name = rejected_file(entry.name), refused_file(entry.name)
    reasons: Counter[str] = Counter()
    try:
        rejected = read_instances(release / instances_file)
    except InputError as error:
        note_in(instances_file)("", error.problem)
        return
    try:
        refused = read_columns(release / refused_name, REFUSED_SCHEMA)
    except InputError as error:
        note_in(refused_name)("", error.problem)
        return
    for instance in rejected:
        if instance.kept:
            note_in(instances_file)(f"instance {instance.id}", "was not rejected by any filter")
    _check_count(len(rejected), entry.rejected_instances, note_in(instances_file))
    _check_count(refused.num_rows, entry.refused_sources, note_in(refused_name))
    reasons.update(instance.rejection for instance in rejected)
    reasons.update(refused.column("reason").to_pylist())
    _check_reasons(reasons, entry, note_in("manifest.json"))


def _check_count(rows: int, recorded: int, note: Note) -> None:
    if rows != recorded:
        note("", f"has {rows:,} rows, the manifest says {recorded:,}")


def _check_reasons(reasons: Counter[str], entry: InstrumentEntry, note: Note) -> None:
    dropped: Counter[str] = Counter()
    for step in entry.funnel:
        dropped.update(step.dropped)
    for reason in sorted(reasons.keys() | dropped.keys()):
        if reasons[reason] != dropped[reason]:
            problem = f"dropped {dropped[reason]:,}, but {reasons[reason]:,} are in rejected/"
            note(f"{entry.name}.funnel: {reason}", problem)


def _is_safe_name(name: str) -> bool:
    from pipeline.sources.images import resolve_image

    try:
        # Only the name is judged here; there is no folder to look into.
        resolve_image(Path("images"), name)
    except InputError:
        return False
    return True
