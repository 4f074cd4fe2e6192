"""Noun phrases, from parses made by hand and from the embedded parser."""

import json

import pytest

from pipeline.language.noun_phrases import noun_phrases, noun_phrases_of
from pipeline.language.parse import parse
from tests.trees import parsed


def shown(tree: str) -> list[tuple[str, str, str]]:
    """Give text, head and number of every noun phrase of a tree."""
    return [(phrase.text, phrase.head, phrase.number) for phrase in noun_phrases_of(parsed(tree))]


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (
            "A/DT/det/3 large/JJ/amod/3 Street/NN/compound/3 sign/NN/ROOT/3 near/IN/prep/3 "
            "two/CD/nummod/6 dogs/NNS/pobj/4",
            [("A large Street sign", "sign", "singular"), ("two dogs", "dogs", "plural")],
        ),
        (
            "Cats/NNS/ROOT/0 and/CC/cc/0 a/DT/det/3 dog/NN/conj/0",
            [("Cats", "cats", "plural"), ("a dog", "dog", "singular")],
        ),
        ("It/PRP/nsubj/1 runs/VBZ/ROOT/1", []),
        ("three/CD/nummod/1 sheep/NN/ROOT/1", [("three sheep", "sheep", "plural")]),
        ("a/DT/det/1 sheep/NNS/ROOT/1", [("a sheep", "sheep", "singular")]),
        ("some/DT/det/1 luggage/NN/ROOT/1", [("some luggage", "luggage", "singular")]),
        ("PEOPLE/NNP/nsubj/1 RUN/VBP/ROOT/1", [("PEOPLE", "people", "plural")]),
        (
            "a/DT/det/1 girl/NN/poss/3 's/POS/case/1 hat/NN/ROOT/3",
            [("a girl", "girl", "singular"), ("a girl 's hat", "hat", "singular")],
        ),
    ],
)
def test_finds_phrases_with_head_and_number(tree, expected):
    assert shown(tree) == expected


def test_gives_offsets_and_leaves_a_preposition_out_that_hangs_wrongly():
    (phrase,) = noun_phrases_of(parsed("On/IN/prep/3 a/DT/det/3 red/JJ/amod/3 bus/NN/ROOT/3"))
    assert (phrase.start, phrase.end, phrase.head_start) == (3, 12, 9)


def test_embedded_parser_finds_phrases_of_a_caption():
    caption = "A black cat sits on two old chairs."
    phrases = noun_phrases(caption)
    assert [(p.head, p.number, caption[p.start : p.end]) for p in phrases] == [
        ("cat", "singular", "A black cat"),
        ("chairs", "plural", "two old chairs"),
    ]


def test_finds_the_published_noun_phrases(shared_data):
    path = shared_data / "valse" / "plurals.json"
    records = [
        record
        for record in json.loads(path.read_text(encoding="utf-8")).values()
        if isinstance(record["classes_foil"], str)
    ]
    found = 0
    for record, doc in zip(records, parse(r["orig_caption"] for r in records), strict=True):
        number = "singular" if record["foil_method"].endswith("to PL") else "plural"
        wanted = (record["classes"].lower(), number)
        found += wanted in {(phrase.head, phrase.number) for phrase in noun_phrases_of(doc)}
    assert found / len(records) >= 0.97
