"""Nouns, by trees and likelihoods made by hand, and on the sample world by the embedded models."""

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.errors import Refusal
from pipeline.foiling.named_objects import NamedObject, Objects, objects_in
from pipeline.foiling.nouns import nouns, prepare_nouns, replace_noun
from pipeline.foiling.published_nouns import published_nouns
from pipeline.foiling.target import Target
from pipeline.instance import ImageRef, Instance
from pipeline.language.coco_objects import vocabulary, words_of_kind
from pipeline.proposing import Proposal
from pipeline.sources.coco_objects import read
from pipeline.sources.records import AnnotatedCaption, FoiledCaption
from tests.conftest import ROOT
from tests.trees import parsed

CASES = json.loads((Path(__file__).parents[1] / "cases" / "nouns.json").read_text())
TARGET = Target("nouns", "nouns", 7)
OPTIONS = {"least_gain": -1.0, "most_gain": 1.0, "most": 100}


def caption_of(text, *objects):
    image = ImageRef("coco", "000000000005.jpg", "val2017")
    return AnnotatedCaption("coco", "val2017", "1", image, text, text, tuple(sorted(objects)))


def made(text, objects, thing, also_named=(), **options):
    """Foils, and reasons why there are none, where all names are equally likely but as `thing`."""
    start = text.index(thing)
    kind = vocabulary().categories[thing].supercategory
    scores = dict.fromkeys(words_of_kind(kind, several=False), 0.0) | options.pop("scores", {})
    proposals = tuple(Proposal(name, score) for name, score in scores.items())
    named = NamedObject(start, start + len(thing), thing, proposals=proposals)
    prepared = Objects(frozenset({thing, *also_named}), (named,))
    record = caption_of(text, *objects)
    found = list(nouns(record, Random(1), TARGET, prepared=prepared, **(OPTIONS | options)))
    foils = {one.foil for one in found if isinstance(one, Instance)}
    return foils, [one.reason for one in found if isinstance(one, Refusal)]


@pytest.mark.parametrize("case", CASES["named"], ids=lambda case: case["why"])
def test_objects_are_found_where_they_can_be_replaced(case):
    doc = parsed(case["tree"])
    objects = objects_in(doc)
    assert [doc.text[o.start : o.end] for o in objects.replaceable] == case["objects"]
    assert [refusal.reason for refusal in objects.refused] == case["refused"]


@pytest.mark.parametrize("case", CASES["replaced"], ids=lambda case: case["why"])
def test_a_noun_is_replaced_with_what_depends_on_it(case):
    start = case["caption"].index(case["old"])
    end = start + len(case["old"])
    assert replace_noun(case["caption"], start, end, case["new"]) == case["foil"]


def test_foils_name_what_the_image_does_not_show():
    foils, _ = made("A horse in a field.", {"horse", "dog"}, "horse")
    assert "A cat in a field." in foils
    assert "An elephant in a field." in foils
    assert "A dog in a field." not in foils
    assert not any("horse" in foil for foil in foils)


def test_what_the_caption_names_is_there_even_if_it_is_not_annotated():
    foils, _ = made("A horse by a bird.", {"horse"}, "horse", also_named={"bird", "cat"})
    assert foils
    assert not {"A bird by a bird.", "A cat by a bird."} & foils


def test_what_may_pass_for_something_there_is_not_named():
    foils, _ = made("A truck on a road.", {"truck", "train"}, "truck")
    assert "A boat on a road." in foils
    assert not {"A car on a road.", "A bus on a road.", "A train on a road."} & foils


def test_a_foil_is_about_as_likely_as_the_caption():
    scores = {"horse": -3.0, "cat": -3.5, "cow": -1.0, "zebra": -9.0}
    foils, _ = made("A horse in a field.", {"horse"}, "horse", scores=scores)
    assert foils == {"A cat in a field."}


def test_an_object_that_is_not_annotated_is_left_alone():
    assert made("A horse in a field.", {"dog"}, "horse") == (set(), ["not annotated"])


def test_without_a_likely_name_nothing_is_made():
    made_here = made("A horse in a field.", {"horse"}, "horse", scores={"horse": 5.0})
    assert made_here == (set(), ["no likely name"])


