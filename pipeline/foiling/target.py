"""What a foiling function makes instances for, and how an instance is put together."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.instance import Instance, Provenance, SourceRef, find_edit, instance_id
from pipeline.sources.records import Question


@dataclass(frozen=True, slots=True)
class Target:
    """The instrument that is being made, and the seed of the draws."""

    piece: str
    instrument: str
    seed: int

    def instance(
        self,
        record: Question,
        caption: str,
        foil: str,
        classes: Sequence[str],
        classes_foil: Sequence[str],
        function: str,
        version: int,
    ) -> Instance:
        """The instance of a pair of texts made from a source record."""
        source = SourceRef(record.dataset, record.split, record.id, record.text)
        edit = find_edit(caption, foil, classes, classes_foil)
        return Instance(
            id=instance_id(source, self.instrument, caption, foil, edit),
            piece=self.piece,
            instrument=self.instrument,
            image=record.image,
            caption=caption,
            foil=foil,
            edit=edit,
            source=source,
            provenance=Provenance(function, version, self.seed),
        )
