"""Draws that give captions and foils their classes in fixed proportions (VALSE 3.3, A.3)."""

from collections.abc import Sequence
from random import Random

from pipeline.balancing.draw_programme import DrawProgramme, build_programme, classes_at_cap, solve
from pipeline.balancing.records import Outcome, Record
from pipeline.errors import InputError

_MANY = 1e9


def draw_matched_classes(
    records: Sequence[Record],
    *,
    size: int | None,
    rng: Random,
    class_cap: float | int | None = None,
    preferred: int = 3,
    match_context: bool = True,
) -> list[Outcome]:
    """Give every class to as many foils as captions, so that no class tells the two apart.

    Of all such draws it takes one that is as large as possible up to `size`, then has the most
    foils among the preferred candidates, then has many different pairs of classes. The two
    histograms are equal, hence their divergence is 0.

    Args:
        records: In the order of their keys.
        size: The most to draw.
        rng: Breaks ties.
        class_cap: The most captions of one class, as a count (int) or a share (float up to 1).
        preferred: How many candidates of a record, from its first, are equally welcome; Visual7W
            gives three wrong choices with every question.
        match_context: Whether classes are matched together with the word that follows them, too,
            as far as that goes: else "0 people" may stand in captions far more than in foils.

    Returns:
        One outcome per record. Reasons: "class cap", "beyond the size asked for",
        "no matching foil class".
    """
    _check(class_cap, preferred)
    programme = build_programme(
        records,
        size=size,
        class_cap=class_cap,
        preferred=preferred,
        in_context=match_context,
        rng=rng,
    )
    programme.match()
    if match_context:
        programme.match_in_context()
    return _outcomes(programme, records, size, class_cap, rng)


def draw_uniform_foils(
    records: Sequence[Record],
    *,
    size: int | None,
    rng: Random,
    class_cap: float | int | None = None,
    preferred: int = 1,
) -> list[Outcome]:
    """Give every foil class that the candidates offer to equally many foils, within one.

    Args:
        records: In the order of their keys.
        size: The most to draw.
        rng: Breaks ties.
        class_cap: The most captions of one class, as a count (int) or a share (float up to 1).
        preferred: How many candidates of a record, from its first, are equally welcome.

    Returns:
        One outcome per record; the reasons are those of `draw_matched_classes`.
    """
    _check(class_cap, preferred)
    programme = build_programme(
        records, size=size, class_cap=class_cap, preferred=preferred, in_context=False, rng=rng
    )
    lowest = programme.variable(0.0, _MANY, whole=True)
    for draws in programme.with_foil().values():
        programme.bound(draws | {lowest: -1.0}, 0, 1)
    return _outcomes(programme, records, size, class_cap, rng)


def check_class_cap(class_cap: float | int | None) -> None:
    """Check that a cap is one.

    Raises:
        InputError: It is not.
    """
    is_count = isinstance(class_cap, int) and class_cap >= 1
    is_share = isinstance(class_cap, float) and 0 < class_cap <= 1
    if not (class_cap is None or is_count or is_share):
        raise InputError(
            f"class_cap has to be a count from 1 up or a share up to 1.0, not {class_cap!r}"
        )


def _check(class_cap: float | int | None, preferred: int) -> None:
    check_class_cap(class_cap)
    if not (isinstance(preferred, int) and preferred >= 1):
        raise InputError(f"preferred has to be a count from 1 up, not {preferred!r}")


def _outcomes(
    programme: DrawProgramme,
    records: Sequence[Record],
    size: int | None,
    class_cap: float | int | None,
    rng: Random,
) -> list[Outcome]:
    outcomes = solve(programme, records, rng)
    full = classes_at_cap(outcomes, class_cap)
    complete = size is not None and sum(o is not None for o in outcomes) >= size

    def why(record: Record) -> str:
        if record.candidates[0].caption_class in full:
            return "class cap"
        return "beyond the size asked for" if complete else "no matching foil class"

    return [
        outcome or Outcome(None, why(record))
        for record, outcome in zip(records, outcomes, strict=True)
    ]