def test_a_caption_without_objects_is_refused():
    nothing = Objects(frozenset(), ())
    with pytest.raises(Refusal, match="no object"):
        list(nouns(caption_of("A man."), Random(1), TARGET, prepared=nothing, **OPTIONS))


def test_an_instance_tells_its_classes_and_its_source():
    text = "Cats on a couch."
    proposals = (Proposal("cats", 0.0), Proposal("dogs", 0.0))
    thing = NamedObject(0, 4, "cat", several=True, proposals=proposals)
    prepared = Objects(frozenset({"cat"}), (thing,))
    (instance,) = nouns(caption_of(text, "cat"), Random(1), TARGET, prepared=prepared, **OPTIONS)
    assert (instance.foil, instance.edit.classes, instance.edit.classes_foil) == (
        "Dogs on a couch.",
        ("cats",),
        ("dogs",),
    )
    assert (instance.source.id, instance.instrument) == ("1", "nouns")


@pytest.mark.parametrize(
    ("uncounted", "foods"),
    [(True, {"cake", "broccoli"}), (False, {"sandwich", "banana", "donut", "cake"})],
)
def test_a_mass_is_replaced_by_a_mass(uncounted, foods):
    text = "A lot of pizza."
    names = (*foods, "broccoli", "pizza")
    proposals = tuple(Proposal(name, 0.0) for name in dict.fromkeys(names))
    thing = NamedObject(9, 14, "pizza", uncounted=uncounted, proposals=proposals)
    prepared = Objects(frozenset({"pizza"}), (thing,))
    found = list(nouns(caption_of(text, "pizza"), Random(1), TARGET, prepared=prepared, **OPTIONS))
    assert {instance.edit.classes_foil[0] for instance in found} == foods


@given(st.integers(0, 100), st.integers(1, 5))
@settings(max_examples=20, deadline=None)
def test_at_most_so_many_foils_and_the_same_for_one_seed(seed, most):
    proposals = tuple(Proposal(name, 0.0) for name in words_of_kind("animal", several=False))
    prepared = Objects(frozenset({"horse"}), (NamedObject(2, 7, "horse", proposals=proposals),))
    record = caption_of("A horse in a field.", "horse")
    first, again = (
        list(nouns(record, Random(seed), TARGET, prepared=prepared, **OPTIONS | {"most": most}))
        for _ in range(2)
    )
    assert first == again
    assert len(first) == len({instance.foil for instance in first}) == most


@pytest.mark.parametrize("case", CASES["published"], ids=lambda case: case["why"])
def test_a_published_foil_stays_but_for_its_article(case):
    image = ImageRef("coco", "COCO_val2014_000000000005.jpg", "val2014")
    texts = case["caption"], case["foil"]
    pair = FoiledCaption("foil-it", "test", "1", image, *texts, "target", "replacement")
    if "refused" in case:
        with pytest.raises(Refusal, match=case["refused"]):
            list(published_nouns(pair, Random(1), TARGET))
    else:
        (instance,) = published_nouns(pair, Random(1), TARGET)
        assert (instance.caption, instance.foil) == (case["caption"], case["made"])
        assert instance.edit.classes_foil == ("replacement",)


def test_every_category_of_coco_but_people_is_listed():
    instances = json.loads((ROOT / "data/sample/coco/instances_val2017.json").read_text())
    theirs = {entry["name"]: entry["supercategory"] for entry in instances["categories"]}
    ours = {name: category.supercategory for name, category in vocabulary().categories.items()}
    assert ours == {name: kind for name, kind in theirs.items() if name != "person"}


def test_foils_of_the_sample_world_do_not_depend_on_the_batch():
    captions = list(read(ROOT / "data/sample/coco/captions_val2017.json"))[:24]
    together = foils_of(captions, prepare_nouns(captions, profile="embedded"))
    apart = [prepare_nouns([caption], profile="embedded")[0] for caption in captions[::8]]
    assert together[::8] == foils_of(captions[::8], apart)
    assert sum(map(len, together)) > 5


def foils(made_of_one):
    return [one for one in made_of_one if isinstance(one, Instance)]


def foils_of(captions, prepared):
    pairs = zip(captions, prepared, strict=True)
    return [
        foils(nouns(caption, Random(1), TARGET, prepared=objects, **OPTIONS))
        if objects.replaceable
        else []
        for caption, objects in pairs
    ]
