"""Stage folders: every stage writes one, whole or not at all, and a killed run goes on from it.

A stage folder holds `part-NNNNN.parquet` (what was kept), `rejects-NNNNN.parquet` (what was not,
with the reason) and, once the stage is complete, `manifest.json` with its fingerprint, counts and
checksums. A shard in between is marked done by `shard-NNNNN.json`. Every file is written under
another name and then renamed, so a file that is there is whole.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.errors import InputError

MANIFEST = "manifest.json"
_OURS = re.compile(r"((part|rejects)-\d{5}\.parquet|shard-\d{5}\.json|manifest\.json)(\.partial)?")


def fingerprint(*parts: Any) -> str:
    """Hash JSON-able values into 32 hexadecimal digits; the order of keys does not matter."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def digest(text: str) -> int:
    """Hash a text into a number of 64 bits: what a draw or a comparison needs of it."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())


def file_checksum(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def code_fingerprint(*names: str) -> str:
    """Hash the source text of modules and packages, so that edited code is never mistaken for done.

    Args:
        names: Importable names ("pipeline.language"); a package counts with all that it contains.
    """
    digests: dict[str, str] = {}
    for name in names:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise ModuleNotFoundError(name)
        origin = Path(spec.origin)
        files = origin.parent.rglob("*.py") if origin.name == "__init__.py" else [origin]
        digests |= {f"{name}/{p.relative_to(origin.parent)}": file_checksum(p) for p in files}
    return fingerprint(digests)


def folder_fingerprint(folder: Path) -> str:
    """Hash names and contents of all files below a folder of data that rules depend on."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return fingerprint({path.relative_to(folder).as_posix(): file_checksum(path) for path in files})


def write_text(path: Path, text: str) -> None:
    """Write a text file whole or not at all."""
    partial = path.with_name(path.name + ".partial")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)


def write_json(path: Path, value: Any) -> None:
    """Write JSON whole or not at all, keys in the order given."""
    write_text(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def write_parquet(path: Path, table: pa.Table) -> None:
    """Write a Parquet file whole or not at all; equal tables give equal bytes."""
    partial = path.with_name(path.name + ".partial")
    pq.write_table(table, partial, compression="zstd")
    partial.replace(path)


@dataclass(frozen=True, slots=True)
class StageResult:
    """What a complete stage did.

    Attributes:
        entered: How many records came in.
        kept: How many records went on.
        dropped: Reason -> how many records it stopped.
        files: File name -> SHA-256.
    """

    fingerprint: str
    entered: int
    kept: int
    dropped: dict[str, int]
    files: dict[str, str] = field(default_factory=dict)

    def reasons(self) -> str:
        """Why records were dropped, for a message ("3 vague answer, 1 no answer")."""
        return ", ".join(f"{count} {reason}" for reason, count in self.dropped.items())


class StageFolder:
    """One stage's folder, for one fingerprint of code, configuration, input and checkpoints."""

    def __init__(self, path: Path, stage_fingerprint: str) -> None:
        self.path = path
        self.fingerprint = stage_fingerprint

    def result(self) -> StageResult | None:
        """What the stage did if it is complete, unchanged and of this fingerprint, else None."""
        recorded = _read_record(self.path / MANIFEST)
        if recorded is None or recorded.fingerprint != self.fingerprint:
            return None
        return recorded if self._holds(recorded.files) else None

    def begin(self) -> None:
        """Make the folder ready: shards of this fingerprint stay, all else of ours goes.

        Raises:
            InputError: The folder holds files that no stage wrote.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        names = sorted(entry.name for entry in self.path.iterdir())
        strangers = [name for name in names if not _OURS.fullmatch(name)]
        if strangers:
            raise InputError(
                f"holds '{strangers[0]}', which is not part of a build",
                where=self.path,
                remedy="Choose another --out, or move that file away.",
            )
        current = {name for index in self._done_shards() for name in _shard_names(index)}
        for name in names:
            if name not in current:
                (self.path / name).unlink()

    def has_shard(self, index: int) -> bool:
        """Whether this shard is already written for this fingerprint."""
        record = _read_record(self.path / f"shard-{index:05d}.json")
        return (
            record is not None
            and record.fingerprint == self.fingerprint
            and self._holds(record.files)
        )

    def write_shard(
        self,
        index: int,
        kept: pa.Table,
        rejects: pa.Table,
        *,
        entered: int,
        dropped: Mapping[str, int],
    ) -> None:
        """Write what one shard kept and rejected, and mark it done."""
        part, reject_file, record = (self.path / name for name in _shard_names(index))
        write_parquet(part, kept)
        write_parquet(reject_file, rejects)
        files = {file.name: file_checksum(file) for file in (part, reject_file)}
        result = StageResult(
            self.fingerprint, entered, kept.num_rows, dict(sorted(dropped.items())), files
        )
        write_json(record, asdict(result))

    def finish(self) -> StageResult:
        """Sum up the shards into the manifest, which makes the stage complete."""
        records = sorted(self.path.glob("shard-*.json"))
        shards = [shard for record in records if (shard := _read_record(record)) is not None]
        dropped: Counter[str] = Counter()
        files: dict[str, str] = {}
        for shard in shards:
            dropped.update(shard.dropped)
            files |= shard.files
        result = StageResult(
            self.fingerprint,
            entered=sum(shard.entered for shard in shards),
            kept=sum(shard.kept for shard in shards),
            dropped=dict(sorted(dropped.items(), key=lambda item: (-item[1], item[0]))),
            files=files,
        )
        write_json(self.path / MANIFEST, asdict(result))
        for record in records:
            record.unlink()
        return result

    def _done_shards(self) -> list[int]:
        indices = [int(path.stem[-5:]) for path in self.path.glob("shard-?????.json")]
        return [index for index in indices if self.has_shard(index)]

    def _holds(self, files: Mapping[str, str]) -> bool:
        paths = {self.path / name: checksum for name, checksum in files.items()}
        return all(p.is_file() and file_checksum(p) == checksum for p, checksum in paths.items())


def parts(folder: Path) -> list[Path]:
    """The Parquet files of what a stage kept, in order."""
    return sorted(folder.glob("part-?????.parquet"))


def read_rows(paths: Iterable[Path]) -> pa.Table:
    """The rows of several Parquet files of one schema as one table.

    Raises:
        ValueError: There is no file.
    """
    return pa.concat_tables(pq.read_table(path) for path in paths)


def _shard_names(index: int) -> tuple[str, str, str]:
    return (
        f"part-{index:05d}.parquet",
        f"rejects-{index:05d}.parquet",
        f"shard-{index:05d}.json",
    )


def _read_record(path: Path) -> StageResult | None:
    try:
        return StageResult(**json.loads(path.read_text(encoding="utf-8")))
    except (FileNotFoundError, json.JSONDecodeError, TypeError):
        # An unreadable record means that the work was not finished; it is then done again.
        return None
