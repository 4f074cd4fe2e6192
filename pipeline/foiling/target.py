"""What a foiling function makes instances for, and how it puts them together."""

from dataclasses import dataclass

from pipeline.errors import Refusal
from pipeline.instance import Instance, Provenance, SourceRef, find_edit, instance_id
from pipeline.sources.records import Question


@dataclass(frozen=True, slots=True)
class Target:
    """The instrument that instances are made for, and the seed that goes into their provenance."""

    piece: str
    instrument: str
    seed: int


def instance_of_question(
    target: Target,
    question: Question,
    caption: str,
    foil: str,
    *,
    classes: tuple[str, ...],
    classes_foil: tuple[str, ...],
    function: str,
    version: int,
) -> Instance:
    """The instance of a counting question's statement and its foil.

    Raises:
        Refusal: "same text", where caption and foil do not differ but for case and space.
    """
    if "".join(caption.split()).casefold() == "".join(foil.split()).casefold():
        raise Refusal("same text", caption)
    source = SourceRef(question.dataset, question.split, question.id, question.text)
    edit = find_edit(caption, foil, classes, classes_foil)
    return Instance(
        id=instance_id(source, target.instrument, caption, foil, edit),
        piece=target.piece,
        instrument=target.instrument,
        image=question.image,
        caption=caption,
        foil=foil,
        edit=edit,
        source=source,
        provenance=Provenance(function, version, target.seed),
    )
