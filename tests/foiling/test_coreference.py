import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import Refusal
from pipeline.foiling.coreference import Reference, assemble, coreference, flip_answer, prepare
from pipeline.foiling.dialogue_rounds import check_question, plain_answer
from pipeline.foiling.target import Target
from pipeline.instance import ImageRef
from pipeline.sources.records import Dialogue, Round

CASES = json.loads((Path(__file__).parents[1] / "cases" / "coreference.json").read_text())
TARGET = Target("coreference", "coreference-clean", 7)


def dialogue(caption: str, *rounds: tuple[str, str]) -> Dialogue:
    image = ImageRef("visdial", "VisualDialog_val2018_000000000007.jpg", "val")
    turns = tuple(Round(question, answer) for question, answer in rounds)
    return Dialogue("visdial", "val", "7", image, caption, turns)


def prepared(one: Dialogue):
    (found,) = prepare([one], profile="embedded")
    return found


@pytest.mark.parametrize("case", CASES["answers"], ids=lambda case: case["answer"])
def test_an_answer_is_cut_to_yes_or_no(case):
    assert plain_answer(case["answer"]) == case["plain"]


@pytest.mark.parametrize("case", CASES["answer_refusals"], ids=lambda case: case["answer"])
def test_an_answer_that_is_not_plain_is_refused(case):
    with pytest.raises(Refusal) as refusal:
        plain_answer(case["answer"])
    assert refusal.value.reason == case["reason"]


@pytest.mark.parametrize("question", CASES["questions"])
def test_a_question_with_a_pronoun_is_accepted(question):
    check_question(question)


@pytest.mark.parametrize("case", CASES["question_refusals"], ids=lambda case: case["question"])
def test_a_question_that_cannot_be_used_is_refused(case):
    with pytest.raises(Refusal) as refusal:
        check_question(case["question"])
    assert refusal.value.reason == case["reason"]


@pytest.mark.parametrize("case", CASES["assembled"], ids=lambda case: case["why"])
def test_parts_become_the_text_of_the_table(case):
    assert assemble(case["caption"], case["question"], case["answer"]) == case["text"]


@pytest.mark.parametrize("case", CASES["flips"], ids=lambda case: case["text"])
def test_the_answer_at_the_end_is_flipped(case):
    assert flip_answer(case["text"]) == case["foil"]
    assert flip_answer(case["foil"]) == case["text"]


def test_a_text_without_an_answer_cannot_be_flipped():
    with pytest.raises(Refusal, match="no answer"):
        flip_answer("A cat on a bed. Is it asleep?")


@given(
    caption=st.text(alphabet="ab i.?'\"", min_size=1),
    question=st.text(alphabet="ab i.?'", min_size=1),
    answer=st.sampled_from(["yes", "no"]),
)
def test_flipping_twice_gives_the_text_back(caption, question, answer):
    text = assemble(caption, question, answer)
    assert flip_answer(flip_answer(text)) == text
    assert text.lower().endswith(f"? {answer}.")


@pytest.mark.parametrize("name", ["standard", "hard"])
def test_published_texts_come_out_the_same_but_for_case(shared_data, name):
    published = json.loads((shared_data / "valse" / f"coreference-{name}.json").read_text())
    for record in published.values():
        caption, answer = record["only_caption"], record["classes"]
        question = record["caption"][len(caption) + 2 : -len(answer) - 3]
        assembled = assemble(caption, question, answer)
        assert assembled.lower() == record["caption"].lower()
        assert flip_answer(record["caption"]) == record["foil"]


def test_pronouns_are_put_to_the_caption_or_to_the_image():
    found = prepared(
        dialogue(
            "a man on a bench",
            ("is he asleep", "no"),
            ("is this outdoors", "yes"),
            ("is it sunny", "yes, very"),
            ("is this photo in color", "yes"),
        )
    )
    assert found == (
        Reference(to_image=False, noun="man"),
        Reference(to_image=True),
        Reference(to_image=True),
        Reference(to_image=True),
    )


@pytest.mark.parametrize(
    ("caption", "rounds", "reason"),
    [
        (
            "a living room",
            [("what is on the floor", "a rug"), ("is it red", "no")],
            "antecedent outside the caption",
        ),
        ("two dogs on a beach", [("is he smiling", "no")], "pronoun without antecedent"),
        ("a man and a boy on a couch", [("is he smiling", "no")], "ambiguous pronoun"),
        ("a man on a road", [("is this boy tall", "no")], "pronoun without antecedent"),
    ],
)
def test_pronouns_that_the_caption_does_not_explain_are_refused(caption, rounds, reason):
    found = prepared(dialogue(caption, *rounds))[-1]
    assert isinstance(found, Refusal)
    assert found.reason == reason


def test_preparing_does_not_depend_on_what_stands_beside():
    first = dialogue("a man on a bench", ("is he asleep", "no"))
    second = dialogue("a red bus", ("what is it", "a bus"), ("is it new", "yes"))
    together = prepare([first, second], profile="embedded")
    alone = [prepare([one], profile="embedded")[0] for one in (first, second)]
    assert list(map(str, together)) == list(map(str, alone))


def test_a_usable_round_gives_the_instance_of_its_answer():
    one = dialogue("a man on a bench", ("is he asleep", "no, he reads"))
    found = (Reference(to_image=False, noun="man"),)
    (instance,) = coreference(one, Random(0), TARGET, prepared=found)
    assert instance.caption == "A man on a bench. Is he asleep? No."
    assert instance.foil == "A man on a bench. Is he asleep? Yes."
    assert (instance.edit.classes, instance.edit.classes_foil) == (("no",), ("yes",))
    assert instance.caption[instance.edit.caption_start : instance.edit.caption_end] == "No"


def test_questions_about_the_image_are_used_where_none_is_about_the_caption():
    one = dialogue("a man on a bench", ("is it sunny", "yes"), ("is he asleep", "no"))
    image, man = Reference(to_image=True), Reference(to_image=False, noun="man")
    refused, instance = coreference(one, Random(0), TARGET, prepared=(image, man))
    assert (refused.reason, refused.detail) == ("refers to the image", "is it sunny")
    assert instance.caption == "A man on a bench. Is he asleep? No."
    other = Refusal("not yes or no", "no")
    alone, _ = coreference(one, Random(0), TARGET, prepared=(image, other))
    assert alone.caption == "A man on a bench. Is it sunny? Yes."


def test_rounds_that_cannot_be_used_are_handed_out_with_their_reason():
    one = dialogue("a man on a bench", ("is it sunny", "yes"), ("who is he", "a man"))
    found = (Reference(to_image=True), Refusal("not yes or no", "a man"))
    made = list(coreference(one, Random(0), TARGET, prepared=found, to_image=False))
    assert [refusal.reason for refusal in made] == ["refers to the image", "not yes or no"]
