"""Which way a foil goes: from the denial to the affirmation or back, to more or to fewer ..."""

from collections import Counter
from collections.abc import Iterable

from pipeline.errors import InputError
from pipeline.instance import Instance
from pipeline.language.inflection import grammatical_number
from pipeline.registry import unknown_name

# Grouping -> its directions. Every instance of a balanced instrument has one of them.
DIRECTIONS: dict[str, tuple[str, ...]] = {
    "negation": ("negated caption", "affirmative caption"),
    "magnitude": ("foil is larger", "foil is smaller"),
    "number": ("several become one", "one becomes several"),
    "answer": ("yes becomes no", "no becomes yes"),
}

_GROUPING_OF_PIECE = {
    "existence": "negation",
    "counting": "magnitude",
    "plurality": "number",
    "coreference": "answer",
}


def direction(instance: Instance, grouping: str) -> str:
    """The direction of an instance within a grouping.

    `negation`: a caption of class 0 denies. `magnitude`: the numbers of the two classes compare.
    `number`: a caption's class is a plural or not. `answer`: it is "yes" or not.

    Raises:
        InputError: There is no such grouping, or the classes of the instance are not numbers
            where numbers are compared.
    """
    if grouping not in DIRECTIONS:
        raise unknown_name("grouping", grouping, list(DIRECTIONS))
    edit = instance.edit
    first, second = DIRECTIONS[grouping]
    if grouping == "negation":
        return first if edit.classes == ("0",) else second
    if grouping == "number":
        return first if grammatical_number(edit.classes[0]) == "plural" else second
    if grouping == "answer":
        return first if edit.classes == ("yes",) else second
    try:
        (caption,), (foil,) = edit.classes, edit.classes_foil
        return first if int(foil) > int(caption) else second
    except ValueError:
        raise InputError(
            f"its classes {edit.classes} and {edit.classes_foil} cannot be compared as numbers",
            where=f"instance {instance.id}",
        ) from None


def direction_shares(instances: Iterable[Instance]) -> dict[str, float]:
    """The share of each direction among the instances of pieces that have directions, 0 to 1."""
    counts = Counter(
        direction(instance, _GROUPING_OF_PIECE[instance.piece])
        for instance in instances
        if instance.piece in _GROUPING_OF_PIECE
    )
    return {name: counts[name] / counts.total() for name in sorted(counts)}
