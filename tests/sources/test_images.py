"""Names that lead out of a folder are refused, and so are files that are not whole images."""

import os
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from pipeline.errors import InputError
from pipeline.sources.images import MAX_PIXELS, check_image, decode_image, read_image, resolve_image


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "images"
    (folder / "deep").mkdir(parents=True)
    noise = np.random.default_rng(0).integers(0, 256, (60, 80, 3), dtype=np.uint8)
    Image.fromarray(noise).save(folder / "whole.jpg")
    Image.fromarray(noise).save(folder / "deep" / "progressive.jpg", progressive=True)
    Image.fromarray(noise).save(tmp_path / "outside.jpg")
    return folder


@pytest.mark.parametrize("name", ["whole.jpg", "deep/progressive.jpg", "./whole.jpg", "none.jpg"])
def test_names_inside_the_folder_are_resolved(folder, name):
    assert resolve_image(folder, name) == folder / name


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("", "no name"),
        ("../outside.jpg", "climbs out"),
        ("deep/../../outside.jpg", "climbs out"),
        ("deep\\..\\..\\outside.jpg", "climbs out"),
        ("/etc/hostname", "absolute"),
        ("C:\\images\\whole.jpg", "absolute"),
        ("\\\\server\\share\\whole.jpg", "absolute"),
        ("whole.jpg\0.png", "NUL"),
    ],
)
def test_names_that_lead_out_of_the_folder_are_refused(folder, name, problem):
    with pytest.raises(InputError, match=problem):
        resolve_image(folder, name)
    assert problem in check_image(folder, name)


def test_links_may_point_within_the_folder_but_not_out_of_it(folder):
    (folder / "inward.jpg").symlink_to("whole.jpg")
    (folder / "outward.jpg").symlink_to("../outside.jpg")
    (folder / "up").symlink_to("..")
    (folder / "circle.jpg").symlink_to("circle.jpg")
    assert check_image(folder, "inward.jpg") is None
    assert "outside its folder" in check_image(folder, "outward.jpg")
    assert "outside its folder" in check_image(folder, "up/outside.jpg")
    assert check_image(folder, "circle.jpg")


def test_the_image_folder_itself_may_be_a_link(folder, tmp_path):
    (tmp_path / "link").symlink_to(folder)
    assert check_image(tmp_path / "link", "whole.jpg") is None


@pytest.mark.parametrize("name", ["whole.jpg", "deep/progressive.jpg"])
@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_a_truncated_jpeg_is_an_error(folder, name, share):
    content = (folder / name).read_bytes()
    (folder / "cut.jpg").write_bytes(content[: int(len(content) * share)])
    assert "damaged or incomplete" in check_image(folder, "cut.jpg")
    with pytest.raises(InputError, match=r"cut\.jpg: the image is damaged"):
        read_image(folder / "cut.jpg")


def test_a_damaged_png_is_an_error(folder):
    Image.open(folder / "whole.jpg").save(folder / "damaged.png")
    content = bytearray((folder / "damaged.png").read_bytes())
    content[200:220] = bytes(20)
    (folder / "damaged.png").write_bytes(content)
    assert "damaged" in check_image(folder, "damaged.png")


@pytest.mark.parametrize("content", [b"", b"<html>404</html>", b"%!PS-Adobe-3.0 EPSF-3.0\n"])
def test_what_is_no_image_is_an_error(folder, content):
    (folder / "other.jpg").write_bytes(content)
    assert check_image(folder, "other.jpg") == "the file is not an image"


def test_a_missing_file_a_folder_and_a_pipe_are_no_images(folder):
    os.mkfifo(folder / "pipe.jpg")
    for name in ("none.jpg", "deep", "pipe.jpg"):
        assert check_image(folder, name) == "there is no such image"


def _empty_png(width: int, height: int) -> bytes:
    size = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", size), (b"IDAT", zlib.compress(b""))]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
@pytest.mark.parametrize("side", [10_000, 60_000])
def test_a_decompression_bomb_is_refused_before_it_is_decoded(side):
    assert side * side > MAX_PIXELS
    with pytest.raises(InputError, match="more than"):
        decode_image(_empty_png(side, side), "bomb.png")


def test_the_recorded_orientation_is_applied(folder):
    upright = Image.new("RGB", (40, 20), "white")
    upright.paste((255, 0, 0), (0, 0, 20, 20))
    exif = Image.Exif()
    exif[0x0112] = 6  # The camera was turned: show the stored rows as columns, clockwise.
    upright.save(folder / "turned.png", exif=exif)
    turned = read_image(folder / "turned.png")
    assert turned.size == (20, 40)
    assert turned.getpixel((10, 5)) == (255, 0, 0)
    assert turned.getpixel((10, 35)) == (255, 255, 255)


@pytest.mark.parametrize("mode", ["L", "P", "RGBA", "LA", "1", "CMYK", "I;16"])
def test_every_mode_becomes_rgb(folder, mode):
    suffix = "tiff" if mode == "CMYK" else "png"
    Image.new(mode, (6, 4)).save(folder / f"image.{suffix}")
    image = read_image(folder / f"image.{suffix}")
    assert (image.mode, image.size) == ("RGB", (6, 4))


def test_an_image_in_memory_reads_like_its_file(folder):
    path = folder / "whole.jpg"
    assert decode_image(path.read_bytes(), "whole.jpg").tobytes() == read_image(path).tobytes()
