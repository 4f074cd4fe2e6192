"""Pairs as they are asked for by path: of builds, of releases, or of files in VALSE's format."""

from collections.abc import Sequence
from pathlib import Path

from pipeline.errors import InputError
from pipeline.instance import Instance
from pipeline.releasing.builds import find_builds, read_build
from pipeline.releasing.manifest import MANIFEST
from pipeline.releasing.read import open_release
from pipeline.releasing.valse_json import read_valse_json

_CONFIRMED = 2
"""Annotators out of three who have to choose the caption (VALSE, section 4.4)."""


def read_pairs(paths: Sequence[Path], *, unconfirmed: bool = False) -> dict[str, list[Instance]]:
    """The pairs of each instrument, in the order of the paths.

    Args:
        paths: Folders of builds, or of folders of builds; releases; JSON files in VALSE's format.
        unconfirmed: Whether to take pairs that annotators voted on and did not confirm.

    Returns:
        Instrument -> pairs; under several paths it is named with the path ("plurality (mine)").

    Raises:
        InputError: A path is none of these, or no pair is left.
    """
    found = [(name, path, pairs) for path in paths for name, pairs in _instruments(path).items()]
    names = [name for name, _, _ in found]
    read: dict[str, list[Instance]] = {}
    for name, path, pairs in found:
        shown = name if names.count(name) == 1 else f"{name} ({path})"
        read[shown] = [pair for pair in pairs if unconfirmed or _confirmed(pair)]
        if not read[shown]:
            raise InputError(f"no pair of {name} is left", where=path)
    return read


def _instruments(path: Path) -> dict[str, list[Instance]]:
    if path.is_file():
        pairs = read_valse_json(path)
        names = dict.fromkeys(pair.instrument for pair in pairs)
        return {name: [pair for pair in pairs if pair.instrument == name] for name in names}
    if (path / MANIFEST).is_file():
        release = open_release(path)
        return {name: release.instances(name) for name in release.instruments}
    contents = [read_build(folder) for folder in find_builds([path])]
    return {content.record.instrument: content.instances for content in contents}


def _confirmed(pair: Instance) -> bool:
    return pair.votes is None or pair.votes.caption >= _CONFIRMED
