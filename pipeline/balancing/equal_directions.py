"""Equally many foils in each direction (VALSE 3.1: as many captions deny as affirm)."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from random import Random

import numpy as np

from pipeline.balancing.directions import DIRECTIONS, direction
from pipeline.balancing.records import Candidate, Outcome, Record
from pipeline.balancing.words import words
from pipeline.errors import InputError
from pipeline.filtering.wording import wording
from pipeline.registry import unknown_name


def draw_equal_directions(
    records: Sequence[Record],
    *,
    size: int | None,
    rng: Random,
    grouping: str = "negation",
    statement_cap: int | None = None,
    similar: bool = True,
) -> list[Outcome]:
    """Draw the same number of instances for each direction of a grouping.

    Within a direction, captions that were not drawn yet come before repetitions, so that
    "There are no people." does not dominate.

    Args:
        records: In the order of their keys.
        size: The most to draw; what is left after an equal division is not drawn.
        rng: Decides between equals.
        grouping: A key of `DIRECTIONS`.
        statement_cap: How many instances may have a caption of the same wording.
        similar: Draw the direction that has the most to offer such that its texts resemble those
            of the scarcest direction word by word; else words that stand in one direction only
            would tell caption from foil.

    Returns:
        One outcome per record. Reasons: "statement cap", "beyond the size asked for",
        "direction is full".

    Raises:
        InputError: There is no such grouping, or the cap is below 1.
    """
    if grouping not in DIRECTIONS:
        raise unknown_name("grouping", grouping, list(DIRECTIONS))
    if statement_cap is not None and not (isinstance(statement_cap, int) and statement_cap >= 1):
        raise InputError(f"statement_cap has to be a count from 1 up, not {statement_cap!r}")
    names = DIRECTIONS[grouping]
    offered = _offers(records, grouping, rng)
    below = {name: _new_statements_first(records, offered[name], statement_cap) for name in names}
    scarcest = min(names, key=lambda name: len(below[name]))
    each = len(below[scarcest])
    if size is not None:
        each = min(each, size // len(names))
    drawn = {number: offered[scarcest][number] for number in below[scarcest][:each]}
    models = list(drawn.values())
    for name in names:
        if name == scarcest:
            continue
        order = below[name]
        if similar:
            order = _most_similar_first(models, [offered[name][number] for number in order], order)
        drawn |= {number: offered[name][number] for number in order[:each]}
    complete = size is not None and each == size // len(names)
    capped = set().union(*(set(offered[name]) - set(below[name]) for name in names))

    def outcome(number: int) -> Outcome:
        if number in drawn:
            return Outcome(drawn[number])
        if number in capped:
            return Outcome(None, "statement cap")
        return Outcome(None, "beyond the size asked for" if complete else "direction is full")

    return [outcome(number) for number in range(len(records))]


def _offers(
    records: Sequence[Record], grouping: str, rng: Random
) -> dict[str, dict[int, Candidate]]:
    """Direction -> record number -> its candidate, each record in one direction, by lot.

    Records that could go both ways go where there are fewer.
    """
    choices: list[dict[str, Candidate]] = []
    for record in records:
        choice: dict[str, Candidate] = {}
        for candidate in record.candidates:
            choice.setdefault(direction(candidate.instance, grouping), candidate)
        choices.append(choice)
    offered: dict[str, dict[int, Candidate]] = defaultdict(dict)
    numbers = list(range(len(records)))
    rng.shuffle(numbers)
    for number in sorted(numbers, key=lambda number: len(choices[number])):
        name = min(choices[number], key=lambda name: (len(offered[name]), name))
        offered[name][number] = choices[number][name]
    return offered


def _new_statements_first(
    records: Sequence[Record], offered: dict[int, Candidate], cap: int | None
) -> list[int]:
    """Record numbers: those whose caption is new, then second instances, and so on to the cap."""
    seen: Counter[str] = Counter()
    repetition: dict[int, int] = {}
    for number, candidate in offered.items():
        statement = wording(candidate.instance.caption)
        repetition[number] = seen[statement]
        seen[statement] += 1
    within = [number for number in offered if cap is None or repetition[number] < cap]
    return sorted(within, key=repetition.__getitem__)


def _most_similar_first(
    models: Sequence[Candidate], others: Sequence[Candidate], numbers: Sequence[int]
) -> list[int]:
    """`numbers` of the others, with those first that pair best with the models, one to one."""
    if not models or not others:
        return list(numbers)
    from scipy.optimize import linear_sum_assignment

    rows = _profiles([*models, *others])
    similarity = rows[: len(models)] @ rows[len(models) :].T
    paired = linear_sum_assignment(similarity.toarray(), maximize=True)[1]
    chosen = [numbers[place] for place in sorted(paired)]
    rest = set(chosen)
    return chosen + [number for number in numbers if number not in rest]


def _profiles(candidates: Sequence[Candidate]):
    """One sparse row of length 1 per candidate: words and word pairs of both texts, by rarity."""
    from scipy.sparse import csr_array

    profiles = []
    for candidate in candidates:
        profile: Counter[str] = Counter()
        for text in (candidate.instance.caption, candidate.instance.foil):
            tokens = words(text)
            profile.update(tokens)
            profile.update(f"{a} {b}" for a, b in pairwise(tokens))
        profiles.append(profile)
    documents = Counter(term for profile in profiles for term in profile)
    columns = {term: column for column, term in enumerate(sorted(documents))}
    values, places = [], []
    for row, profile in enumerate(profiles):
        for term, count in sorted(profile.items()):
            values.append(count * np.log((1 + len(profiles)) / documents[term]))
            places.append((row, columns[term]))
    row_numbers, column_numbers = zip(*places, strict=True)
    matrix = csr_array((values, (row_numbers, column_numbers)), (len(profiles), len(columns)))
    lengths = np.sqrt((matrix * matrix).sum(axis=1))
    return matrix.multiply(1 / np.maximum(lengths, 1e-12)[:, None]).tocsr()
