"""English captions of a scene, in the manner of COCO's, for training only."""

from collections import Counter
from random import Random

from world.groups import NUMBER_WORDS, relation
from world.kinds import Kind, places
from world.scene import Scene, Thing


def caption_scene(scene: Scene, rng: Random) -> str:
    """One caption; what it says and how is up to `rng`."""
    groups = _groups(scene)
    if not groups:
        return f"{rng.choice(('An empty view of', 'A picture of'))} {_article(_noun(scene))}."
    makers = [_list_caption, _list_caption, _first_caption, _first_caption, _relation_caption]
    return _sentence(rng.choice(makers)(scene, groups, rng))


def quantity(number: int, singular: str, plural: str, rng: Random) -> str:
    """A noun phrase for so many: "a dog", "two dogs", "several dogs"."""
    if number == 1:
        return _article(singular)
    if number > 3 and rng.random() < 0.4:
        return f"{rng.choice(('several', 'a group of', 'some', 'many'))} {plural}"
    if rng.random() < 0.15:
        return f"{'a couple of' if number == 2 else 'some'} {plural}"
    return f"{NUMBER_WORDS[min(number, 10)]} {plural}"


def _groups(scene: Scene) -> list[tuple[Kind, int]]:
    """The kinds by family and noun with their number, the most numerous first."""
    counted: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], Kind] = {}
    for thing in scene.things:
        key = (thing.what.family, thing.what.noun)
        counted[key] += 1
        first.setdefault(key, thing.what)
    return [(first[key], number) for key, number in counted.most_common()]


def _list_caption(scene: Scene, groups: list[tuple[Kind, int]], rng: Random) -> str:
    """Say "Two dogs, a cat and three trees in the park"."""
    parts = [_phrase(kind, number, rng) for kind, number in groups[: rng.choice((2, 3))]]
    listed = ", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else parts[0]
    where = _where(scene, rng)
    opening = rng.choice(("", "", "", "there is ", "a picture of ", "a photo of "))
    if opening == "there is ":
        opening = "there is " if groups[0][1] == 1 else "there are "
    return f"{opening}{listed} {where}"


def _first_caption(scene: Scene, groups: list[tuple[Kind, int]], rng: Random) -> str:
    """Say "Three people are surfing in the sea"."""
    kind, number = groups[0]
    be = "is" if number == 1 else "are"
    if kind.doing:
        who = quantity(number, kind.noun, kind.plural, rng)
        return f"{who} {rng.choice((be + ' ', ''))}{kind.doing} {_where(scene, rng)}"
    what = quantity(number, kind.noun, kind.plural, rng)
    middle = rng.choice((f"{be} ", "", "that can be seen ", f"{be} shown "))
    return f"{what} {middle}{_where(scene, rng)}"


def _relation_caption(scene: Scene, groups: list[tuple[Kind, int]], rng: Random) -> str:
    """Say "A dog next to a tree in the park", of two things that are alone of their sort."""
    single = {(kind.family, kind.noun) for kind, number in groups if number == 1}
    things = [thing for thing in scene.things if (thing.what.family, thing.what.noun) in single]
    options = [
        (one, "on" if one.on == scene.things.index(other) else relation(one, other), other)
        for one in things
        for other in things
        if one is not other
    ]
    options = [option for option in options if option[1]]
    if not options:
        return _list_caption(scene, groups, rng)
    one, how, other = rng.choice(options)
    return f"{_one(one)} {how} {_one(other)} {_where(scene, rng)}".rstrip()


def _one(thing: Thing) -> str:
    kind = thing.what
    noun = f"{kind.colour} {kind.noun}".strip()
    return f"{_article(noun)} {kind.doing}".rstrip()


def _phrase(kind: Kind, number: int, rng: Random) -> str:
    phrase = quantity(number, kind.noun, kind.plural, rng)
    return f"{phrase} {kind.doing}".rstrip()


def _where(scene: Scene, rng: Random) -> str:
    place = places()[scene.place]
    return rng.choice((place.at, place.inside))


def _noun(scene: Scene) -> str:
    return places()[scene.place].noun


def _article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
