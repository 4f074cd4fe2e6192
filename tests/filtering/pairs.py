"""Instances made by hand."""

from pipeline.instance import Edit, ImageRef, Instance, Provenance, Score, SourceRef


def pair(identity: str, caption: str, foil: str, image: str = "1.jpg", **scores: float) -> Instance:
    """An instance about an image, with scores by name."""
    return Instance(
        id=identity,
        piece="counting",
        instrument="counting",
        image=ImageRef("photos", image),
        caption=caption,
        foil=foil,
        edit=Edit(0, 0, 0, 0, ("1",), ("2",)),
        source=SourceRef("questions", "test", identity, caption),
        provenance=Provenance("by hand", 1, 0),
        scores=tuple(Score(name, value, "by hand") for name, value in scores.items()),
    )
