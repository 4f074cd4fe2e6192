"""Preposition spans, from parses made by hand and from the embedded parser."""

import json

import pytest
import spacy
from spacy.tokens import Doc

from pipeline.language.parse import parse
from pipeline.language.prepositions import preposition_spans, preposition_spans_of

VOCABULARY = spacy.blank("en").vocab


def tagged(text: str) -> Doc:
    """Build a document from words "text/TAG" or "text/TAG/label"; it is a chain of words."""
    words = [word.split("/") for word in text.split()]
    return Doc(
        VOCABULARY,
        words=[word[0] for word in words],
        tags=[word[1] for word in words],
        deps=[word[2] if len(word) > 2 else "dep" for word in words],
        heads=[0] * len(words),
    )


def spans(text: str) -> list[str]:
    """List the spans, those that may be replaced alone with a star."""
    return [span.text + "*" * span.whole for span in preposition_spans_of(tagged(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cat/NN on/IN bed/NN", ["on*"]),
        ("walks/VBZ out/IN of/IN it/PRP", ["out", "out of*", "of"]),
        (
            "goes/VBZ back/RB up/RP to/IN it/PRP",
            ["back", "back up", "back up to*", "up", "up to", "to"],
        ),
        ("tower/NN is/VBZ lit/VBN up/RP", ["up*"]),
        ("rides/VBZ in/RB on/IN it/PRP", ["in", "in on*", "on"]),
        ("looks/VBZ up/RP to/TO eat/VB", ["up*"]),
        ("about/RB 20/CD dogs/NNS", []),
        ("as/IN/mark he/PRP falls/VBZ", []),
        ("his/PRP$ back/NN", []),
        ("next/RB to/IN it/PRP", ["to"]),
        ("in/IN front/NN of/IN it/PRP", ["in", "of"]),
        ("in/IN the/DT middle/NN of/IN it/PRP", ["in*", "of*"]),
        ("OVER/IN THE/DT HILL/NN", ["OVER*"]),
    ],
)
def test_finds_runs_of_prepositions(text, expected):
    assert spans(text) == expected


def test_gives_character_offsets():
    caption = "A bear climbs up in a tree."
    assert [
        (span.text, span.start, span.end, span.whole) for span in preposition_spans(caption)
    ] == [("up", 14, 16, False), ("up in", 14, 19, True), ("in", 17, 19, False)]


def test_finds_the_published_prepositions(shared_data):
    path = shared_data / "valse" / "relations.json"
    records = list(json.loads(path.read_text(encoding="utf-8")).values())
    found = 0
    for record, doc in zip(records, parse(r["caption"] for r in records), strict=True):
        found += record["classes"] in {span.text.lower() for span in preposition_spans_of(doc)}
    assert found / len(records) >= 0.98
