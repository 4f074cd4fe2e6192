from dataclasses import replace

import pytest

from pipeline.filtering.lexical_relation import judge_lexical_relation
from tests.filtering.pairs import pair

pytestmark = pytest.mark.usefixtures("wordnet_installed")


def judge(verb, foil_verb, **options):
    made = pair("a", "A man does it.", "A man does that.")
    edit = replace(made.edit, classes=(verb,), classes_foil=(foil_verb,))
    (verdict,) = judge_lexical_relation([replace(made, edit=edit)], **options)
    return verdict.reason


@pytest.mark.parametrize(
    ("verb", "foil_verb", "reason"),
    [
        ("buying", "purchasing", "synonym"),
        ("jogging", "running", "hypernym"),
        ("running", "jogging", "hyponym"),
        ("pushing", "pulling", ""),
        ("kicking", "painting", ""),
        ("jogs", "runs", "hypernym"),
    ],
)
def test_foil_verbs_that_mean_the_same_or_more_or_less_are_rejected(verb, foil_verb, reason):
    assert judge(verb, foil_verb) == reason


@pytest.mark.parametrize(
    ("verb", "foil_verb"), [("snoring", "sleeping"), ("sprinting", "moving"), ("moving", "jogging")]
)
def test_remote_relations_count_unless_only_direct_ones_are_asked_for(verb, foil_verb):
    assert judge(verb, foil_verb) == "related"
    assert judge(verb, foil_verb, indirect=False) == ""


def test_no_instances_give_no_verdicts():
    assert judge_lexical_relation([]) == []
