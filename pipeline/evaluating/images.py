"""Where the images of a release are read from when it is scored."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import InputError
from pipeline.evaluating.scorers.matching import ReadImage
from pipeline.instance import ImageRef
from pipeline.sources.images import decode_image, read_image, resolve_image

if TYPE_CHECKING:
    from PIL.Image import Image


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
