import random

import pytest

from pipeline.errors import InputError
from pipeline.filtering import FILTERS, SURVEYS
from pipeline.filtering.duplicates import judge_duplicates
from pipeline.filtering.identity import judge_identity
from tests.filtering.pairs import pair


@pytest.mark.parametrize(
    ("caption", "foil", "keep"),
    [
        ("There is a dog.", "There is a dog.", False),
        ("There is a dog.", "there is a Dog", False),
        ("There is  a dog .", "There is a dog!", False),
        ("“Stop”", "“Stop”.", False),
        ("A t shirt.", "A tshirt", False),
        ("A caf\u00e9.", "A cafe\u0301.", False),
        ("There is a dog.", "There is a god.", True),
        ("There are 2 dogs.", "There are 3 dogs.", True),
        ("It's a dog.", "Its a dog.", True),
    ],
)
def test_identity_rejects_what_has_the_same_wording(caption, foil, keep):
    (verdict,) = judge_identity([pair("a", caption, foil)])
    assert (verdict.filter, verdict.keep) == ("identity", keep)
    assert verdict.reason == ("" if keep else "same text")


def test_duplicates_keep_the_first_by_id_in_any_order():
    instances = [
        pair("b", "There is a dog.", "There is a cat."),
        pair("a", "there is a  dog", "There is a cat"),
        pair("c", "There is a dog.", "There is a cat.", image="2.jpg"),
        pair("d", "There is a dog.", "There is a cow."),
    ]
    for seed in range(6):
        shuffled = random.Random(seed).sample(instances, len(instances))
        verdicts = zip(shuffled, judge_duplicates(shuffled), strict=True)
        assert {i.id: v.reason for i, v in verdicts} == {
            "a": "",
            "b": "same pair",
            "c": "",
            "d": "",
        }


def test_duplicates_in_other_batches_count_through_the_survey():
    batches = [
        [pair("b", "There is a dog.", "There is a cat.")],
        [pair("a", "There is a dog.", "There is a cat.")],
    ]
    survey = SURVEYS["duplicates"](batches)
    judged = [judge_duplicates(batch, survey=survey)[0].keep for batch in batches]
    assert judged == [False, True]


@pytest.mark.parametrize("name", list(FILTERS))
def test_every_filter_answers_an_empty_batch(name):
    assert FILTERS[name]([]) == []


def test_an_unknown_filter_suggests_its_neighbour():
    with pytest.raises(InputError, match="Did you mean duplicates"):
        FILTERS["duplicate"]
