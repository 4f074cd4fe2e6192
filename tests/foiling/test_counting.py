import json
import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.errors import Refusal
from pipeline.foiling.counting import counting, exactly, renumber
from tests.foiling.asking import NOUNS, TARGET, ask

CASES = json.loads((Path(__file__).parents[1] / "cases" / "counting.json").read_text())
FRAMES = st.sampled_from(
    [
        "How many {} are there?",
        "How many {} are in the photo?",
        "How many {} can be seen?",
        "How many {} have stripes?",
        "How many {} do you see?",
    ]
)


def candidates(question, number, choices=(), seed=1, **options):
    options = {
        "caption_numbers": (0, 20),
        "foil_numbers": (0, 6),
        "prefer_choices": True,
    } | options
    return list(counting(ask(question, number, choices), Random(seed), TARGET, **options))


def foil_numbers(instances):
    return [int(instance.edit.classes_foil[0]) for instance in instances]


@pytest.mark.parametrize("case", CASES["renumbered"], ids=lambda case: case["caption"])
def test_caption_gets_the_number_of_the_table(case):
    assert renumber(case["caption"], case["number"]) == case["foil"], case["why"]


@pytest.mark.parametrize("case", CASES["exactly"], ids=lambda case: case["statement"])
def test_exactly_goes_before_the_counting_numeral(case):
    assert exactly(case["statement"]) == case["caption"]


@pytest.mark.parametrize("name", ["hard", "adversarial", "small-quant"])
def test_published_foils_come_out_the_same(shared_data, name):
    path = shared_data / "valse" / f"counting-{name}.json"
    records = json.loads(path.read_text()).values()

    def same(record):
        try:
            return renumber(record["caption"], int(record["classes_foil"])) == record["foil"]
        except Refusal:
            return False

    assert sum(map(same, records)) / len(records) >= 0.97


def test_the_wrong_answers_of_the_question_come_first():
    made = candidates("How many dogs are there?", 3, choices=(5, 9, 1))
    assert foil_numbers(made)[:2] == [5, 1]
    assert sorted(foil_numbers(made)) == [0, 1, 2, 4, 5, 6]
    assert made[0].caption == "There are exactly 3 dogs."
    assert made[1].foil == "There is exactly 1 dog."
    assert (made[0].edit.classes, made[0].edit.classes_foil) == (("3",), ("5",))


def test_without_preference_the_order_is_the_generators():
    options = {"choices": (5, 1), "prefer_choices": False}
    first = candidates("How many dogs are there?", 3, seed=1, **options)
    assert first == candidates("How many dogs are there?", 3, seed=1, **options)
    assert first != candidates("How many dogs are there?", 3, seed=2, **options)


def test_numbers_outside_the_range_make_no_caption():
    assert candidates("How many dogs are there?", 3, caption_numbers=(4, None)) == []


@pytest.mark.parametrize(("number", "greatest"), [(1, 5), (9, 18)])
def test_an_open_range_ends_at_twice_the_answer(number, greatest):
    made = candidates("How many dogs are there?", number, foil_numbers=(0, None))
    assert max(foil_numbers(made)) == greatest


def test_the_choices_go_beyond_an_open_range():
    made = candidates("How many dogs are there?", 4, choices=(30,), foil_numbers=(0, None))
    assert foil_numbers(made)[0] == 30


def test_what_only_several_can_do_gets_no_one():
    made = candidates("How many cars are parked side by side?", 3)
    assert 1 not in foil_numbers(made)
    with pytest.raises(Refusal, match="speaks of several"):
        candidates("How many cars are parked side by side?", 1)


def test_one_person_wears_one_hat():
    made = candidates("How many people are wearing hats?", 1)
    assert made[0].caption == "There is exactly 1 person wearing a hat."
    assert all(re.search(r"\d people wearing hats\.$", instance.foil) for instance in made)


@given(noun=NOUNS, frame=FRAMES, number=st.integers(0, 20), choices=st.sets(st.integers(0, 9)))
@settings(max_examples=60, deadline=None)
def test_texts_differ_in_number_and_agree_with_it(noun, frame, number, choices):
    made = candidates(frame.format(noun), number, choices=tuple(choices))
    assert number not in foil_numbers(made)
    assert len(foil_numbers(made)) == len(set(foil_numbers(made)))
    for instance in made:
        assert instance.caption.casefold() != instance.foil.casefold()
        for text, (name,) in (
            (instance.caption, instance.edit.classes),
            (instance.foil, instance.edit.classes_foil),
        ):
            assert re.findall(r"\d+", text) == [name]
            assert re.search(rf"\b[Ee]xactly {name} ", text)
            singular = not re.search(rf"{name} (?:{noun})\b", text) or noun == "sheep"
            assert singular == (name == "1") or noun == "sheep"
            assert bool(re.search(r"\b(is|has)\b", text)) <= (name == "1")
            assert bool(re.search(r"\b(are|have)\b", text)) <= (name != "1")


def test_only_so_many_other_numbers_are_offered():
    some, every = (
        foil_numbers(candidates("How many dogs are there?", 3, choices=(5, 1), others=others))
        for others in (2, None)
    )
    assert some[:2] == every[:2] == [5, 1]
    assert len(some) == 4
    assert set(some) < set(every)
