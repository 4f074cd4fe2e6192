"""VALSE's published files become a release, and a release becomes files in VALSE's format."""

from itertools import groupby
from pathlib import Path

from pipeline import store
from pipeline.errors import InputError
from pipeline.instance import Instance
from pipeline.releasing.builds import BuildRecord, Content
from pipeline.releasing.credits import VALSE
from pipeline.releasing.read import Release, open_release
from pipeline.releasing.valse_formats import FORMATS
from pipeline.releasing.valse_json import read_valse_json, write_valse_json
from pipeline.releasing.write import write_contents


def import_valse(
    path: Path,
    to: Path,
    *,
    embed_images: Path | None = None,
    overwrite: bool = False,
) -> Release:
    """Make a release of one file in VALSE's format, or of all `*.json` files of a folder.

    The pairs stay as they were published, with their defects; `export_valse` gives the same
    records back.

    Raises:
        InputError: A file cannot be used, two hold the same instrument, or `to` holds something
            that may not be replaced.
    """
    path = Path(path)
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not files:
        raise InputError("holds no *.json file", where=path)
    contents = [content for file in files for content in _contents(file)]
    return write_contents(contents, Path(to), embed_images=embed_images, overwrite=overwrite)


def export_valse(release: Path, to: Path, *, overwrite: bool = False) -> list[Path]:
    """Write each instrument of a release in VALSE's format, under the name of VALSE's own file.

    Returns:
        The files written, one per instrument.

    Raises:
        InputError: It is no release, or one of the files is there already.
    """
    opened, to = open_release(release), Path(to)
    files = {
        name: to / f"{FORMATS[name].file if name in FORMATS else name}.json"
        for name in opened.instruments
    }
    for file in files.values():
        if file.exists() and not overwrite:
            raise InputError(
                "is there already", where=file, remedy="Choose another --to, or use --overwrite."
            )
    to.mkdir(parents=True, exist_ok=True)
    for name, file in files.items():
        write_valse_json(opened.instances(name), file)
    return list(files.values())


def _contents(file: Path) -> list[Content]:
    instances = sorted(read_valse_json(file), key=lambda instance: instance.instrument)
    groups = groupby(instances, key=lambda instance: instance.instrument)
    return [_content(list(group), file) for _, group in groups]


def _content(instances: list[Instance], file: Path) -> Content:
    first = instances[0]
    sources = sorted({instance.source.dataset for instance in instances})
    record = BuildRecord(
        piece=first.piece,
        instrument=first.instrument,
        recipe={},
        fingerprint=store.fingerprint("valse", store.file_checksum(file)),
        sources=[VALSE, *sources],
        stages=[],
        funnel=[],
    )
    return Content(record, instances, imported_from=file.name)
