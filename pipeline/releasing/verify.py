"""Is a release what its card and its manifest say? Everything is recomputed from the pairs."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise, zip_longest
from pathlib import Path, PurePosixPath
from typing import Any

from pipeline import store
from pipeline.errors import InputError
from pipeline.instance import Instance
from pipeline.releasing.card import EXAMPLES, render_card
from pipeline.releasing.manifest import (
    CARD,
    MANIFEST,
    InstrumentEntry,
    Manifest,
    data_file,
    instrument_files,
    measured,
    read_manifest,
)
from pipeline.releasing.tables import read_instances
from pipeline.releasing.verify_rows import Note, check_pairs, check_pictures, check_rejects

# A copy from a hub or in a repository holds these beside the release's own files.
_NOT_OURS = frozenset({".git", ".gitattributes", ".cache"})
_LINES_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be.

    Attributes:
        file: The file at fault, relative to the release.
        record: Which record or field in it, or an empty text for the file as a whole.
        problem: What is wrong.
    """

    file: str
    record: str
    problem: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.record, self.problem) if part)


def verify_release(path: Path | str) -> list[Finding]:
    """Recompute every figure of the card and the manifest, every checksum and every invariant.

    Returns:
        What is wrong, one finding each; an empty list for a release as it was written.

    Raises:
        InputError: There is no such folder, or it has no manifest at all.
    """
    path = Path(path)
    try:
        manifest = read_manifest(path)
    except InputError as error:
        if not (path / MANIFEST).is_file():
            raise
        return [Finding(MANIFEST, "", error.problem)]
    findings = list(_check_files(path, manifest))
    computed: list[InstrumentEntry] = []
    examples: dict[str, list[Instance]] = {}
    for entry in manifest.instruments:
        instances, found = _check_instrument(path, entry)
        findings += found
        try:
            computed.append(entry.model_copy(update=measured(instances)))
        except InputError as error:
            findings.append(Finding(data_file(entry.name), "", str(error)))
            continue
        examples[entry.name] = instances[:EXAMPLES]
        findings += _check_figures(entry, computed[-1])
    if len(computed) == len(manifest.instruments):
        truth = manifest.model_copy(update={"instruments": computed})
        findings += _check_card(path, render_card(truth, examples))
    return findings


def _check_files(release: Path, manifest: Manifest) -> Iterator[Finding]:
    names = [entry.name for entry in manifest.instruments]
    if len(set(names)) < len(names):
        yield Finding(MANIFEST, "instruments", "one of them is listed twice")
    expected = {CARD, *(file for name in names for file in instrument_files(name))}
    for name in sorted(expected | manifest.files.keys()):
        if not _stays_inside(release, name):
            yield Finding(MANIFEST, f"files.{name}", "leads out of the release")
        elif name not in manifest.files:
            yield Finding(MANIFEST, f"files.{name}", "is not listed")
        elif name not in expected:
            yield Finding(MANIFEST, f"files.{name}", "is no file of a release")
        else:
            yield from _check_checksum(release, name, manifest)
    present = {
        file.relative_to(release).as_posix()
        for file in release.rglob("*")
        if not file.is_dir() or file.is_symlink()
    }
    ours = {name for name in present if PurePosixPath(name).parts[0] not in _NOT_OURS}
    for name in sorted(ours - manifest.files.keys() - {MANIFEST}):
        yield Finding(name, "", "is not in the manifest")


def _stays_inside(release: Path, name: str) -> bool:
    parts = PurePosixPath(name).parts
    if not parts or PurePosixPath(name).is_absolute() or ".." in parts or "\\" in name:
        return False
    return (release / name).resolve().is_relative_to(release.resolve())


def _check_checksum(release: Path, name: str, manifest: Manifest) -> Iterator[Finding]:
    file, entry = release / name, manifest.files[name]
    if not file.is_file():
        yield Finding(name, "", "is missing")
    elif file.stat().st_size != entry.bytes:
        size = file.stat().st_size
        yield Finding(name, "", f"has {size:,} bytes, the manifest says {entry.bytes:,}")
    elif store.file_checksum(file) != entry.sha256:
        yield Finding(name, "", "has another checksum than the manifest says")


def _check_instrument(
    release: Path, entry: InstrumentEntry
) -> tuple[list[Instance], list[Finding]]:
    """The pairs of an instrument, as far as they can be read, and what is wrong with them."""
    findings: list[Finding] = []

    def note(file: str) -> Note:
        return lambda record, problem: findings.append(Finding(file, record, problem))

    name = data_file(entry.name)
    check_rejects(release, entry, note)
    try:
        instances = read_instances(release / name)
        check_pairs(instances, entry, note(name))
        check_pictures(release / name, entry, note(name))
    except InputError as error:
        instances = []
        findings.append(Finding(name, "", error.problem))
    return instances, findings


def _check_figures(entry: InstrumentEntry, computed: InstrumentEntry) -> Iterator[Finding]:
    recorded, due = entry.model_dump(mode="json"), computed.model_dump(mode="json")
    for name in ("count", "same_texts", "statistics", "votes"):
        for field, written, found in _differences(recorded[name], due[name], name):
            problem = f"is {written!r}, but the pairs give {found!r}"
            yield Finding(MANIFEST, f"{entry.name}.{field}", problem)
    steps = entry.funnel
    for before, after in pairwise(steps):
        if before.kept != after.entered:
            problem = f"{after.entered:,} entered, but the step before kept {before.kept:,}"
            yield Finding(MANIFEST, f"{entry.name}.funnel.{after.stage}", problem)
    if steps and steps[-1].kept != computed.count:
        problem = f"kept {steps[-1].kept:,}, but there are {computed.count:,} pairs"
        yield Finding(MANIFEST, f"{entry.name}.funnel.{steps[-1].stage}", problem)


def _differences(recorded: Any, computed: Any, field: str) -> Iterator[tuple[str, Any, Any]]:
    """Field, recorded and computed value, wherever these are not the same figure."""
    if isinstance(recorded, dict) and isinstance(computed, dict):
        for name in {**recorded, **computed}:
            yield from _differences(recorded.get(name), computed.get(name), f"{field}.{name}")
    elif isinstance(recorded, float) and isinstance(computed, float):
        # Another processor may round the last digit of a logarithm differently.
        if not math.isclose(recorded, computed, rel_tol=1e-9, abs_tol=1e-12):
            yield field, recorded, computed
    elif recorded != computed:
        yield field, recorded, computed


def _check_card(release: Path, rendered: str) -> Iterator[Finding]:
    """Compare the card with the one that the recomputed figures give, line by line."""
    try:
        written = (release / CARD).read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        yield Finding(CARD, "", "cannot be read")
        return
    due = rendered.split("\n")
    shown = 0
    matcher = SequenceMatcher(a=written, b=due, autojunk=False)
    for tag, start, end, due_start, due_end in matcher.get_opcodes():
        if tag == "equal":
            continue
        lines = zip_longest(written[start:end], due[due_start:due_end], fillvalue="")
        for offset, (line, right) in enumerate(lines):
            shown += 1
            if shown <= _LINES_SHOWN:
                place = f"line {start + offset + 1}"
                yield Finding(CARD, place, f"says {line!r}, but the pairs give {right!r}")
    if shown > _LINES_SHOWN:
        yield Finding(CARD, "", f"differs in {shown - _LINES_SHOWN} more lines")
