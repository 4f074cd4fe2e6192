"""Agreeing verbs, from trees made by hand: no parser is loaded."""

import pytest

from pipeline.language.verb_agreement import agreed, agreeing_verbs
from tests.language.test_noun_phrases import parsed

TREES = [
    ("A/DT/det/1 dog/NN/nsubj/2 barks/VBZ/ROOT/2", 1, {"barks": "bark"}),
    (
        "A/DT/det/1 man/NN/nsubj/2 sits/VBZ/ROOT/2 and/CC/cc/2 eats/VBZ/conj/2",
        1,
        {"sits": "sit", "eats": "eat"},
    ),
    (
        "dogs/NNS/nsubj/2 are/VBP/aux/2 sleeping/VBG/ROOT/2 and/CC/cc/2 have/VBP/conj/2",
        0,
        {"are": "is", "have": "has"},
    ),
    ("a/DT/det/1 man/NN/ROOT/1 who/WP/nsubj/3 waits/VBZ/relcl/1", 1, {"waits": "wait"}),
    ("There/EX/expl/1 is/VBZ/ROOT/1 a/DT/det/3 cat/NN/attr/1", 3, {"is": "are"}),
    ("A/DT/det/1 man/NN/nsubj/2 sat/VBD/ROOT/2", 1, {"sat": "sat"}),
    ("men/NNS/nsubj/1 were/VBD/ROOT/1 here/RB/advmod/1", 0, {"were": "was"}),
    ("cats/NNS/nsubj/2 can/MD/aux/2 jump/VB/ROOT/2", 0, {}),
    ("a/DT/det/1 man/NN/nsubj/5 and/CC/cc/1 a/DT/det/4 dog/NN/conj/1 walk/VBP/ROOT/5", 1, {}),
    ("Boys/NNS/nsubj/1 watch/VB/ROOT/1", 0, {"watch": "watches"}),
    (
        "A/DT/det/1 man/NN/nsubj/2 smiles/VBZ/ROOT/2 and/CC/cc/2 dogs/NNS/nsubj/5 run/VBP/conj/2",
        1,
        {"smiles": "smile"},
    ),
]


@pytest.mark.parametrize(("tree", "noun", "expected"), TREES, ids=lambda value: str(value)[:30])
def test_all_finite_verbs_of_a_noun_change_and_no_others(tree, noun, expected):
    doc = parsed(tree)
    plural = doc[noun].tag_ == "NN"
    changed = {verb.text: agreed(verb, plural=plural) for verb in agreeing_verbs(doc[noun])}
    assert changed == expected


def test_a_contracted_verb_gets_its_space():
    doc = parsed("There/EX/expl/1 's/VBZ/ROOT/1 a/DT/det/3 cat/NN/attr/1")
    assert agreed(doc[1], plural=True) == " are"
