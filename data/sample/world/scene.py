"""Scenes drawn by lot: a place, and things with their boxes."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from world.kinds import Kind, Place, Zone, families, kinds, places

SIDE = 224
"""Width and height of a picture in pixels."""

_STEP = 8  # boxes lie on a grid of this many pixels, which keeps pictures easy to learn from
_SIZES = {"small": (40, 48, 56), "medium": (48, 56, 64, 72), "large": (64, 72, 80, 96)}
_CROWDED = 5  # from this many things on, only the two smallest sizes are used
_FIRST_COUNTS = (1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8)
_OTHER_COUNTS = (1, 1, 1, 1, 2, 2, 2, 3, 3, 4)
_SEATS = ("chair", "couch", "bed")
_SITTERS = ("cat", "dog", "teddy_bear", "book")
_SEAT_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing: the id of its kind, its box (x, y, width, height) in pixels, its zone.

    `on` is the index of the thing that it sits on, or -1.
    """

    kind: str
    box: tuple[int, int, int, int]
    zone: str
    on: int = -1

    @property
    def what(self) -> Kind:
        """The kind itself."""
        return kinds()[self.kind]


@dataclass(frozen=True, slots=True)
class Scene:
    """A place and the things in it, drawn in this order. `light` seeds the background's colours."""

    place: str
    light: int
    things: tuple[Thing, ...]


def draw_scene(rng: Random, place_name: str = "", first_family: str = "") -> Scene:
    """Draw a scene; place and leading family can be given, the rest is up to `rng`."""
    place = places()[place_name or rng.choice(sorted(places()))]
    things: list[Thing] = []
    counts = [rng.choice(_FIRST_COUNTS)]
    counts += [rng.choice(_OTHER_COUNTS) for _ in range(rng.choice((0, 1, 1, 2, 2, 3)))]
    crowded = sum(counts) >= _CROWDED
    for zone, family, count in _cast(place, counts, first_family, rng):
        things += _place_family(family, count, zone, crowded, things, rng)
    if place.name == "room" and rng.random() < _SEAT_SHARE:
        things = _seat_one(things, rng)
    return Scene(place.name, rng.randrange(2**31), tuple(things))


def _cast(
    place: Place, counts: list[int], first_family: str, rng: Random
) -> Iterator[tuple[Zone, str, int]]:
    """Choose a zone and a family for each count, no family twice, none that shows another."""
    options = [(zone, family) for zone in place.zones for family in zone.families]
    main = [option for option in options if option[1] == first_family] or [
        option for option in options if option[0] is place.zones[-1] or rng.random() < 0.5
    ]
    taken: list[str] = []
    for index, count in enumerate(counts):
        pool = main if index == 0 else options
        free = [option for option in pool if not any(_clash(option[1], old) for old in taken)]
        if not free:
            return
        zone, family = rng.choice(free)
        taken.append(family)
        yield zone, family, count


def _clash(one: str, other: str) -> bool:
    """Whether counts of the two families could be told apart only with doubt."""
    if one == other:
        return True
    first, second = families()[one][0], families()[other][0]
    return bool({first.noun, *first.is_a} & set(second.shows)) or bool(
        {second.noun, *second.is_a} & set(first.shows)
    )


def _place_family(
    family: str, count: int, zone: Zone, crowded: bool, others: list[Thing], rng: Random
) -> list[Thing]:
    members = families()[family]
    chosen = members if rng.random() < 0.5 else (rng.choice(members),)
    sizes = _SIZES[members[0].size][: 2 if crowded else None]
    placed: list[Thing] = []
    for _ in range(count):
        kind = rng.choice(chosen)
        box = _free_box(kind, rng.choice(sizes), zone, others + placed, rng)
        if box:
            placed.append(Thing(kind.id, box, zone.name))
    return placed


def _free_box(
    kind: Kind, size: int, zone: Zone, others: list[Thing], rng: Random
) -> tuple[int, int, int, int] | None:
    """A box in the zone that hardly touches the others; None when a hundred tries found none."""
    width, height = (max(_STEP, round(size * share)) for share in kind.shape)
    if zone.name == "sky":
        lowest, highest = max(0, zone.bottom - height), 0
    else:
        lowest = zone.bottom - height
        highest = max(0, min(lowest, zone.top - height // 2))
    for _ in range(100):
        x = rng.randrange((SIDE - width) // _STEP + 1) * _STEP
        y = (highest + _STEP - 1) // _STEP * _STEP
        y += rng.randrange(max(0, lowest - y) // _STEP + 1) * _STEP
        box = (x, y, width, height)
        if all(_overlap(box, other.box) <= 0.04 for other in others):
            return box
    return None


def _overlap(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> float:
    """The shared area as a part of the smaller box's area."""
    width = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    height = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    if width <= 0 or height <= 0:
        return 0.0
    return width * height / min(one[2] * one[3], other[2] * other[3])


def _seat_one(things: list[Thing], rng: Random) -> list[Thing]:
    """Put one more small thing on a seat, where the room has a seat."""
    seats = [index for index, thing in enumerate(things) if thing.what.family in _SEATS]
    absent = [name for name in _SITTERS if all(name != thing.what.family for thing in things)]
    if not seats or not absent:
        return things
    seat = rng.choice(seats)
    x, y, width, height = things[seat].box
    kind = rng.choice(families()[rng.choice(absent)])
    own_width, own_height = (round(40 * share) for share in kind.shape)
    seat_height = y + round(height * 0.68)
    left = (x + (width - own_width) // 2) // _STEP * _STEP
    top = max(0, (seat_height - own_height) // _STEP * _STEP)
    return [*things, Thing(kind.id, (left, top, own_width, own_height), "seat", seat)]
