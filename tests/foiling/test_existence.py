import json
import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.errors import Refusal
from pipeline.foiling import FOILING
from pipeline.foiling.existence import existence, existence_caption, flip_existence
from tests.foiling.asking import NOUNS, TARGET, ask

CASES = json.loads((Path(__file__).parents[1] / "cases" / "existence.json").read_text())
FRAMES = st.sampled_from(
    [
        "How many {} are there?",
        "How many {} are in the photo?",
        "How many {} can be seen?",
        "How many {} have stripes?",
        "How many {} can you see?",
    ]
)


@pytest.mark.parametrize("case", CASES["flips"], ids=lambda case: case["caption"])
def test_caption_becomes_the_foil_of_the_table(case):
    assert flip_existence(case["caption"]) == case["foil"], case["why"]


@pytest.mark.parametrize("case", CASES["refusals"], ids=lambda case: case["caption"])
def test_what_states_no_existence_is_refused(case):
    with pytest.raises(Refusal) as refusal:
        flip_existence(case["caption"])
    assert refusal.value.reason == case["reason"]


@pytest.mark.parametrize("case", CASES["captions"], ids=lambda case: case["statement"])
def test_statement_becomes_the_caption_of_the_table(case):
    assert existence_caption(case["statement"]) == case["caption"]


@pytest.mark.parametrize("case", CASES["caption_refusals"], ids=lambda case: case["statement"])
def test_statement_without_an_existential_caption_is_refused(case):
    with pytest.raises(Refusal) as refusal:
        existence_caption(case["statement"])
    assert refusal.value.reason == case["reason"]


def test_published_foils_come_out_the_same(shared_data):
    records = json.loads((shared_data / "valse" / "existence.json").read_text()).values()
    # "There are they." is published; it states nothing that could be denied.
    records = [record for record in records if record["caption"] != "There are they."]
    same = sum(flip_existence(record["caption"]) == record["foil"] for record in records)
    assert same / len(records) >= 0.99


def test_an_answer_above_zero_affirms_and_its_foil_has_class_zero():
    (instance,) = FOILING["existence"](
        ask("How many dogs are there?", 3, (1, 0)), Random(1), TARGET
    )
    assert (instance.caption, instance.foil) == ("There are dogs.", "There are no dogs.")
    assert (instance.edit.classes, instance.edit.classes_foil) == (("3",), ("0",))
    assert instance.source.text == "How many dogs are there? 3."
    assert (instance.provenance.function, instance.provenance.seed) == ("existence", 7)


@pytest.mark.parametrize(("choices", "classes"), [((2, 0, 5), ("2", "5")), ((), ("1",))])
def test_the_answer_zero_denies_and_its_foil_has_the_wrong_answers_as_classes(choices, classes):
    (instance,) = existence(ask("How many dogs are there?", 0, choices), Random(1), TARGET)
    assert (instance.caption, instance.foil) == ("There are no dogs.", "There are dogs.")
    assert (instance.edit.classes, instance.edit.classes_foil) == (("0",), classes)


@given(noun=NOUNS, frame=FRAMES, number=st.integers(0, 5))
@settings(max_examples=80, deadline=None)
def test_exactly_one_of_the_two_texts_denies(noun, frame, number):
    (instance,) = existence(ask(frame.format(noun), number), Random(1), TARGET)
    caption, foil = instance.caption, instance.foil
    assert caption.casefold() != foil.casefold()
    assert ("no" in caption.lower().split()) == (number == 0)
    assert ("no" in foil.lower().split()) == (number > 0)
    for text in (caption, foil):
        assert text[0].isupper()
        assert "  " not in text
        assert not re.search(r"\d|\ba [aeio]|\ban [^aeioSX]|\bare an?\b", text)
    # "No sheep can be seen" denies one as well as several.
    if noun != "sheep":
        assert flip_existence(foil) == caption
