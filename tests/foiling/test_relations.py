"""Relation foils: spans replaced, what contrasts, and what is left alone."""

import json
import re
from pathlib import Path
from random import Random

import pytest

from pipeline.errors import Refusal
from pipeline.foiling.preposition_survey import Attested, survey_prepositions
from pipeline.foiling.relations import Place, prepare_relations, relations, replace_span
from pipeline.foiling.target import Target
from pipeline.instance import ImageRef
from pipeline.language.preposition_senses import contrast, is_spatial
from pipeline.language.prepositions import PrepositionSpan
from pipeline.proposing import Proposal
from pipeline.sources.records import Caption

CASES = json.loads((Path(__file__).parents[1] / "cases" / "relations.json").read_text())
TARGET = Target("relations", "relations", 7)
LISTED = [
    "above",
    "across",
    "against",
    "around",
    "behind",
    "beside",
    "by",
    "down",
    "from",
    "in",
    "inside",
    "into",
    "near",
    "off",
    "on",
    "out",
    "outside",
    "over",
    "past",
    "through",
    "to",
    "under",
    "up",
    "upon",
    "with",
    "without",
]
SURVEY = tuple(Attested(text, 20) for text in [*LISTED, "out of"])


def record(text: str, number: int = 1) -> Caption:
    return Caption("coco", "val2017", str(number), ImageRef("coco", "1.jpg"), text, text)


def candidates(*texts: str, **options) -> list[list]:
    records = [record(text) for text in texts]
    prepared = prepare_relations(records, profile="embedded", survey=SURVEY)
    return [
        list(relations(one, Random(1), TARGET, prepared=places, **options))
        for one, places in zip(records, prepared, strict=True)
    ]


@pytest.mark.parametrize("case", CASES["replacements"], ids=lambda case: case["why"])
def test_a_span_is_replaced_in_its_case_and_with_single_spaces(case):
    start = case["caption"].index(case["old"])
    made = replace_span(case["caption"], start, start + len(case["old"]), case["new"])
    assert made == case["expected"]


def test_spaces_around_a_span_are_not_part_of_it():
    assert replace_span("A cat on a bed.", 5, 9, " under ") == "A cat under a bed."


@pytest.mark.parametrize("case", CASES["contrasts"], ids=lambda case: f"{case['one']}")
def test_only_prepositions_that_exclude_each_other_contrast_in_both_orders(case):
    assert contrast(case["one"], case["other"]) == case["contrast"]
    assert contrast(case["other"], case["one"]) == case["contrast"]


@pytest.mark.parametrize("case", CASES["refusals"], ids=lambda case: case["caption"])
def test_what_says_no_place_is_refused(case):
    (made,) = candidates(case["caption"])
    assert [one.reason for one in made if isinstance(one, Refusal)] == [case["reason"]], case["why"]
    assert all(isinstance(one, Refusal) for one in made)


def test_foils_contradict_their_captions():
    made = candidates(*(case["caption"] for case in CASES["foils"]), least_gain=-9.0)
    for case, found in zip(CASES["foils"], made, strict=True):
        foils = [one.foil for one in found if not isinstance(one, Refusal)]
        assert not case["wanted"] or case["wanted"] in foils
        assert not set(case["unwanted"]) & set(foils)


def test_parts_of_a_run_are_not_replaced():
    (made,) = candidates("A cat looks out of a box.", least_gain=-20.0)
    assert made
    assert all(one.edit.classes == ("out of",) for one in made)
    assert not any(" of " in one.foil for one in made)


def test_the_likeliest_foils_come_first_and_unlikely_ones_not_at_all():
    places = [
        Place(PrepositionSpan("on", 6, 8, True), "", (Proposal("in", -1.0), Proposal("by", -3.0))),
        Place(PrepositionSpan("by", 15, 17, True), "", (Proposal("in", 0.5),)),
        Place(PrepositionSpan("at", 25, 27, True), "", (Proposal("on", -9.0),)),
    ]
    text = "A cat on a bed by a wall at a door."
    made = list(relations(record(text), Random(1), TARGET, prepared=places, least_gain=-2.0))
    assert [one.reason for one in made if isinstance(one, Refusal)] == ["no likely preposition"]
    assert [
        one.edit.classes + one.edit.classes_foil for one in made if one.__class__ != Refusal
    ] == [
        ("by", "in"),
        ("on", "in"),
    ]


def test_a_caption_without_prepositions_is_refused():
    with pytest.raises(Refusal, match="no preposition"):
        list(relations(record("A cat sleeps."), Random(1), TARGET, prepared=[]))


def test_the_survey_lists_runs_in_any_order_and_leaves_rare_ones_out():
    texts = ["A cat on a bed.", "A dog on a mat.", "A dog out of a box.", "A cup of tea."]
    records = [record(text, number) for number, text in enumerate(texts)]
    found = survey_prepositions([records], profile="embedded", least_share=0.0)
    assert found == (Attested("on", 2), Attested("out of", 1))
    again = survey_prepositions([records[2:], records[:2]], profile="embedded", least_share=0.0)
    assert again == found
    frequent = survey_prepositions([records], profile="embedded", least_share=0.5)
    assert frequent == (Attested("on", 2),)
    few = survey_prepositions([records], profile="embedded", sample=1, least_share=0.0)
    assert sum(run.count for run in few) <= 1


def test_results_do_not_depend_on_the_batch():
    texts = ["A cat is sleeping on a bed.", "A man stands near a bus in a street."]
    together, alone = candidates(*texts), [candidates(text)[0] for text in texts]
    assert [[str(one) for one in made] for made in together] == [
        [str(one) for one in made] for made in alone
    ]


def test_listed_prepositions_are_spatial():
    assert is_spatial("out of") and is_spatial("up on")
    assert not is_spatial("of") and not is_spatial("during")


def test_published_foils_come_out_of_their_captions(shared_data):
    rows = json.loads((shared_data / "valse" / "relations.json").read_text()).values()

    def made(row) -> list[str]:
        places = re.finditer(rf"\b{row['classes']}\b", row["caption"], re.IGNORECASE)
        return [_bare(replace_span(row["caption"], *p.span(), row["classes_foil"])) for p in places]

    same = sum(_bare(row["foil"]) in made(row) for row in rows)
    assert same / len(rows) >= 0.99


def _bare(text: str) -> str:
    return "".join(text.split()).lower()
