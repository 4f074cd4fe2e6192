import json
from pathlib import Path
from random import Random

import pytest

from pipeline.errors import Refusal
from pipeline.foiling.actant_swap import Swappable, actant_swap, prepare_swaps
from pipeline.foiling.action_replacement import (
    Replaceable,
    action_replacement,
    may_replace,
    prepare_actions,
)
from pipeline.foiling.target import Target
from pipeline.foiling.verb_survey import fits, survey_verbs
from pipeline.language.realisation import realise
from tests.foiling.frames import MAN, WOMAN, frame

CASES = json.loads((Path(__file__).parents[1] / "cases" / "actions.json").read_text())
TARGET = Target("actions", "actions", 1)
HORSE, BICYCLE = ("n02374451", "horse"), ("n02834778", "bicycle")
MOTORCYCLE, BOOK = ("n03790512", "motorcycle"), ("n06410904", "book")

pytestmark = pytest.mark.usefixtures("wordnet_installed")


def made_by(case):
    subject_role, *subject = case["subject"]
    object_role, *other = case["object"]
    roles = {subject_role: tuple(subject), object_role: tuple(other)}
    return frame(case["verb"], case["abstract"], **roles)


def riding(who, what, identity="1.jpg"):
    abstract = "an AGENT rides the VEHICLE at a PLACE"
    return frame("riding", abstract, identity, agent=who, vehicle=what)


def painting(who, what, identity="2.jpg"):
    return frame("painting", "an AGENT paints an ITEM in a PLACE", identity, agent=who, item=what)


def selling(who, what, identity="3.jpg"):
    return frame("selling", "an AGENT sells an ITEM at a PLACE", identity, agent=who, item=what)


def swaps_of(made, kinds=()):
    prepared = Swappable(realise(made)[0], frozenset(kinds))
    return actant_swap(made, Random(1), TARGET, prepared=prepared)


@pytest.mark.parametrize("case", CASES["frames"], ids=lambda case: case["why"])
def test_frames_are_swapped_where_either_side_can_act(case):
    swaps = swaps_of(made_by(case))
    if "refusal" in case:
        with pytest.raises(Refusal, match=case["refusal"]):
            next(swaps)
        return
    (made,) = swaps
    assert (made.caption, made.foil) == (case["caption"], case["foil"]), case["why"]
    assert made.edit.classes + made.edit.classes_foil == (case["subject"][2], case["object"][2])


@pytest.mark.parametrize(("used", "swapped"), [(True, True), (False, False)])
def test_person_and_animal_are_swapped_where_the_verb_is_used_both_ways(used, swapped):
    kinds = {("person", "animal"), ("animal", "person")} if used else {("person", "animal")}
    abstract = "an AGENT chases the CHASEE at a PLACE"
    chase = frame("chasing", abstract, agent=MAN, chasee=("n02084071", "dog"))
    swaps = swaps_of(chase, kinds)
    if swapped:
        assert next(swaps).foil == "A dog chases a man."
    else:
        with pytest.raises(Refusal, match="different kinds"):
            next(swaps)


def test_both_texts_of_a_swap_have_the_same_words():
    kick = frame("kicking", "the AGENT kicks the VICTIM at a PLACE", agent=MAN, victim=WOMAN)
    (made,) = swaps_of(kick)
    assert sorted(made.caption.lower().rstrip(".").split()) == sorted(
        made.foil.lower().rstrip(".").split()
    )


def test_the_survey_does_not_depend_on_order_or_batches():
    frames = [
        riding(MAN, HORSE),
        painting(WOMAN, BICYCLE),
        riding(MAN, BOOK),
    ]
    whole = survey_verbs([frames], profile="embedded")
    assert survey_verbs([[one] for one in reversed(frames)], profile="embedded") == whole
    assert [(use.verb, use.count) for use in whole] == [
        ("painting", 1),
        ("riding", 2),
    ]


def test_a_verb_fits_where_the_corpus_has_it_with_such_an_object():
    (use,) = survey_verbs([[riding(MAN, MOTORCYCLE)]], profile="embedded")
    fitting = {
        name: fits(use, realise(selling(*pair))[0], least_depth=6)
        for name, pair in {
            "the same kind": (WOMAN, BICYCLE),
            "another kind": (WOMAN, BOOK),
            "another subject": (HORSE, BICYCLE),
        }.items()
    }
    assert fitting == {"the same kind": True, "another kind": False, "another subject": False}


@pytest.mark.parametrize(
    ("verb", "allowed"),
    [
        ("painting", True),
        ("riding", False),  # the same
        ("driving", False),  # WordNet relates them
        ("pedaling", False),  # seen together
        ("displaying", False),  # true of any picture
    ],
)
def test_verbs_that_may_be_true_do_not_replace(verb, allowed):
    assert may_replace(verb, realise(riding(MAN, BICYCLE))[0]) == allowed


def test_proposals_come_from_the_verbs_of_the_corpus():
    frames = [riding(MAN, BICYCLE), painting(WOMAN, BICYCLE), selling(MAN, MOTORCYCLE)]
    survey = survey_verbs([frames], profile="embedded")
    prepared = prepare_actions(frames, profile="embedded", survey=survey)
    made = list(action_replacement(frames[0], Random(1), TARGET, prepared=prepared[0]))
    assert {one.foil for one in made} == {"A man paints a bicycle.", "A man sells a bicycle."}
    assert {one.edit.classes for one in made} == {("riding",)}
    alone = prepare_actions(frames[:1], profile="embedded", survey=survey)
    assert alone == prepared[:1]


def test_swaps_are_prepared_from_the_uses_of_the_verb():
    frames = [riding(MAN, HORSE), painting(WOMAN, BICYCLE)]
    survey = survey_verbs([frames], profile="embedded")
    kinds = [one.kinds for one in prepare_swaps(frames, profile="embedded", survey=survey)]
    assert kinds == [{("person", "animal")}, {("person", "thing")}]


def test_a_frame_without_another_verb_is_refused():
    said = realise(riding(MAN, HORSE))[0]
    with pytest.raises(Refusal, match="no other verb fits"):
        next(action_replacement(riding(MAN, HORSE), Random(1), TARGET, prepared=Replaceable(said)))
