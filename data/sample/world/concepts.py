"""What can be counted in a scene: nouns with their kinds, wider nouns, colours, activities."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from world.kinds import Kind, kinds
from world.scene import Scene, Thing

_WIDER = {
    "animal": ("animal", "animals"),
    "vehicle": ("vehicle", "vehicles"),
    "fruit": ("piece of fruit", "pieces of fruit"),
    "person": ("person", "people"),
    "bird": ("bird", "birds"),
    "car": ("car", "cars"),
    "truck": ("truck", "trucks"),
    "boat": ("boat", "boats"),
    "tree": ("tree", "trees"),
    "flower": ("flower", "flowers"),
    "ball": ("ball", "balls"),
}
_UNCOUNTED = ("standing",)  # whoever walks or dances stands as well


@dataclass(frozen=True, slots=True)
class Concept:
    """A countable noun phrase and the kinds that it names.

    Attributes:
        noun: The bare noun that decides whether another glyph shows the concept in part.
        doing: The activity, empty for a plain noun phrase; not part of `singular` and `plural`.
        sort: "noun", "wider", "colour" or "doing".
    """

    name: str
    singular: str
    plural: str
    noun: str
    sort: str
    kind_ids: frozenset[str]
    doing: str = ""

    def holds(self, thing: Thing) -> bool:
        """Whether the thing is one of these."""
        return thing.kind in self.kind_ids

    def things(self, scene: Scene) -> tuple[Thing, ...]:
        """The things of a scene that are of these."""
        return tuple(thing for thing in scene.things if self.holds(thing))

    def count(self, scene: Scene) -> int | None:
        """How many of these a scene has; None where a glyph shows one in part."""
        nouns = {self.noun, self.name}
        if any(nouns & set(thing.what.shows) for thing in scene.things if not self.holds(thing)):
            return None
        if self.noun in ("man", "woman") and _of_unclear_sex(scene):
            return None
        return len(self.things(scene))


def _of_unclear_sex(scene: Scene) -> bool:
    return any({"man", "woman"} & set(thing.what.shows) for thing in scene.things)


@cache
def concepts() -> dict[str, Concept]:
    """Every concept by its name, in a fixed order."""
    found: dict[str, Concept] = {}
    everything = tuple(kinds().values())
    for kind in everything:
        for concept in _concepts_of(kind, everything):
            found.setdefault(concept.name, concept)
    return found


def _concepts_of(kind: Kind, everything: Iterable[Kind]) -> Iterable[Concept]:
    def ids(chosen: Callable[[Kind], bool]) -> frozenset[str]:
        return frozenset(other.id for other in everything if chosen(other))

    for wider in kind.is_a:
        singular, plural = _WIDER[wider]
        members = frozenset(o.id for o in everything if wider in (o.noun, *o.is_a))
        yield Concept(wider, singular, plural, wider, "wider", members)
    noun = kind.noun
    yield Concept(
        noun,
        noun,
        kind.plural,
        noun,
        "noun",
        ids(lambda other: noun == other.noun or noun in other.is_a),
    )
    if kind.colour:
        of_colour = ids(lambda other: noun == other.noun and kind.colour == other.colour)
        name = f"{kind.colour} {noun}"
        yield Concept(name, name, f"{kind.colour} {kind.plural}", noun, "colour", of_colour)
    if kind.doing and kind.family not in _UNCOUNTED:
        family = ids(lambda other: other.family == kind.family)
        yield _activity("person", "people", kind, family)
        if noun != "person":
            same = ids(lambda other: other.family == kind.family and other.noun == noun)
            yield _activity(noun, kind.plural, kind, same)


def _activity(singular: str, plural: str, kind: Kind, ids: frozenset[str]) -> Concept:
    name = f"{singular} {kind.doing}"
    return Concept(name, singular, plural, singular, "doing", ids, kind.doing)
