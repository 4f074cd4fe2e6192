"""Comparing folders byte by byte."""

from pathlib import Path


def bytes_below(folder: Path) -> dict[str, bytes]:
    """Path below the folder -> content of every file."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
