"""Builds become a release: a folder that is whole or absent, and that `datasets` opens."""

import glob
import secrets
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from pipeline import store
from pipeline.errors import InputError
from pipeline.instance import SCHEMA
from pipeline.releasing.builds import REFUSED_SCHEMA, Content, read_batches, read_build
from pipeline.releasing.card import EXAMPLES, render_card
from pipeline.releasing.manifest import (
    CARD,
    MANIFEST,
    FileEntry,
    InstrumentEntry,
    Manifest,
    data_file,
    figure_file,
    measured,
    read_manifest,
    refused_file,
    rejected_file,
    tool_version,
)
from pipeline.releasing.read import Release, open_release
from pipeline.releasing.tables import write_batches, write_instances


def write_release(
    builds: Sequence[Path],
    to: Path,
    *,
    embed_images: Path | None = None,
    overwrite: bool = False,
) -> Release:
    """Write finished builds as one release; the first one is the default configuration.

    The same builds give the same bytes.

    Args:
        builds: Folders that hold `build.json`, one per instrument.
        to: The folder to write; it appears when it is complete.
        embed_images: The folder of the pictures, to put them into the Parquet files.
        overwrite: Whether a release that is already there may be replaced.

    Raises:
        InputError: A build is unfinished, changed or given twice; a picture is missing, damaged
            or outside its folder; or `to` holds something that may not be replaced.
    """
    if not builds:
        raise InputError("no build was given")
    _check_target(Path(to), overwrite)
    contents = [read_build(Path(build)) for build in builds]
    return write_contents(contents, Path(to), embed_images=embed_images, overwrite=overwrite)


def write_contents(
    contents: Sequence[Content],
    to: Path,
    *,
    embed_images: Path | None = None,
    overwrite: bool = False,
) -> Release:
    """The same as `write_release` for instruments already read."""
    names = [content.record.instrument for content in contents]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"the instrument '{name}' is given twice", where=to)
    to = to.resolve()
    _check_target(to, overwrite)
    _make_parent(to)
    for left in to.parent.glob(f".{glob.escape(to.name)}.{'[0-9a-f]' * 8}.partial"):
        shutil.rmtree(left)  # by a run that was killed
    # Beside the target, so that the last step is a renaming.
    partial = to.with_name(f".{to.name}.{secrets.token_hex(4)}.partial")
    try:
        partial.mkdir()
        _write_folder(partial, contents, embed_images)
        _put_in_place(partial, to)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return open_release(to)


def _write_folder(folder: Path, contents: Sequence[Content], pictures: Path | None) -> None:
    read_picture = None if pictures is None else _picture_reader(pictures)
    entries = [_write_instrument(folder, content, read_picture) for content in contents]
    manifest = Manifest(tool_version=tool_version(), instruments=entries, files={})
    examples = {c.record.instrument: c.instances[:EXAMPLES] for c in contents}
    store.write_text(folder / CARD, render_card(manifest, examples))
    paths = (path for path in folder.rglob("*") if path.is_file())
    files = {path.relative_to(folder).as_posix(): path for path in paths}
    described = {
        name: FileEntry(sha256=store.file_checksum(path), bytes=path.stat().st_size)
        for name, path in sorted(files.items())
    }
    manifest = manifest.model_copy(update={"files": described})
    store.write_json(folder / MANIFEST, manifest.model_dump(mode="json"))


def _write_instrument(
    folder: Path, content: Content, read_picture: Callable[[str], bytes] | None
) -> InstrumentEntry:
    record, instances = content.record, content.instances
    name = record.instrument
    for file in (data_file(name), rejected_file(name), figure_file(name, "classes", "png")):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
    write_instances(folder / data_file(name), instances, read_picture)
    rejected = write_batches(
        folder / rejected_file(name), read_batches(content.rejected, SCHEMA), SCHEMA
    )
    refused = write_batches(
        folder / refused_file(name), read_batches(content.refused, REFUSED_SCHEMA), REFUSED_SCHEMA
    )
    _draw_figures(folder, content)
    return InstrumentEntry(
        name=name,
        piece=record.piece,
        fingerprint=record.fingerprint,
        sources=record.sources,
        imported_from=content.imported_from,
        images_embedded=read_picture is not None,
        rejected_instances=rejected,
        refused_sources=refused,
        recipe=record.recipe,
        funnel=record.funnel,
        **measured(instances),
    )


def _draw_figures(folder: Path, content: Content) -> None:
    from pipeline.balancing.figures import draw_frequencies

    name = content.record.instrument
    classes = draw_frequencies(content.instances, by="classes", title=name)
    words = draw_frequencies(content.instances, by="words", top=50, title=name)
    for counted, drawing in (("classes", classes), ("words", words)):
        (folder / figure_file(name, counted, "png")).write_bytes(drawing.png)
        (folder / figure_file(name, counted, "svg")).write_bytes(drawing.svg)


def _picture_reader(folder: Path) -> Callable[[str], bytes]:
    from pipeline.sources.images import read_image, resolve_image

    if not folder.is_dir():
        raise InputError("there is no such folder of images", where=folder)

    @lru_cache(maxsize=64)
    def read(name: str) -> bytes:
        path = resolve_image(folder, name)
        read_image(path)
        return path.read_bytes()

    return read


def _check_target(to: Path, overwrite: bool) -> None:
    """Refuse to replace anything but a release, and that only if it is wanted."""
    if not to.exists():
        return
    if not to.is_dir():
        raise InputError("is a file", where=to, remedy="Choose another --to.")
    present = {path.relative_to(to).as_posix() for path in to.rglob("*") if not path.is_dir()}
    if not present:
        return
    if not overwrite:
        raise InputError(
            "is not empty", where=to, remedy="Choose another --to, or replace it by --overwrite."
        )
    strangers = sorted(present - {MANIFEST, *read_manifest(to).files})
    if strangers:
        raise InputError(
            f"holds '{strangers[0]}', which is not part of a release",
            where=to,
            remedy="Move that file away, or choose another --to.",
        )


def _make_parent(to: Path) -> None:
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise InputError("is a file", where=to.parent, remedy="Choose another --to.") from None


def _put_in_place(partial: Path, to: Path) -> None:
    """Swap the folders by renaming; what was there goes last, so that one of both is whole."""
    old = None
    if to.exists():
        old = to.with_name(f"{partial.name}.old")
        to.rename(old)
    try:
        partial.rename(to)
    except OSError:
        if old is not None:
            with suppress(OSError):
                old.rename(to)
        raise
    if old is not None:
        shutil.rmtree(old)
