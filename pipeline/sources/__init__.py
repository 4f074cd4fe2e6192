"""Readers of published data sets in their official file formats."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

from pipeline.registry import Registry

SOURCES: Registry[Callable[..., Iterator[Any]]] = Registry(
    "source",
    {
        "coco": "pipeline.sources.coco:read",
        "coco-objects": "pipeline.sources.coco_objects:read",
        "foil-it": "pipeline.sources.foilit:read",
        "swig": "pipeline.sources.swig:read",
        "visdial": "pipeline.sources.visdial:read",
        "visual7w": "pipeline.sources.visual7w:read",
    },
)


@dataclass(frozen=True, slots=True)
class Companion:
    """A second file that a reader needs beside the first.

    Attributes:
        keyword: The reader's argument for it.
        find: Where it lies beside the first file, under its official name.
        required: Whether nothing can be read without it.
    """

    keyword: str
    find: Callable[[Path], Path]
    required: bool = True


def _captions_of_foils(path: Path) -> Path:
    """FOIL-it's training part has images of train2014, its test part of val2014."""
    part = "train" if "train" in path.name else "val"
    return path.with_name(f"captions_{part}2014.json")


COMPANIONS: dict[str, Companion] = {
    "coco-objects": Companion(
        "objects", lambda path: path.with_name(path.name.replace("captions", "instances"))
    ),
    "foil-it": Companion("captions", _captions_of_foils),
    "swig": Companion("space", lambda path: path.with_name("imsitu_space.json")),
    "visdial": Companion(
        "captions", lambda path: path.with_name("captions_val2014.json"), required=False
    ),
}
"""Source -> its companion, for those that have one."""


def record_type(reader: Callable[..., Iterator[Any]]) -> type:
    """The type of record that a reader hands out, from its annotation."""
    return get_args(get_type_hints(reader)["return"])[0]
