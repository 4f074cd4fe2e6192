"""What a foiling function makes instances for, and how it puts them together."""

from dataclasses import dataclass
from typing import Protocol

from pipeline.errors import Refusal
from pipeline.instance import (
    ImageRef,
    Instance,
    Provenance,
    SourceRef,
    find_edit,
    instance_id,
)


@dataclass(frozen=True, slots=True)
class Target:
    """The instrument that instances are made for, and the seed that goes into their provenance."""

    piece: str
    instrument: str
    seed: int


class SourceRecord(Protocol):
    """What all records of sources have."""

    @property
    def dataset(self) -> str:
        """The data set's name."""

    @property
    def split(self) -> str:
        """The part of the data set."""

    @property
    def id(self) -> str:
        """What the data set knows the record by."""

    @property
    def image(self) -> ImageRef:
        """The image that the record is about."""

    @property
    def text(self) -> str:
        """What the record says."""


def instance_of(
    target: Target,
    record: SourceRecord,
    caption: str,
    foil: str,
    *,
    classes: tuple[str, ...],
    classes_foil: tuple[str, ...],
    function: str,
    version: int,
) -> Instance:
    """The instance of a record's caption and its foil.

    Raises:
        Refusal: "same text", where caption and foil do not differ but for case and space.
    """
    if "".join(caption.split()).casefold() == "".join(foil.split()).casefold():
        raise Refusal("same text", caption)
    source = SourceRef(record.dataset, record.split, record.id, record.text)
    edit = find_edit(caption, foil, classes, classes_foil)
    return Instance(
        id=instance_id(source, target.instrument, caption, foil, edit),
        piece=target.piece,
        instrument=target.instrument,
        image=record.image,
        caption=caption,
        foil=foil,
        edit=edit,
        source=source,
        provenance=Provenance(function, version, target.seed),
    )
