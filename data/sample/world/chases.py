"""Scenes of two, one after the other: the only ones in which somebody acts on somebody."""

from random import Random

from world.kinds import kinds, places
from world.scene import Scene, Thing

_PAIRS = (("running_man", "running_woman"), ("dog", "cat"))
_EACH_WAY = 3
_CHASER, _CHASED = 144, 32  # where they begin, in pixels from the left; the glyphs look to the left
_SIZE = 56


def chase_scenes(seed: int) -> list[Scene]:
    """Scenes in the park, the chaser first; each pair as often one way round as the other."""
    rng = Random(f"sample {seed} chases")
    return [
        Scene("park", rng.randrange(2**31), _one_after_the_other(pair[::way], rng))
        for _ in range(_EACH_WAY)
        for pair in _PAIRS
        for way in (1, -1)
    ]


def _one_after_the_other(names: tuple[str, ...], rng: Random) -> tuple[Thing, ...]:
    grass = places()["park"].zones[-1]
    lowest = rng.choice((grass.bottom - 16, grass.bottom - 40))
    things = []
    for name, left in zip(names, (_CHASER, _CHASED), strict=True):
        width, height = (round(_SIZE * share) for share in kinds()[name].shape)
        things.append(Thing(name, (left, lowest - height, width, height), grass.name))
    return tuple(things)
