"""What the sample world is made of: kinds of things and places, read from two tables."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Kind:
    """One glyph and the words for it.

    Attributes:
        family: Kinds that are counted together when a scene is drawn (red and blue cars).
        shape: Width and height of the glyph as shares of its longer side.
        is_a: Wider nouns that hold of it ("animal").
        shows: Nouns that the glyph shows in part (a bicycle under a rider): whether they are
            there, and how many, is left open by every text.
        doing: What a person of this kind does, as a present participle ("riding a bike").
        coco: The COCO category, empty where there is none.
    """

    id: str
    family: str
    noun: str
    plural: str
    glyph: str
    shape: tuple[float, float]
    size: str
    is_a: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    colour: str = ""
    doing: str = ""
    coco: str = ""


@dataclass(frozen=True, slots=True)
class Zone:
    """A band of the picture; the lower edge of a thing in it lies between `top` and `bottom`."""

    name: str
    top: int
    bottom: int
    families: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a scene takes place; `at` and `inside` are two phrases that say so."""

    name: str
    at: str
    inside: str
    noun: str
    zones: tuple[Zone, ...]


@cache
def kinds() -> dict[str, Kind]:
    """Every kind by its id."""
    rows = tomllib.loads((_HERE / "kinds.toml").read_text(encoding="utf-8"))["kind"]
    lists = ("shape", "is_a", "shows")
    return {
        row["id"]: Kind(**row | {name: tuple(row.get(name, ())) for name in lists}) for row in rows
    }


@cache
def families() -> dict[str, tuple[Kind, ...]]:
    """Every family by its name."""
    grouped: dict[str, list[Kind]] = {}
    for kind in kinds().values():
        grouped.setdefault(kind.family, []).append(kind)
    return {name: tuple(members) for name, members in grouped.items()}


@cache
def places() -> dict[str, Place]:
    """Every place by its name."""
    rows = tomllib.loads((_HERE / "places.toml").read_text(encoding="utf-8"))
    return {
        name: Place(
            name,
            row["at"],
            row["in"],
            row["noun"],
            tuple(Zone(**zone | {"families": tuple(zone["families"])}) for zone in row["zones"]),
        )
        for name, row in rows.items()
    }
