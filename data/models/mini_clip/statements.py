"""True and false statements about a scene, the texts that the mini CLIP learns from.

A pair differs in one thing: existence (some / no), number, one or more than one, or what it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from world.concepts import Concept, concepts
from world.kinds import places

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_TAILS = (
    "",
    "",
    "",
    " in the picture",
    " in the photo",
    " in the image",
    " in the scene",
    " in this picture",
    " in this photo",
    " in this image",
    " here",
    " visible",
    " pictured",
    " shown",
    " seen",
    " present",
    " pictured here",
    " shown in the picture",
    " visible in the photo",
    " visible in the picture",
    " on display",
    " in view",
    " in sight",
)
_SORTS = ("existence",) * 9 + ("number",) * 8 + ("kind",) * 3 + ("plurality",) * 1
_NUMBERS = (
    1,
    1,
    1,
    1,
    1,
    2,
    2,
    2,
    2,
    3,
    3,
    3,
    4,
    4,
    4,
    5,
    5,
    6,
    6,
    7,
    8,
    0,
    0,
)  # as scenes have them
_ONE = ("exactly one", "a single", "one", "only one")
_MANY = ("some", "a number of", "several", "multiple", "many")


@dataclass(frozen=True, slots=True)
class Claim:
    """There are at least `low` and at most `high` of a concept."""

    concept: str
    low: int
    high: int = 99


@dataclass(frozen=True, slots=True)
class Pair:
    """A statement that is true of its scene, one that is false, and what they differ in.

    What they claim lets the pair be judged on other scenes as well; where `place` is named, they
    speak of scenes in this place only.
    """

    true: str
    false: str
    sort: str
    true_claim: Claim
    false_claim: Claim
    place: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """A sentence around a noun phrase: its shape, its tail and its full stop."""

    shape: str
    tail: str
    stop: str
    place: str = ""

    def say(self, quantity: str, concept: Concept, singular: bool) -> str:
        """The sentence about a quantity of the concept."""
        noun = concept.singular if singular else concept.plural
        phrase = f"{quantity} {noun}".strip()
        doing = f" {concept.doing}" if concept.doing else ""
        be = "is" if singular else "are"
        sentence = self.shape.format(np=phrase, be=be, doing=doing, tail=self.tail)
        return sentence[0].upper() + sentence[1:] + self.stop


def draw_pairs(counts: Sequence[int], place: str, number: int, rng: Random) -> list[Pair]:
    """Draw statement pairs about a scene.

    Args:
        counts: One count for each of `concepts()`, in that order; -1 where it is left open.
        place: The name of the scene's place.
        number: How many pairs to draw at most.
        rng: Decides everything.
    """
    everything = tuple(concepts().values())
    present = [concept for concept, count in zip(everything, counts, strict=True) if count > 0]
    absent = [concept for concept, count in zip(everything, counts, strict=True) if count == 0]
    if not present:
        return []
    known = dict(zip((concept.name for concept in everything), counts, strict=True))
    pairs = []
    for _ in range(number):
        sort = rng.choice(_SORTS)
        concept = rng.choice(present)
        frame = _draw_frame(concept, place, rng)
        if sort == "existence":
            pairs.append(_existence(concept, known, absent, place, rng))
        elif sort == "number":
            pairs.append(_number(concept, known, absent, frame, rng))
        elif sort == "plurality":
            pairs.append(_plurality(concept, known[concept.name], frame, rng))
        else:
            pairs.append(_kind(concept, known[concept.name], absent, frame, rng))
    return pairs


def _existence(
    concept: Concept, known: dict[str, int], absent: list[Concept], place: str, rng: Random
) -> Pair:
    there = rng.random() < 0.5
    if not there:
        concept = _likely_absent(absent, place, rng)
    frame = _draw_frame(concept, place, rng)
    # "There is a dog" stands for one; of absent things both forms are denied.
    singular = known[concept.name] == 1 if there else rng.random() < 0.25
    article = "an" if concept.singular[0] in "aeiou" else "a"
    some = frame.say(article if singular else rng.choice(("", "", "", "some")), concept, singular)
    none = frame.say("no", concept, singular)
    claim, denial = Claim(concept.name, 1), Claim(concept.name, 0, 0)
    if there:
        return Pair(some, none, "existence", claim, denial, frame.place)
    return Pair(none, some, "existence", denial, claim, frame.place)


def _likely_absent(absent: list[Concept], place: str, rng: Random) -> Concept:
    """An absent concept, in half of the draws one that is at home in this place."""
    if rng.random() < 0.5:
        families = {family for zone in places()[place].zones for family in zone.families}
        at_home = [
            concept
            for concept in absent
            if any(kind.split("_")[-1] in families or kind in families for kind in concept.kind_ids)
        ]
        if at_home:
            return rng.choice(at_home)
    if rng.random() < 0.3:
        wide = [c for c in absent if c.name in ("person", "animal", "vehicle", "man", "woman")]
        if wide:
            return rng.choice(wide)
    return rng.choice(absent)


def _number(
    concept: Concept, known: dict[str, int], absent: list[Concept], frame: Frame, rng: Random
) -> Pair:
    if rng.random() < 0.12:
        concept = rng.choice(absent)
    number = known[concept.name]
    other = rng.choice([n for n in _NUMBERS if n != number])
    exactly = rng.choice(("exactly ", "exactly ", "", "only "))
    words = rng.random() < 0.3

    def say(count: int) -> str:
        numeral = _WORDS[count] if words and 0 < count < len(_WORDS) else str(count)
        return frame.say(exactly + numeral, concept, count == 1)

    claims = (Claim(concept.name, count, count) for count in (number, other))
    return Pair(say(number), say(other), "number", *claims, frame.place)


def _plurality(concept: Concept, number: int, frame: Frame, rng: Random) -> Pair:
    one = frame.say(rng.choice(_ONE), concept, singular=True)
    many = frame.say(rng.choice(_MANY), concept, singular=False)
    single, plural = Claim(concept.name, 1, 1), Claim(concept.name, 2)
    if number == 1:
        return Pair(one, many, "plurality", single, plural, frame.place)
    return Pair(many, one, "plurality", plural, single, frame.place)


def _kind(concept: Concept, number: int, absent: list[Concept], frame: Frame, rng: Random) -> Pair:
    alike = [other for other in absent if bool(other.doing) == bool(concept.doing)]
    other = rng.choice(alike or absent)
    if number == 1:
        quantity, exact = rng.choice((("one", True), ("a", False), ("1", True)))
    else:
        several = (("", False), ("some", False), (str(number), True), (_WORDS[number % 11], True))
        quantity, exact = rng.choice(several)
    low, high = (number, number) if exact else (1, 99)

    def say(what: Concept) -> str:
        return frame.say(quantity, what, number == 1)

    claims = (Claim(what.name, low, high) for what in (concept, other))
    return Pair(say(concept), say(other), "kind", *claims, frame.place)


def _draw_frame(concept: Concept, place: str, rng: Random) -> Frame:
    frame = _draw_shape(concept, place, rng)
    there = places()[place]
    text = frame.shape + frame.tail
    named = there.at in text or there.inside in text
    return replace(frame, place=place) if named else frame


def _draw_shape(concept: Concept, place: str, rng: Random) -> Frame:
    there = places()[place]
    tail = rng.choice((*_TAILS, *_TAILS[3:8], f" {there.at}", f" {there.inside}"))
    stop = "" if rng.random() < 0.15 else "."
    draw = rng.random()
    if draw < 0.62:
        return Frame("there {be} {np}{doing}{tail}", tail, stop)
    if concept.doing and draw < 0.85:
        while not tail.startswith((" in", " on", " at", " here")) and tail:
            tail = rng.choice(_TAILS)
        return Frame("{np} {be}{doing}{tail}", tail, stop)
    if draw < 0.78:
        return Frame("{np}{doing} can be seen{tail}", _where(tail, rng), stop)
    if draw < 0.86:
        return Frame("you see {np}{doing}{tail}", _where(tail, rng), stop)
    if draw < 0.89:
        return Frame("you can see {np}{doing}{tail}", _where(tail, rng), stop)
    shape = rng.choice(
        (
            "{np}{doing} {be} visible{tail}",
            "{np}{doing} {be} shown{tail}",
            "{np}{doing} {be} pictured{tail}",
            "{np}{doing} {be} in the picture{tail}",
            f"{{np}}{{doing}} {{be}} {there.at}{{tail}}",
        )
    )
    return Frame(shape, "", stop)


def _where(tail: str, rng: Random) -> str:
    """The tail where it names a place, else none or one of the common ones."""
    return tail if tail.startswith((" in", " on", " at")) else rng.choice(("", " in the picture"))
