"""Questions and a target for the tests of foiling functions."""

from hypothesis import strategies as st

from pipeline.foiling.target import Target
from pipeline.instance import ImageRef
from pipeline.sources.records import Question

TARGET = Target("counting", "counting-balanced", 7)


def ask(question: str, number: int, choices: tuple[int, ...] = ()) -> Question:
    """A Visual7W question with its answer in digits."""
    image = ImageRef("visual7w", "v7w_1.jpg", "test")
    return Question("visual7w", "test", "11", image, question, f"{number}.", number, choices)


NOUNS = st.sampled_from(
    [
        "dogs",
        "elephants",
        "buses",
        "women",
        "knives",
        "sheep",
        "red umbrellas",
        "SUVs",
        "trash cans",
    ]
)
