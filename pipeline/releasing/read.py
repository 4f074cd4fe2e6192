"""A release as a reader sees it: its instruments, their pairs and, where embedded, pictures."""

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from pipeline.instance import Instance
from pipeline.registry import unknown_name
from pipeline.releasing.manifest import Manifest, data_file, read_manifest
from pipeline.releasing.tables import IMAGE, read_columns, read_instances, release_schema

_PICTURES = pa.schema(
    [field for field in release_schema(images=True) if field.name in ("image_file", IMAGE)]
)


@dataclass(frozen=True, slots=True)
class Release:
    """An open release; its files are read when they are asked for."""

    path: Path
    manifest: Manifest

    @property
    def instruments(self) -> tuple[str, ...]:
        """The instruments in the order of the card."""
        return tuple(entry.name for entry in self.manifest.instruments)

    def instances(self, instrument: str) -> list[Instance]:
        """The pairs of an instrument in the order of the file.

        Raises:
            InputError: There is no such instrument, or its file cannot be read.
        """
        return read_instances(self._data_file(instrument))

    def image_bytes(self, instrument: str) -> dict[str, bytes] | None:
        """File name -> the picture as it was embedded; None where pictures are only named.

        Raises:
            InputError: There is no such instrument, or its file cannot be read.
        """
        path = self._data_file(instrument)
        if not self.manifest.instrument(instrument).images_embedded:
            return None
        table = read_columns(path, _PICTURES)
        names, pictures = (table.column(name).to_pylist() for name in _PICTURES.names)
        return {
            name: picture["bytes"]
            for name, picture in zip(names, pictures, strict=True)
            if picture and picture["bytes"]
        }

    def _data_file(self, instrument: str) -> Path:
        if instrument not in self.instruments:
            raise unknown_name("instrument in this release", instrument, list(self.instruments))
        return self.path / data_file(instrument)


def open_release(path: Path | str) -> Release:
    """Open a release folder; checksums are not compared (`verify_release` does that).

    Raises:
        InputError: There is no such folder, or it is not a release.
    """
    path = Path(path)
    return Release(path, read_manifest(path))
