"""Readers of published data sets in their official file formats."""

from collections.abc import Callable, Iterator
from typing import Any, get_args, get_type_hints

from pipeline.registry import Registry

SOURCES: Registry[Callable[..., Iterator[Any]]] = Registry(
    "source", {"visual7w": "pipeline.sources.visual7w:read"}
)


def record_type(reader: Callable[..., Iterator[Any]]) -> type:
    """The type of record that a reader hands out, from its annotation."""
    return get_args(get_type_hints(reader)["return"])[0]
