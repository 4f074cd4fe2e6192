"""Scenes of two, the only ones in which somebody does something to somebody."""

from random import Random

from world.kinds import kinds, places
from world.scene import Scene, Thing

CHASING, FEEDING = "chasing", "feeding"

_EQUALS = (("running_man", "running_woman"), ("dog", "cat"))
_WITH_ANIMALS = {
    CHASING: (("running_man", "running_woman"), ""),
    FEEDING: (("standing_man", "standing_woman"), "carrot"),
}
"""Verb -> those who do it to animals, and what stands between them."""

_EACH_WAY = 3
# Where they begin, in pixels from the left; who chases looks to the left.
_DOER, _BETWEEN, _OTHER = 144, 104, 32
_SIZE, _SMALL = 56, 32


def deeds(seed: int) -> list[tuple[str, Scene]]:
    """Verbs with their scenes, who does it first.

    Equals chase each other, one as often as the other; people chase animals, and feed them.
    """
    rng = Random(f"sample {seed} chases")
    scenes = [
        (CHASING, _scene(pair[::way], rng))
        for _ in range(_EACH_WAY)
        for pair in _EQUALS
        for way in (1, -1)
    ]
    rng = Random(f"sample {seed} animals")
    return scenes + [
        (verb, _scene((person, animal, between), rng))
        for _ in range(_EACH_WAY)
        for verb, (people, between) in _WITH_ANIMALS.items()
        for person in people
        for animal in ("dog", "cat")
    ]


def _scene(names: tuple[str, ...], rng: Random) -> Scene:
    light = rng.randrange(2**31)
    grass = places()["park"].zones[-1]
    lowest = rng.choice((grass.bottom - 16, grass.bottom - 40))
    things = []
    for name, left, size in zip(
        names, (_DOER, _OTHER, _BETWEEN), (_SIZE, _SIZE, _SMALL), strict=False
    ):
        if name:
            width, height = (round(size * share) for share in kinds()[name].shape)
            things.append(Thing(name, (left, lowest - height, width, height), grass.name))
    return Scene("park", light, tuple(things))
