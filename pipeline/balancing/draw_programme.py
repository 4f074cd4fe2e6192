"""Which foil to draw for which record, as an integer programme over kinds of records.

Records with the same caption class and the same offer of foil classes are one kind. The programme
says how many records of a kind take which foil; which records these are is drawn by lot. Captions
flow into foils like goods through a network, so the relaxed programme is almost always whole
already, and the solver (HiGHS) answers within seconds for tens of thousands of records.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

import numpy as np

from pipeline.balancing.integer_programme import IntegerProgramme, Terms
from pipeline.balancing.kinds import Class, Slot, gather_kinds
from pipeline.balancing.records import Outcome, Record

_Name = TypeVar("_Name", Class, Slot)

# What drawing one record more is worth, and what the terms below cost at most. Drawing many comes
# first, then foils that their record prefers, then variety of pairs, then chance.
_WORTH = 8.0
_LATER_CHOICE = 1.0
_SECOND_CHOICE = 0.2
_CROWDING = 0.4
_OUT_OF_CONTEXT = 0.15
_CHANCE = 0.02


@dataclass(frozen=True, slots=True)
class _Draw:
    """Records of one group (a kind, or a pool of kinds) take this foil class."""

    group: int
    caption: Slot
    foil: Slot


@dataclass(slots=True)
class DrawProgramme(IntegerProgramme):
    """The programme over kinds of records; `solve` draws its solution.

    A record that takes none of its preferred foils gives way into a pool with all others that
    have its caption class and its offer; foils are then drawn for the pool. So the number of
    variables grows with the kinds, not with the kinds times the classes.

    Attributes:
        groups: Numbers of the records of each kind, then an empty list for each pool.
        draws: Variable -> what it counts.
        gives_way: Variable -> the kind and the pool between which it counts records.
    """

    groups: list[list[int]] = field(default_factory=list)
    draws: dict[int, _Draw] = field(default_factory=dict)
    gives_way: dict[int, tuple[int, int]] = field(default_factory=dict)

    def with_caption(self) -> dict[Class, Terms]:
        """Caption class -> the draws that have it, as terms of a row."""
        return self._draws_by(lambda draw: draw.caption[0])

    def with_foil(self) -> dict[Class, Terms]:
        """Foil class -> the draws that have it, as terms of a row."""
        return self._draws_by(lambda draw: draw.foil[0])

    def match(self) -> None:
        """Give every class to as many foils as captions."""
        for terms in self._surplus(self.with_caption(), self.with_foil()):
            self.bound(terms, 0, 0)

    def match_in_context(self) -> None:
        """Let every class before every word be in nearly as many foils as captions."""
        captions = self._draws_by(lambda draw: draw.caption)
        foils = self._draws_by(lambda draw: draw.foil)
        for terms in self._surplus(captions, foils):
            many = float(len(terms) * max(self.upper))
            more = self.variable(_OUT_OF_CONTEXT, many)
            fewer = self.variable(_OUT_OF_CONTEXT, many)
            self.bound(terms | {more: -1.0, fewer: 1.0}, 0, 0)

    def _surplus(self, captions: dict[_Name, Terms], foils: dict[_Name, Terms]) -> Iterator[Terms]:
        """Per name, the captions that have it less the foils that do."""
        for name in sorted(captions.keys() | foils.keys()):
            terms = dict(captions.get(name, {}))
            for draw in foils.get(name, {}):
                terms[draw] = terms.get(draw, 0.0) - 1.0
            yield terms

    def _draws_by(self, name: Callable[[_Draw], _Name]) -> dict[_Name, Terms]:
        terms: dict[_Name, Terms] = defaultdict(dict)
        for number, draw in self.draws.items():
            terms[name(draw)][number] = 1.0
        return dict(sorted(terms.items()))


def build_programme(
    records: Sequence[Record],
    *,
    size: int | None,
    class_cap: float | int | None,
    preferred: int,
    in_context: bool,
    rng: Random,
) -> DrawProgramme:
    """The programme that draws as many records as possible, each at most once.

    Args:
        records: Their order must not depend on anything by chance.
        size: The most to draw in all.
        class_cap: The most captions of one class: a count (int), or a share of those drawn
            (float up to 1).
        preferred: How many candidates of a record, from its first, are preferred to the others.
        in_context: Whether the words that follow the classes matter.
        rng: Breaks ties, and decides which records of a kind are drawn.
    """
    kinds = gather_kinds(records, preferred=preferred, in_context=in_context, rng=rng)
    programme = DrawProgramme(groups=[list(kind.members) for kind in kinds])
    pools: dict[tuple[Slot, frozenset[Class]], int] = {}
    for number, kind in enumerate(kinds):
        most = len(kind.members)
        offer: Terms = {}
        for rank, foil in enumerate(kind.preferred):
            cost = _SECOND_CHOICE * rank / preferred + _CHANCE * rng.random() - _WORTH
            offer[_draw(programme, _Draw(number, kind.caption, foil), cost, most)] = 1.0
        if kind.others:
            pool = pools.setdefault((kind.caption, kind.others), len(programme.groups))
            if pool == len(programme.groups):
                programme.groups.append([])
            variable = programme.variable(_CHANCE * rng.random(), most, whole=True)
            programme.gives_way[variable] = number, pool
            offer[variable] = 1.0
        programme.bound(offer, 0, most)
    _draw_from_pools(programme, pools, len(records), rng)
    total = programme.variable(0.0, len(records) if size is None else size)
    programme.bound(dict.fromkeys(programme.draws, 1.0) | {total: -1.0}, 0, 0)
    _cap_classes(programme, class_cap, total)
    _spread_pairs(programme, size or len(records))
    return programme


def solve(programme: DrawProgramme, records: Sequence[Record], rng: Random) -> list[Outcome | None]:
    """Solve the programme and draw; one outcome per record, None for those not drawn."""
    outcomes: list[Outcome | None] = [None] * len(records)
    if not programme.draws:
        return outcomes
    counts = programme.optimum()
    groups = [list(numbers) for numbers in programme.groups]
    for variable, (kind, pool) in programme.gives_way.items():
        groups[pool] += [groups[kind].pop() for _ in range(counts[variable])]
    for pool in sorted({pool for _, pool in programme.gives_way.values()}):
        rng.shuffle(groups[pool])
    for variable, draw in programme.draws.items():
        for _ in range(counts[variable]):
            number = groups[draw.group].pop()
            offered = records[number].candidates
            outcomes[number] = Outcome(next(c for c in offered if c.foil_class == draw.foil[0]))
    return outcomes


def classes_at_cap(outcomes: Iterable[Outcome | None], class_cap: float | int | None) -> set[Class]:
    """The caption classes of which the cap forbids to draw one more."""
    if class_cap is None:
        return set()
    drawn = Counter(o.drawn.caption_class for o in outcomes if o and o.drawn)
    most = class_cap if isinstance(class_cap, int) else class_cap * drawn.total()
    return {name for name, count in drawn.items() if count + 1 > most}


def _draw(programme: DrawProgramme, draw: _Draw, cost: float, most: float) -> int:
    variable = programme.variable(cost, most, whole=True)
    programme.draws[variable] = draw
    return variable


def _draw_from_pools(
    programme: DrawProgramme,
    pools: dict[tuple[Slot, frozenset[Class]], int],
    most: int,
    rng: Random,
) -> None:
    entering: dict[int, Terms] = defaultdict(dict)
    for variable, (_, pool) in programme.gives_way.items():
        entering[pool][variable] = -1.0
    for (caption, foils), pool in pools.items():
        leaving: Terms = {}
        for foil in sorted(foils):
            cost = _LATER_CHOICE + _CHANCE * rng.random() - _WORTH
            leaving[_draw(programme, _Draw(pool, caption, (foil, "")), cost, most)] = 1.0
        programme.bound(entering[pool] | leaving, 0, 0)


def _cap_classes(programme: DrawProgramme, class_cap: float | int | None, total: int) -> None:
    if class_cap is None:
        return
    for draws in programme.with_caption().values():
        if isinstance(class_cap, int):
            programme.bound(draws, 0, class_cap)
        else:
            programme.bound(draws | {total: -class_cap}, -np.inf, 0)


def _spread_pairs(programme: DrawProgramme, size: int) -> None:
    """Make the hundredth "two for three" dearer than the first "nine for ten"."""
    pairs: dict[tuple[Class, Class], Terms] = defaultdict(dict)
    for variable, draw in programme.draws.items():
        pairs[draw.caption[0], draw.foil[0]][variable] = 1.0
    steps = _steps(size)
    for draws in pairs.values():
        terms = dict(draws)
        for step, width in enumerate(steps):
            terms[programme.variable(_CROWDING * step / len(steps), width)] = -1.0
        programme.bound(terms, 0, 0)


def _steps(size: int) -> list[int]:
    """Widths 1, 1, 2, 4, ... that reach at least `size` together."""
    widths = [1]
    while sum(widths) < size:
        widths.append(sum(widths))
    return widths
