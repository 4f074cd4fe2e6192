"""Frames made by hand."""

from pipeline.instance import ImageRef
from pipeline.sources.records import Filler, Frame, Role

MAN, WOMAN = ("n10287213", "man"), ("n10787470", "woman")


def frame(verb: str, abstract: str, identity: str = "1.jpg", **roles: tuple[str, str]) -> Frame:
    """A frame that three annotators filled alike, with a noun's id and word for each role."""
    filled = {name: (Filler(noun, (word,)),) * 3 for name, (noun, word) in roles.items()}
    return Frame(
        dataset="swig",
        split="test",
        id=identity,
        image=ImageRef("swig", identity, "test"),
        verb=verb,
        abstract=abstract,
        roles=tuple(Role(name, fillers) for name, fillers in filled.items()),
    )
