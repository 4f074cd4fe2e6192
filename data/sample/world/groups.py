"""The things of a scene in groups that one noun phrase can name, and how they stand."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from world.kinds import Kind, places
from world.scene import Scene, Thing

NUMBER_WORDS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
)
_CLOSE = 26  # pixels between two boxes that still stand next to each other


@dataclass(frozen=True, slots=True)
class Group:
    """All things of one noun (and colour, where they share it) in one zone."""

    kind: Kind
    colour: str
    zone: str
    things: tuple[Thing, ...]

    @property
    def number(self) -> int:
        """How many there are."""
        return len(self.things)

    @property
    def singular(self) -> str:
        """The noun with its colour, for one."""
        return f"{self.colour} {self.kind.noun}".strip()

    @property
    def plural(self) -> str:
        """The noun with its colour, for several."""
        return f"{self.colour} {self.kind.plural}".strip()

    @property
    def be(self) -> str:
        """The verb that agrees."""
        return "is" if self.number == 1 else "are"

    def named(self, rng: Random) -> str:
        """An indefinite noun phrase: "a dog", "two dogs", "a group of people"."""
        if self.number == 1:
            return with_article(self.singular)
        if self.number > 3 and rng.random() < 0.3:
            vague = ["several", "some", "a number of", "many"]
            vague += ["a group of"] if self.kind.doing or "animal" in self.kind.is_a else []
            return f"{rng.choice(vague)} {self.plural}"
        if self.number == 2 and rng.random() < 0.2:
            return f"a couple of {self.plural}"
        return f"{NUMBER_WORDS[self.number]} {self.plural}"

    def definite(self) -> str:
        """A definite noun phrase: "the dog", "the dogs"."""
        return f"the {self.singular if self.number == 1 else self.plural}"


def groups_of(scene: Scene) -> list[Group]:
    """The groups of a scene, the largest first; ties stand in the order of drawing."""
    found: dict[tuple[str, str, str], list[Thing]] = {}
    for thing in scene.things:
        found.setdefault((thing.what.family, thing.what.noun, thing.zone), []).append(thing)
    groups = []
    for (_, _, zone), things in found.items():
        colours = {thing.what.colour for thing in things}
        colour = colours.pop() if len(colours) == 1 else ""
        groups.append(Group(things[0].what, colour, zone, tuple(things)))
    return sorted(groups, key=lambda group: -group.number)


def where(scene: Scene, group: Group, rng: Random) -> str:
    """A phrase that says where the group is."""
    place = places()[scene.place]
    if group.zone == "sky":
        return rng.choice(("in the sky", "up in the sky", "in the air"))
    if group.zone == "sea":
        return rng.choice(("in the sea", "in the water"))
    if group.zone == "seat":
        return f"on {with_article(scene.things[group.things[0].on].what.noun)}"
    return rng.choice((place.at, place.inside))


def relation(one: Thing, other: Thing) -> str:
    """How the first thing stands to the second: "next to", "above" ...; empty where unclear."""
    (x, y, width, height), (x2, y2, width2, height2) = one.box, other.box
    across = max(x2 - (x + width), x - (x2 + width2))
    down = max(y2 - (y + height), y - (y2 + height2))
    if across >= 0 and down < 0 and across <= _CLOSE:
        return "next to"
    if across >= 0 and down < 0:
        return "to the left of" if x < x2 else "to the right of"
    if down >= 0 and across < 0:
        return "above" if y < y2 else "below"
    return ""


def group_relation(one: Group, other: Group) -> str:
    """The relation that holds of all members of both groups, empty if there is none."""
    found = {relation(thing, against) for thing in one.things for against in other.things}
    sides = {"to the left of" if _right_end(one) <= _left_end(other) else ""}
    sides |= {"to the right of" if _right_end(other) <= _left_end(one) else ""}
    if len(found) == 1 and "" not in found:
        return found.pop()
    return max(sides)


def with_article(noun: str) -> str:
    """The noun with "a" or "an"."""
    return f"{'an' if noun[0] in 'aeio' or noun.startswith('umb') else 'a'} {noun}"


def listed(parts: Sequence[str]) -> str:
    """Join as in "one", "one and two", "one, two and three"."""
    return ", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else parts[0]


def sentence(text: str) -> str:
    """The text with a capital and a full stop."""
    return f"{text[0].upper()}{text[1:]}."


def _left_end(group: Group) -> int:
    return min(thing.box[0] for thing in group.things)


def _right_end(group: Group) -> int:
    return max(thing.box[0] + thing.box[2] for thing in group.things)
