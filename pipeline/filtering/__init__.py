"""Filters: each takes a batch of instances and returns one verdict per instance, in their order.

A verdict says keep or not, and why not; dropping and counting is the caller's work.
"""

from collections.abc import Callable

from pipeline.instance import Verdict
from pipeline.registry import Registry

Filter = Callable[..., list[Verdict]]

FILTERS: Registry[Filter] = Registry(
    "filter",
    {
        "identity": "pipeline.filtering.identity:judge_identity",
        "duplicates": "pipeline.filtering.duplicates:judge_duplicates",
    },
)

# These compare instances with each other, so their batch has to be all instances at once.
GLOBAL_FILTERS = frozenset({"duplicates"})

__all__ = ["FILTERS", "GLOBAL_FILTERS", "Filter"]
