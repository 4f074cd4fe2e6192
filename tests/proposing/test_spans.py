from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.proposing import Manner, propose
from tests.proposing.tiny_masked_lm import tiny_masked_lm

CAPTIONS = [
    "A man sits on the bench.",
    "a dog stands in front of a man",
    "the skateboard under a bench",
]
SPANS = [(11, 13), (13, 24), (15, 20)]
LISTED = ["on", "in", "under", "in front of", "next to", "up on"]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory):
    folder: Path = tmp_path_factory.mktemp("masked_lm")
    return tiny_masked_lm(folder)


def log_probabilities(opened, words: str) -> torch.Tensor:
    model, tokenizer = opened
    with torch.inference_mode():
        return model(**tokenizer(words, return_tensors="pt")).logits[0].log_softmax(-1)


def test_a_score_is_the_joint_log_probability_of_all_pieces(opened) -> None:
    tokenizer = opened[1]
    (proposals,) = propose(["a dog sits on a bench"], [(11, 13)], ["next to"], *opened)
    rows = log_probabilities(opened, "a dog sits [MASK] [MASK] a bench")
    expected = sum(
        rows[4 + at, tokenizer.convert_tokens_to_ids(piece)]
        for at, piece in enumerate(["next", "to"])
    )
    assert proposals[0].text == "next to"
    assert proposals[0].score == pytest.approx(float(expected), abs=1e-3)


def test_the_mean_divides_by_the_number_of_pieces(opened) -> None:
    arguments = (["a dog sits on a bench"], [(11, 13)], ["next to"], *opened)
    joint, mean = propose(*arguments)[0][0].score, propose(*arguments, mean=True)[0][0].score
    assert mean == pytest.approx(joint / 2, abs=1e-3)


def test_in_turn_a_piece_is_given_the_pieces_before_it(opened) -> None:
    tokenizer = opened[1]
    (proposals,) = propose(
        ["a dog sits on a bench"], [(11, 13)], ["next to"], *opened, manner=Manner.IN_TURN
    )
    first = log_probabilities(opened, "a dog sits [MASK] [MASK] a bench")[4]
    second = log_probabilities(opened, "a dog sits next [MASK] a bench")[5]
    expected = (
        first[tokenizer.convert_tokens_to_ids("next")]
        + second[tokenizer.convert_tokens_to_ids("to")]
    )
    assert proposals[0].score == pytest.approx(float(expected), abs=1e-3)


def test_both_manners_agree_on_single_pieces(opened) -> None:
    single = ["on", "in", "under"]
    assert propose(CAPTIONS, SPANS, single, *opened) == propose(
        CAPTIONS, SPANS, single, *opened, manner=Manner.IN_TURN
    )


def test_only_listed_texts_are_proposed_and_the_best_come_first(opened) -> None:
    for proposals in propose(CAPTIONS, SPANS, LISTED, *opened, top_k=4):
        scores = [proposal.score for proposal in proposals]
        assert len(proposals) == 4
        assert {proposal.text for proposal in proposals} <= set(LISTED)
        assert scores == sorted(scores, reverse=True)


@given(batch_size=st.integers(1, 40), order=st.permutations(range(3)))
@settings(max_examples=8, deadline=None)
@pytest.mark.parametrize("manner", list(Manner))
def test_neither_batch_size_nor_order_decides(opened, manner, batch_size, order) -> None:
    whole = propose(CAPTIONS, SPANS, LISTED, *opened, manner=manner)
    shuffled = propose(
        [CAPTIONS[n] for n in order],
        [SPANS[n] for n in order],
        LISTED,
        *opened,
        manner=manner,
        batch_size=batch_size,
    )
    for number, proposals in zip(order, shuffled, strict=True):
        assert [p.text for p in proposals] == [p.text for p in whole[number]]
        assert [p.score for p in proposals] == pytest.approx(
            [p.score for p in whole[number]], abs=2e-4
        )


def test_a_caption_beyond_the_models_length_is_cut_around_the_span(opened) -> None:
    long = "a man " * 30 + "sits on the bench" + " in the dog" * 20
    start = long.index("on the bench")
    (proposals,) = propose([long], [(start, start + 2)], LISTED, *opened)
    assert len(proposals) == len(LISTED)


def test_a_listed_text_counts_once_however_often_it_is_given(opened) -> None:
    (proposals,) = propose(CAPTIONS[:1], SPANS[:1], ["on", "in", "on"], *opened)
    assert sorted(proposal.text for proposal in proposals) == ["in", "on"]


def test_nothing_is_proposed_for_nothing(opened) -> None:
    assert propose([], [], LISTED, *opened) == []
    assert propose(CAPTIONS, SPANS, [], *opened) == [[], [], []]


@pytest.mark.parametrize(
    ("span", "problem"),
    [
        ((11, 11), "no span"),
        ((20, 99), "no span"),
        ((3, 5), "cuts a word"),
        ((11, 12), "cuts a word"),
    ],
)
def test_a_span_that_is_not_of_whole_words_is_refused(opened, span, problem) -> None:
    with pytest.raises(ValueError, match=problem):
        propose(CAPTIONS[:1], [span], LISTED, *opened)


def test_arguments_that_do_not_fit_are_refused(opened) -> None:
    with pytest.raises(ValueError, match="2 captions, but 1 spans"):
        propose(CAPTIONS[:2], SPANS[:1], LISTED, *opened)
    with pytest.raises(ValueError, match="1 or more"):
        propose(CAPTIONS, SPANS, LISTED, *opened, top_k=0)
    with pytest.raises(ValueError, match="no pieces"):
        propose(CAPTIONS, SPANS, ["on", " "], *opened)
