import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.balancing.divergence import histogram, jensen_shannon

CLASSES = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=30)


def test_the_arithmetic_by_hand():
    # p = (1/2, 1/2), q = (1, 0), m = (3/4, 1/4):
    # KL(p, m) = 1/2 log2(2/3) + 1/2 log2(2), KL(q, m) = log2(4/3), and the root of their mean.
    to_p = 0.5 * math.log2(2 / 3) + 0.5 * math.log2(2)
    to_q = math.log2(4 / 3)
    expected = math.sqrt((to_p + to_q) / 2)
    assert jensen_shannon(["a", "b"], ["a"]) == pytest.approx(expected, abs=1e-12)
    assert expected == pytest.approx(0.5579, abs=5e-5)


def test_equal_frequencies_are_exactly_0_whatever_the_number_of_texts():
    assert jensen_shannon(["a", "b", "b"] * 7, ["b", "a", "b"]) == 0.0


def test_nothing_in_common_is_exactly_1():
    assert jensen_shannon([4, 5, 6, 4], [0, 1, 2, 3]) == 1.0


def test_lists_of_classes_are_flattened_and_numbers_equal_their_text():
    assert histogram([0, [1, 2, 3], ("1",), []]) == {"0": 1, "1": 2, "2": 1, "3": 1}
    assert jensen_shannon([0, [1, 2]], [["0"], "1", "2"]) == 0.0


@pytest.mark.parametrize(("captions", "foils"), [([], ["a"]), (["a"], []), ([[]], ["a"])])
def test_a_side_without_classes_is_an_error(captions, foils):
    with pytest.raises(ValueError, match="have no classes"):
        jensen_shannon(captions, foils)


@settings(max_examples=60, deadline=None)
@given(CLASSES, CLASSES)
def test_it_is_a_symmetric_distance_between_0_and_1(captions, foils):
    distance = jensen_shannon(captions, foils)
    assert 0 <= distance <= 1
    assert distance == pytest.approx(jensen_shannon(foils, captions), abs=1e-12)
    assert jensen_shannon(captions, captions * 3) == 0
    assert (distance == 0) == all(
        captions.count(c) * len(foils) == foils.count(c) * len(captions) for c in "abcdef"
    )
