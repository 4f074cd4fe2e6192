"""Image files from outside: where they may lie, and how they become pixels.

Names come from source files and releases, so a name may not lead out of its folder. Orientation
recorded in the file (EXIF) is applied: it is the picture that annotators saw in their browsers.
"""

import io
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING

from pipeline.errors import InputError

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF")
"""What is read as an image; some other formats of Pillow would start outside programs."""

MAX_PIXELS = 89_478_485
"""Larger images are refused: the limit above which Pillow suspects a decompression bomb."""


def resolve_image(folder: Path, file_name: str) -> Path:
    """The path of an image that a data set names relative to its image folder.

    Only the name is judged; whether there is such a file is not.

    Raises:
        InputError: The name is empty or absolute, holds ".." or a NUL, or a link on the way leads
            out of the folder.
    """
    problem = _name_problem(file_name)
    if not problem:
        path = folder / file_name
        try:
            # Symbolic links may lie anywhere on the way, so the end of them all is what counts.
            if path.resolve().is_relative_to(folder.resolve()):
                return path
            problem = "the image lies outside its folder"
        except (OSError, RuntimeError) as error:
            problem = f"the image's path cannot be followed ({error})"
    remedy = "Name images relative to the image folder, and keep them in it"
    raise InputError(problem, where=repr(file_name), remedy=remedy)


def read_image(path: Path) -> "Image":
    """Decode an image file completely, upright and in RGB.

    Animations give their first frame; transparency is dropped.

    Raises:
        InputError: There is no such file, or it is not a whole image of one of `FORMATS` with at
            most `MAX_PIXELS` pixels.
    """
    if not path.is_file():
        raise InputError("there is no such image", where=path)
    return _decode(path, where=str(path))


def decode_image(content: bytes, name: str) -> "Image":
    """The same as `read_image` for an image held in memory; `name` is for messages."""
    return _decode(io.BytesIO(content), where=name)


def check_image(folder: Path, file_name: str) -> str | None:
    """Why an image cannot be used, or None where it can.

    The image is decoded, since only that shows whether it is whole.
    """
    try:
        read_image(resolve_image(folder, file_name))
    except InputError as error:
        return error.problem
    return None


def _name_problem(file_name: str) -> str:
    """What is wrong with the name of an image as such, or an empty text."""
    if not file_name.strip():
        return "the image has no name"
    if "\0" in file_name:
        return "the image's name holds a NUL character"
    # A data set made on Windows may be read elsewhere and the other way round: both rules hold.
    posix, windows = PurePosixPath(file_name), PureWindowsPath(file_name)
    if posix.is_absolute() or windows.anchor:
        return "the image's path is absolute"
    if ".." in posix.parts or ".." in windows.parts:
        return "the image's path climbs out of its folder"
    return ""


def _decode(source: Path | io.BytesIO, where: str) -> "Image":
    """Open, load and turn an image; every way in which that fails is an `InputError`."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    bombs = (Image.DecompressionBombError, Image.DecompressionBombWarning)
    too_large = InputError(f"the image has more than {MAX_PIXELS:,} pixels", where=where)
    try:
        with Image.open(source, formats=FORMATS) as image:
            if image.width * image.height > MAX_PIXELS:
                raise too_large
            image.load()
            return ImageOps.exif_transpose(image).convert("RGB")
    except bombs as error:
        raise too_large from error
    except UnidentifiedImageError as error:
        raise InputError("the file is not an image", where=where) from error
    except (OSError, ValueError, SyntaxError, EOFError, MemoryError) as error:
        # Pillow's decoders raise any of these on damaged files.
        problem = f"the image is damaged or incomplete ({error})"
        raise InputError(problem, where=where) from error
