"""Where the images of a release are read from when it is scored."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline import DATA
from pipeline.errors import InputError
from pipeline.evaluating.scorers.matching import ReadImage
from pipeline.instance import ImageRef
from pipeline.releasing.read import Release
from pipeline.sources.images import decode_image, read_image, resolve_image

if TYPE_CHECKING:
    from PIL.Image import Image

SAMPLE_IMAGES = DATA / "sample" / "images"


def release_images(release: Release, instruments: Sequence[str], folder: Path | None) -> ReadImage:
    """Read images from the folder, else as embedded in the release, else from the bundled sample.

    Raises:
        InputError: No folder is given, and an instrument's images are neither embedded nor bundled.
    """
    if folder is not None:
        return images_in(folder)
    contents: dict[str, bytes] = {}
    bundled = False
    for name in instruments:
        embedded = release.image_bytes(name)
        if embedded is not None:
            contents |= embedded
        elif "sample" in release.manifest.instrument(name).sources:
            bundled = True
        else:
            raise InputError(
                f"the instrument '{name}' does not carry its images",
                where=release.path,
                remedy="Give their folder by --images.",
            )
    return images_in(SAMPLE_IMAGES) if bundled else embedded_images(contents)


def images_in(folder: Path) -> ReadImage:
    """Read images by file name from one folder.

    Raises:
        InputError: There is no such folder.
    """
    if not folder.is_dir():
        raise InputError("there is no image folder here", where=folder)

    def read(image: ImageRef) -> "Image":
        return read_image(resolve_image(folder, image.file_name))

    return read


def embedded_images(contents: Mapping[str, bytes]) -> ReadImage:
    """Read images that a release carries, from their bytes by file name."""

    def read(image: ImageRef) -> "Image":
        if image.file_name not in contents:
            raise InputError("the release does not carry this image", where=image.file_name)
        return decode_image(contents[image.file_name], image.file_name)

    return read
