"""Drawing instances from candidates, by a method that balances captions against foils."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from pipeline.balancing.records import Outcome, gather_records, record_key
from pipeline.errors import InputError
from pipeline.instance import Instance, Verdict
from pipeline.registry import Registry, check_options

# A method takes records in the order of their keys, `size` (int or None), `rng` (Random) and its
# own options as keywords; it answers with one outcome per record.
Method = Callable[..., list[Outcome]]

METHODS: Registry[Method] = Registry(
    "balance method",
    {
        "directions": "pipeline.balancing.equal_directions:draw_equal_directions",
        "matched_swaps": "pipeline.balancing.matched_swaps:draw_matched_swaps",
        "matched_classes": "pipeline.balancing.class_draws:draw_matched_classes",
        "uniform_foils": "pipeline.balancing.class_draws:draw_uniform_foils",
    },
)

# What `select` gives a method; its other keyword-only arguments are options of the recipe.
SUPPLIED = ("size", "rng")

ANOTHER_FOIL = "another foil of the same record was drawn"


def select(
    candidates: Sequence[Instance], method: str, *, size: int | None, seed: int, **options: Any
) -> list[Instance]:
    """Draw at most one candidate of each source record.

    The draw depends on the candidates, the method with its options, and the seed; not on the
    order in which the records come. Candidates of one record come in the order of preference.

    Args:
        candidates: What to draw from; those that a filter has rejected are never drawn.
        method: A name in `METHODS`.
        size: How many instances to draw at most; None draws as many as the balance allows.
        seed: Seeds every choice that the method leaves open.
        options: Options of the method.

    Returns:
        All candidates in the order given, each with a verdict of the filter "balance", except
        those that came rejected: they are returned as they are.

    Raises:
        InputError: The method is unknown, lacks an option, or does not take its value.
    """
    draw = METHODS[method]
    check_options("balance method", method, draw, options, SUPPLIED)
    if size is not None and size < 1:
        raise InputError(f"the size has to be at least 1, not {size}", where=f"balance: {method}")
    records = gather_records(instance for instance in candidates if instance.kept)
    outcomes = draw(records, size=size, rng=Random(seed), **options)
    by_key = {record.key: outcome for record, outcome in zip(records, outcomes, strict=True)}
    return [
        instance.judged(_verdict(instance, by_key[record_key(instance)]))
        if instance.kept
        else instance
        for instance in candidates
    ]


def _verdict(instance: Instance, outcome: Outcome) -> Verdict:
    if outcome.drawn is None:
        return Verdict("balance", keep=False, reason=outcome.reason)
    if outcome.drawn.instance is instance:
        return Verdict("balance", keep=True)
    return Verdict("balance", keep=False, reason=ANOTHER_FOIL)
