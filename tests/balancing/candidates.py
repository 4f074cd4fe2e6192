"""Candidates made by hand, for tests that draw from them."""

from collections.abc import Sequence

from pipeline.instance import Edit, ImageRef, Instance, Provenance, SourceRef


def candidate(
    record: str,
    caption_class: str,
    foil_class: str,
    *,
    caption: str = "",
    foil: str = "",
    piece: str = "counting",
) -> Instance:
    """A candidate of a record; without texts it gets some that say the classes."""
    caption = caption or f"There are exactly {caption_class} cups."
    foil = foil or f"There are exactly {foil_class} cups."
    return Instance(
        id=f"{record}:{foil_class}:{foil}",
        piece=piece,
        instrument=piece,
        image=ImageRef("photos", f"{record}.jpg"),
        caption=caption,
        foil=foil,
        edit=Edit(0, 0, 0, 0, (caption_class,), (foil_class,)),
        source=SourceRef("questions", "test", record, caption),
        provenance=Provenance("by hand", 1, 0),
    )


def candidates_of(records: Sequence[tuple[int, Sequence[int]]]) -> list[Instance]:
    """One record per (caption number, foil numbers in the order of preference)."""
    return [
        candidate(f"record {place:04}", str(number), str(foil))
        for place, (number, foils) in enumerate(records)
        for foil in foils
    ]
