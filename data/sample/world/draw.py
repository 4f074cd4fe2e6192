"""Pictures of scenes: a painted background, and glyphs of a colour emoji font."""

import io
from pathlib import Path
from random import Random

from PIL import Image, ImageDraw, ImageFont

from world.kinds import kinds
from world.scene import SIDE, Scene

_FONT_SIZE = 109  # the one size at which bitmap emoji fonts can be opened
_PALETTES = {
    "street": ((150, 195, 235), (112, 114, 120)),
    "park": ((165, 210, 245), (118, 180, 92)),
    "farm": ((190, 220, 240), (150, 180, 90)),
    "savanna": ((245, 205, 150), (205, 175, 105)),
    "beach": ((160, 215, 245), (235, 215, 165)),
    "sea": ((180, 220, 240), (60, 135, 190)),
    "snow": ((175, 195, 220), (236, 240, 246)),
    "room": ((225, 210, 190), (165, 125, 90)),
    "table": ((205, 215, 205), (180, 135, 95)),
    "gym": ((210, 210, 220), (95, 140, 165)),
    "kitchen": ((215, 230, 225), (190, 190, 185)),
    "station": ((185, 205, 225), (160, 155, 150)),
}
_HORIZONS = {
    "street": 96,
    "park": 88,
    "farm": 80,
    "savanna": 80,
    "beach": 64,
    "sea": 56,
    "snow": 72,
    "room": 128,
    "table": 56,
    "gym": 112,
    "kitchen": 120,
    "station": 80,
}


class Painter:
    """Paints scenes with the glyphs of one font file.

    Args:
        font: A colour emoji font with bitmaps of 109 pixels, such as NotoColorEmoji.ttf.
    """

    def __init__(self, font: str | Path) -> None:
        self._font = ImageFont.truetype(str(font), _FONT_SIZE)
        self._glyphs: dict[str, Image.Image] = {}
        self._sprites: dict[tuple[str, int, int], Image.Image] = {}

    def paint(self, scene: Scene) -> Image.Image:
        """The picture of a scene, RGB, 224 x 224 pixels."""
        picture = _background(scene.place, Random(scene.light))
        for thing in scene.things:
            sprite = self._sprite(thing.kind, *thing.box[2:])
            picture.paste(sprite, thing.box[:2], sprite)
        return picture

    def _sprite(self, kind: str, width: int, height: int) -> Image.Image:
        key = (kind, width, height)
        if key not in self._sprites:
            self._sprites[key] = self._glyph(kind).resize((width, height), Image.Resampling.LANCZOS)
        return self._sprites[key]

    def _glyph(self, kind: str) -> Image.Image:
        if kind not in self._glyphs:
            sheet = Image.new("RGBA", (300, 200))
            ImageDraw.Draw(sheet).text(
                (10, 10), kinds()[kind].glyph, font=self._font, embedded_color=True
            )
            self._glyphs[kind] = sheet.crop(sheet.getbbox())
        return self._glyphs[kind]


def to_jpeg(picture: Image.Image) -> bytes:
    """The picture as a JPEG file."""
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=80, optimize=True)
    return buffer.getvalue()


def _background(place: str, rng: Random) -> Image.Image:
    """Far and near colour of the place with a gradient each, varied by lot, and a few marks."""
    far, near = (
        tuple(max(0, min(255, part + rng.randint(-18, 18))) for part in colour)
        for colour in _PALETTES[place]
    )
    horizon = _HORIZONS[place]
    column = Image.new("RGB", (1, SIDE))
    for y in range(SIDE):
        colour = far if y < horizon else near
        start, length = (0, horizon) if y < horizon else (horizon, SIDE - horizon)
        light = 0.94 + 0.12 * (y - start) / length
        column.putpixel((0, y), tuple(min(255, round(part * light)) for part in colour))
    picture = column.resize((SIDE, SIDE))
    _marks(place, ImageDraw.Draw(picture), horizon, near, rng)
    return picture


def _marks(
    place: str, pen: ImageDraw.ImageDraw, horizon: int, near: tuple[int, ...], rng: Random
) -> None:
    """The few lines and blocks that make a place recognisable."""
    darker = tuple(round(part * 0.86) for part in near)
    if place == "street":
        x = -rng.randrange(20)
        while x < SIDE:
            width, height, grey = rng.randint(28, 56), rng.randint(20, 60), rng.randint(150, 190)
            pen.rectangle((x, horizon - height, x + width, horizon), fill=(grey, grey, grey + 8))
            x += width + rng.choice((0, 0, 10))
        for x in range(rng.randrange(30), SIDE, 48):
            pen.rectangle((x, 160, x + 24, 163), fill=(200, 200, 195))
    elif place == "beach":
        pen.rectangle((0, horizon, SIDE, 128), fill=(70, 150, 200))
        pen.rectangle((0, 126, SIDE, 130), fill=(225, 235, 240))
    elif place == "sea":
        for _ in range(14):
            x, y = rng.randrange(SIDE), rng.randrange(horizon + 6, SIDE)
            pen.arc((x, y, x + 24, y + 8), 180, 360, fill=darker, width=2)
    elif place in ("park", "farm", "savanna"):
        for _ in range(18):
            x, y = rng.randrange(SIDE), rng.randrange(horizon + 4, SIDE)
            pen.line((x, y, x + 3, y - 5), fill=darker, width=2)
    elif place in ("room", "table"):
        for y in range(horizon + 20, SIDE, 28):
            pen.line((0, y, SIDE, y), fill=darker, width=2)
    elif place in ("kitchen", "gym", "station"):
        shift = rng.randrange(40)
        for x in range(shift, SIDE, 44):
            pen.line((x, horizon, x + (x - SIDE // 2) // 2, SIDE), fill=darker, width=2)
    if place in ("room", "kitchen"):
        x = rng.randrange(20, 140)
        pen.rectangle((x, 16, x + 56, 60), fill=(190, 225, 245), outline=(245, 245, 245), width=3)
