"""Foiling functions: one phenomenon each, a source record in, candidate instances out."""

from collections.abc import Callable, Iterator

from pipeline.instance import Instance
from pipeline.registry import Registry

FOILING: Registry[Callable[..., Iterator[Instance]]] = Registry(
    "foiling function",
    {
        "counting": "pipeline.foiling.counting:counting",
        "existence": "pipeline.foiling.existence:existence",
    },
)
