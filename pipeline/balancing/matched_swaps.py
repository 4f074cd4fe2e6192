"""Draws in which every "p for q" has its "q for p" (VALSE A.4, ii), in words that cancel out.

Where a caption says "on" and its foil "under", another caption says "under" and its foil "on". So
each class is as often in captions as in foils by construction, and so are, nearly, the words
around it: of all counterparts the one is drawn whose words leave the smallest surplus of any word
or pair of words on one side.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np

from pipeline.balancing.class_draws import check_class_cap
from pipeline.balancing.records import Candidate, Outcome, Record
from pipeline.balancing.strata import STRATA
from pipeline.balancing.words import words
from pipeline.errors import InputError
from pipeline.registry import unknown_name

_Class = tuple[str, ...]
# The smaller class, the larger class, and the stratum.
_Swap = tuple[_Class, _Class, str]

# How many candidates are looked at for the first half of a couple; more follow the words better
# but the corpus less.
_CHOICE = 30


def draw_matched_swaps(
    records: Sequence[Record],
    *,
    size: int | None,
    rng: Random,
    class_cap: float | int | None = None,
    per_image: int | None = None,
    stratum: str | None = None,
    equal_strata: bool = False,
) -> list[Outcome]:
    """Draw couples: a candidate that puts q for p, and one of another record that puts p for q.

    Args:
        records: In the order of their keys.
        size: The most to draw; an odd one is left over.
        rng: Decides between equals.
        class_cap: The most captions of one class, as a count (int) or a share of `size` (float up
            to 1), or of what can be drawn where there is no size.
        per_image: The most instances of one image.
        stratum: A key of `STRATA`; both halves of a couple are then of one stratum.
        equal_strata: Whether all strata get equally many.

    Returns:
        One outcome per record. Reasons: "no counterpart", "class cap", "image cap",
        "beyond the size asked for".

    Raises:
        InputError: An option does not take its value.
    """
    check_class_cap(class_cap)
    if per_image is not None and not (isinstance(per_image, int) and per_image >= 1):
        raise InputError(f"per_image has to be a count from 1 up, not {per_image!r}")
    if stratum is not None and stratum not in STRATA:
        raise unknown_name("stratum", stratum, list(STRATA))
    offers = _offers(records, stratum)
    most = size if size is not None else 2 * sum(min(map(len, o.sides)) for o in offers.values())
    draw = _Draw(
        _profiles(records),
        class_cap if isinstance(class_cap, int | None) else max(1, int(class_cap * most)),
        per_image,
    )
    _shuffle(offers, rng)
    if equal_strata:
        _draw_in_turn(draw, offers, most, rng)
    else:
        _draw_freely(draw, offers, most, rng)
    return _outcomes(records, offers, draw, full=len(draw.drawn) + 2 > most)


@dataclass(frozen=True, slots=True)
class _Place:
    """A candidate: the number of its record, its own number among all, and itself."""

    record: int
    row: int
    candidate: Candidate

    @property
    def image(self) -> tuple[str, str]:
        image = self.candidate.instance.image
        return image.dataset, image.file_name


@dataclass(slots=True)
class _Offer:
    """The candidates of one swap in each of its directions."""

    sides: tuple[list[_Place], list[_Place]] = field(default_factory=lambda: ([], []))

    @property
    def weight(self) -> float:
        """How often to draw from it; the root keeps frequent swaps from taking it all."""
        return min(map(len, self.sides)) ** 0.5


class _Draw:
    """What has been drawn, and the surplus of every word and pair of words in its captions."""

    def __init__(self, profiles: Any, class_cap: int | None, per_image: int | None) -> None:
        self.profiles = profiles
        self.surplus = np.zeros(profiles.shape[1])
        self.drawn: dict[int, Candidate] = {}
        self._class_cap, self._per_image = class_cap, per_image
        self._classes: Counter[_Class] = Counter()
        self._images: Counter[tuple[str, str]] = Counter()

    def couple(self, offer: _Offer) -> bool:
        """Draw a couple of the offer, if it still has one."""
        for side in offer.sides:
            side[:] = [place for place in side if self.refusal(place) is None]
        first, second = sorted(offer.sides, key=len)
        tried = first[:_CHOICE]
        while tried:
            place = tried[self._best(tried, self.surplus)]
            mates = [mate for mate in second if self._go_together(place, mate)]
            if mates:
                self._take(place)
                self._take(mates[self._best(mates, self.surplus)])
                return True
            tried.remove(place)
        return False

    def refusal(self, place: _Place) -> str | None:
        """Why a candidate cannot be drawn now; None if it can."""
        if place.record in self.drawn:
            return "drawn"
        cap = self._class_cap
        if cap is not None and self._classes[place.candidate.caption_class] >= cap:
            return "class cap"
        if self._per_image is not None and self._images[place.image] >= self._per_image:
            return "image cap"
        return None

    def _go_together(self, place: _Place, mate: _Place) -> bool:
        if place.record == mate.record:
            return False
        left = 2 if self._per_image is None else self._per_image - self._images[place.image]
        return left >= 2 or place.image != mate.image

    def _best(self, places: Sequence[_Place], surplus: np.ndarray) -> int:
        """Which of the candidates leaves the smallest surplus, as a sum of squares."""
        rows = self.profiles[[place.row for place in places]]
        return int(np.argmin(rows @ (2 * surplus) + rows.power(2).sum(axis=1)))

    def _take(self, place: _Place) -> None:
        self.drawn[place.record] = place.candidate
        self._classes[place.candidate.caption_class] += 1
        self._images[place.image] += 1
        row = self.profiles[[place.row]]
        self.surplus[row.indices] += row.data


def _draw_freely(draw: _Draw, offers: dict[_Swap, _Offer], most: int, rng: Random) -> None:
    """Draw couples of any swap, the frequent ones more often, until there is no more."""
    open_offers = [offers[swap] for swap in sorted(offers)]
    while open_offers and len(draw.drawn) + 2 <= most:
        weights = [offer.weight for offer in open_offers]
        if not any(weights):
            return
        (number,) = rng.choices(range(len(open_offers)), weights)
        if not draw.couple(open_offers[number]):
            del open_offers[number]


def _draw_in_turn(draw: _Draw, offers: dict[_Swap, _Offer], most: int, rng: Random) -> None:
    """Draw a couple of each stratum in turn, for as long as all have one."""
    by_stratum: dict[str, dict[_Swap, _Offer]] = defaultdict(dict)
    for swap, offer in offers.items():
        by_stratum[swap[2]][swap] = offer
    round_size = 2 * len(by_stratum)
    while round_size and len(draw.drawn) + round_size <= most:
        before = dict(draw.drawn)
        for name in sorted(by_stratum):
            count = len(draw.drawn)
            _draw_freely(draw, by_stratum[name], count + 2, rng)
            if len(draw.drawn) == count:
                draw.drawn = before
                return


def _offers(records: Sequence[Record], stratum: str | None) -> dict[_Swap, _Offer]:
    offers: dict[_Swap, _Offer] = defaultdict(_Offer)
    for place in _places(records):
        candidate = place.candidate
        one, other = candidate.caption_class, candidate.foil_class
        name = STRATA[stratum](candidate.instance) if stratum else ""
        offers[min(one, other), max(one, other), name].sides[one > other].append(place)
    return dict(offers)


def _places(records: Sequence[Record]) -> Iterator[_Place]:
    row = 0
    for number, record in enumerate(records):
        for candidate in record.candidates:
            yield _Place(number, row, candidate)
            row += 1


def _shuffle(offers: dict[_Swap, _Offer], rng: Random) -> None:
    for swap in sorted(offers):
        for side in offers[swap].sides:
            rng.shuffle(side)


def _profiles(records: Sequence[Record]) -> Any:
    """Words and pairs of words in the caption less those in the foil (candidates, terms)."""
    from scipy.sparse import csr_array

    differences = [_difference(place.candidate) for place in _places(records)]
    columns = {term: n for n, term in enumerate(sorted(set().union(*differences)))}
    starts = np.cumsum([0, *map(len, differences)])
    places = [columns[term] for difference in differences for term in difference]
    values = [float(count) for difference in differences for count in difference.values()]
    return csr_array((values, places, starts), shape=(len(differences), max(1, len(columns))))


def _difference(candidate: Candidate) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for text, sign in ((candidate.instance.caption, 1), (candidate.instance.foil, -1)):
        tokens = ["<", *words(text), ">"]
        for term in [*tokens, *map(" ".join, pairwise(tokens))]:
            counts[term] += sign
    return {term: count for term, count in counts.items() if count}


def _outcomes(
    records: Sequence[Record], offers: dict[_Swap, _Offer], draw: _Draw, *, full: bool
) -> list[Outcome]:
    paired = {
        place.record
        for offer in offers.values()
        if all(offer.sides)
        for side in offer.sides
        for place in side
    }

    def outcome(number: int, record: Record) -> Outcome:
        if number in draw.drawn:
            return Outcome(draw.drawn[number])
        reasons = {draw.refusal(_Place(number, 0, c)) for c in record.candidates}
        if None not in reasons:
            return Outcome(None, min(filter(None, reasons)))
        if full and number in paired:
            return Outcome(None, "beyond the size asked for")
        return Outcome(None, "no counterpart")

    return [outcome(number, record) for number, record in enumerate(records)]
