"""The meaning of a classifier's outputs comes from its configuration."""

import pytest
from transformers import AlbertConfig, BertConfig

from pipeline.errors import InputError
from pipeline.labels import acceptable_index, entailment_order


@pytest.mark.parametrize(
    ("names", "order"),
    [
        (["entailment", "neutral", "contradiction"], (0, 1, 2)),
        (["CONTRADICTION", "NEUTRAL", "ENTAILMENT"], (2, 1, 0)),
        (["contradict", "Entailment", "Neutral"], (1, 2, 0)),
    ],
)
def test_the_order_of_entailment_labels_is_read(names, order):
    assert entailment_order(AlbertConfig(id2label=dict(enumerate(names)))) == order


@pytest.mark.parametrize(
    "names",
    [
        ["LABEL_0", "LABEL_1", "LABEL_2"],
        ["entailment", "not_entailment"],
        ["entailment", "neutral", "neutral"],
        ["entailment", "neutral", "contradiction", "other"],
    ],
)
def test_other_entailment_labels_are_refused_with_what_to_write(names):
    with pytest.raises(InputError, match=r"names .*Look up the order .* id2label") as caught:
        entailment_order(AlbertConfig(id2label=dict(enumerate(names))))
    assert names[-1] in str(caught.value)


@pytest.mark.parametrize(
    ("names", "index"),
    [
        (["unacceptable", "acceptable"], 1),
        (["Acceptable", "Unacceptable"], 0),
        (["LABEL_0", "LABEL_1"], 1),
    ],
)
def test_the_acceptable_label_is_read_and_is_1_where_labels_have_no_names(names, index):
    assert acceptable_index(BertConfig(id2label=dict(enumerate(names)))) == index


@pytest.mark.parametrize(
    "names", [["negative", "positive"], ["acceptable"], ["LABEL_0", "LABEL_1", "LABEL_2"]]
)
def test_other_acceptability_labels_are_refused(names):
    with pytest.raises(InputError, match="acceptable and unacceptable"):
        acceptable_index(BertConfig(id2label=dict(enumerate(names))))
