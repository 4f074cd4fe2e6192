import json
from dataclasses import asdict

import pytest

from pipeline.balancing.directions import direction, direction_shares
from pipeline.balancing.statistics import describe
from pipeline.balancing.words import words
from pipeline.errors import InputError
from tests.balancing.candidates import candidate


def test_words_are_lower_case_without_punctuation():
    assert words("A man's T-shirt, 2.5 m — wide.") == ["a", "man's", "t-shirt", "2.5", "m", "wide"]


def test_describe_counts_pairs_images_classes_and_words():
    instances = [
        candidate("1", "2", "3", caption="There are 2 cats.", foil="There are 3 cats."),
        candidate("1", "2", "1", caption="Two cats!", foil="One cat!"),
        candidate("2", "3", "2", caption="There are 3 Dogs.", foil="There are 2 dogs."),
    ]
    figures = describe(instances)
    assert (figures.instances, figures.images) == (3, 2)
    assert list(figures.caption_classes.items()) == [("2", 2), ("3", 1)]
    assert figures.foil_classes == {"1": 1, "2": 1, "3": 1}
    assert figures.lexical_items == 3
    assert figures.caption_words == len({"there", "are", "2", "cats", "two", "3", "dogs"})
    assert figures.foil_words == len({"there", "are", "3", "cats", "one", "cat", "2", "dogs"})
    assert figures.caption_length == pytest.approx((4 + 2 + 4) / 3)
    assert figures.directions == {
        "foil is larger": pytest.approx(1 / 3),
        "foil is smaller": pytest.approx(2 / 3),
    }
    assert 0 < figures.class_divergence < 1
    assert json.loads(json.dumps(asdict(figures))) == asdict(figures)


def test_no_instances_have_no_divergence_rather_than_an_error():
    figures = describe([])
    assert (figures.instances, figures.class_divergence, figures.word_divergence) == (0, None, None)
    assert figures.directions == {}


def test_existence_has_denying_and_affirming_captions():
    instances = [candidate("1", "0", "1", piece="existence")] * 3
    instances.append(candidate("2", "4", "0", piece="existence"))
    assert direction_shares(instances) == {"negated caption": 0.75, "affirmative caption": 0.25}


def test_pieces_without_directions_have_no_shares():
    assert direction_shares([candidate("1", "in", "on", piece="relations")]) == {}


def test_classes_that_are_no_numbers_have_no_magnitude():
    with pytest.raises(InputError, match="cannot be compared as numbers"):
        direction(candidate("1", "in", "on"), "magnitude")


def test_an_unknown_grouping_suggests_its_neighbour():
    with pytest.raises(InputError, match="Did you mean negation"):
        direction(candidate("1", "0", "1"), "negations")
