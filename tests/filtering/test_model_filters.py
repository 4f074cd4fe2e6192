"""Filters that ask language models, against the same checkpoints asked text by text."""

import math
from functools import cache

import numpy as np
import pytest
import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers

from pipeline import DATA
from pipeline.errors import InputError
from pipeline.filtering import FILTERS, MODEL_ROLES, SCORES
from pipeline.filtering.entailment import entailment, judge_entailment
from pipeline.filtering.grammaticality import grammaticality, judge_grammaticality
from pipeline.filtering.perplexity import judge_perplexity, perplexity
from tests.filtering.pairs import pair

MODELS = DATA / "models"
TEXTS = [
    "A man rides a horse.",
    "a man ride a horses on",
    "Two dogs on a couch next to a small brown cat",
    "A red bus. It is parked near a tree!",
    "People   standing\nin line.",
    "A man rides a horse.",
    "There are exactly 3 zebras in the photo, eating grass by a river in the late afternoon sun.",
]


@cache
def opened(role: str):
    model = {
        "mlm": transformers.BertForMaskedLM,
        "acceptability": transformers.BertForSequenceClassification,
        "nli": transformers.BertForSequenceClassification,
        "lm": transformers.GPT2LMHeadModel,
    }[role].from_pretrained(MODELS / role, dtype=torch.float32)
    return model.eval(), transformers.AutoTokenizer.from_pretrained(MODELS / role)


def gruen(*sentences: str) -> float:
    """The formula on sentences cut by hand, one at a time."""
    lm, tokenizer = opened("mlm")
    classifier, _ = opened("acceptability")
    x, y = [], []
    for sentence in sentences:
        inputs = tokenizer(sentence, return_tensors="pt")
        with torch.inference_mode():
            x.append(math.exp(lm(**inputs, labels=inputs["input_ids"]).loss.item()))
            y.append(classifier(**inputs).logits[0, 1].item())
    return max(0.0, (math.exp(-0.5 * np.mean(x)) + np.mean(y)) / 8 + 0.5)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("A man rides a horse.", ["A man rides a horse."]),
        ("a man ride a horses on", ["a man ride a horses on"]),
        ("A red bus. It is parked!", ["A red bus.", "It is parked!"]),
        ("is it a red bus? yes.", ["is it a red bus?"]),
        ("a man. he sits. no.", ["a man.", "he sits."]),
        ("Dr. Smith walks 2.5 miles.", ["Dr. Smith walks 2.5 miles."]),
        ("A dog on a bed\nA cat", ["A dog on a bed", "A cat"]),
    ],
)
def test_grammaticality_is_gruens_over_sentences_of_more_than_one_word(text, sentences):
    assert grammaticality([text])[0] == pytest.approx(gruen(*sentences), abs=1e-4)


@pytest.mark.parametrize("text", ["", " ", "yes", "No.", "..."])
def test_a_text_without_sentences_gets_what_gruens_code_gives(text):
    # (exp(0) + 0) / 8 + 0.5
    assert grammaticality([text]).tolist() == [0.625]


def test_gruens_threshold_keeps_captions_and_drops_broken_ones():
    good = ["A man rides a horse on the beach.", "Two dogs sleep on a couch."]
    bad = ["A man rides on on a horse the.", "Two dog sleeps in of a couches."]
    assert (grammaticality(good) >= 0.8).all()
    assert (grammaticality(bad) < 0.8).all()


@pytest.mark.parametrize("batch_size", [1, 2, 5])
def test_no_figure_depends_on_the_batch(batch_size):
    for figures in (
        lambda texts, **size: grammaticality(texts, **size),
        lambda texts, **size: perplexity(texts, **size),
        lambda texts, **size: entailment(texts, texts[::-1], **size),
    ):
        whole = figures(TEXTS)
        np.testing.assert_allclose(figures(TEXTS, batch_size=batch_size), whole, atol=2e-4)


def test_checkpoints_may_be_folders():
    folders = {
        "language_model": str(MODELS / "mlm"),
        "acceptability": str(MODELS / "acceptability"),
    }
    assert grammaticality(TEXTS, **folders).tolist() == grammaticality(TEXTS).tolist()
    assert perplexity(TEXTS, lm=str(MODELS / "lm")).tolist() == perplexity(TEXTS).tolist()


def test_a_checkpoint_for_another_task_is_refused():
    with pytest.raises(InputError, match="masked language model is needed"):
        grammaticality(TEXTS, language_model=str(MODELS / "nli"))


def test_entailment_is_in_our_order_whatever_the_checkpoints(tmp_path):
    model, tokenizer = opened("nli")
    turned = transformers.BertForSequenceClassification.from_pretrained(
        MODELS / "nli", dtype=torch.float32
    )
    order = [2, 0, 1]
    with torch.no_grad():
        turned.classifier.weight.copy_(model.classifier.weight[order])
        turned.classifier.bias.copy_(model.classifier.bias[order])
    names = [model.config.id2label[number].upper() for number in order]
    turned.config.id2label = dict(enumerate(names))
    turned.config.label2id = {name: number for number, name in enumerate(names)}
    turned.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    ours, theirs = entailment(TEXTS, TEXTS[::-1]), entailment(TEXTS, TEXTS[::-1], nli=str(tmp_path))
    np.testing.assert_allclose(ours, theirs, atol=2e-5)
    np.testing.assert_allclose(ours.sum(axis=1), 1, atol=1e-4)


def test_entailment_tells_the_three_relations_apart():
    premise = "A man rides a brown horse."
    rows = entailment([premise, premise], [premise, "A man rides a brown dog."])
    assert rows.argmax(axis=1).tolist() == [0, 2]
    assert entailment([], []).shape == (0, 3)


def test_perplexity_scores_every_piece_after_a_beginning_mark():
    model, tokenizer = opened("lm")
    pieces = tokenizer(TEXTS[0])["input_ids"]
    inputs = torch.tensor([[tokenizer.bos_token_id, *pieces]])
    with torch.inference_mode():
        loss = model(input_ids=inputs, labels=inputs).loss.item()
    assert perplexity([TEXTS[0]])[0] == pytest.approx(math.exp(loss), rel=1e-4)


def test_perplexity_leaves_the_first_piece_out_where_there_is_no_mark(tmp_path):
    words = {word: number for number, word in enumerate(["?", "a", "man", "dog", "sits"])}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="?", model_max_length=16
    ).save_pretrained(tmp_path)
    torch.manual_seed(0)
    config = transformers.OpenAIGPTConfig(
        vocab_size=5, n_positions=16, n_embd=8, n_layer=1, n_head=2, initializer_range=0.5
    )
    model = transformers.OpenAIGPTLMHeadModel(config).eval()
    model.save_pretrained(tmp_path)
    pieces = torch.tensor([[1, 2, 4]])
    with torch.inference_mode():
        loss = model(input_ids=pieces, labels=pieces).loss.item()
    figures = perplexity(["a man sits", "man"], lm=str(tmp_path))
    assert figures.tolist() == [pytest.approx(math.exp(loss), rel=1e-4), math.inf]


@pytest.mark.parametrize("name", list(SCORES))
def test_scores_name_their_checkpoints_and_their_filter_judges_by_them(name):
    instances = [
        pair("a", "A man rides a brown horse.", "A man rides a brown dog."),
        pair("b", "A man rides a brown horse.", "A man rides a horse."),
    ]
    scores = SCORES[name](instances, profile="embedded")
    assert len(scores) == 2
    for role in MODEL_ROLES[name]:
        folder = {"grammar_lm": "mlm"}.get(role, role)
        assert all(f"{folder}@" in score.checkpoint for given in scores for score in given)
    scored = [i.scored(*given) for i, given in zip(instances, scores, strict=True)]
    verdicts = FILTERS[name](scored)
    assert [verdict.filter for verdict in verdicts] == [name, name]
    assert verdicts[0].keep


def test_grammaticality_is_judged_by_the_threshold():
    foils = [pair("a", "", "", grammaticality=0.8), pair("b", "", "", grammaticality=0.79999)]
    assert [v.keep for v in judge_grammaticality(foils)] == [True, False]
    assert [v.keep for v in judge_grammaticality(foils, at_least=0.9)] == [False, False]
    assert judge_grammaticality(foils)[1].reason == "not grammatical"


def test_entailment_is_judged_by_the_most_probable_relation():
    rows = [(0.5, 0.3, 0.2), (0.2, 0.5, 0.3), (0.1, 0.1, 0.8)]
    foils = [
        pair(str(n), "", "", nli_entail=e, nli_neutral=u, nli_contradict=c)
        for n, (e, u, c) in enumerate(rows)
    ]
    reasons = [verdict.reason for verdict in judge_entailment(foils)]
    assert reasons == ["entailed by the caption", "neutral", ""]
    reasons = [v.reason for v in judge_entailment(foils, keep=["neutral", "entailment"])]
    assert reasons == ["", "", "contradicts the caption"]


@pytest.mark.parametrize("keep", [["contradictions"], []])
def test_a_relation_to_keep_must_be_one(keep):
    with pytest.raises(InputError, match=r"contradiction|no relation"):
        judge_entailment([], keep=keep)


def test_perplexity_is_judged_beside_the_captions():
    foils = [
        pair(str(n), "", "", perplexity_caption=10.0, perplexity_foil=foil)
        for n, foil in enumerate((20.0, 20.1, 5.0))
    ]
    reasons = [verdict.reason for verdict in judge_perplexity(foils, at_most_ratio=2.0)]
    assert reasons == ["", "less likely than its caption", ""]
    reasons = [v.reason for v in judge_perplexity(foils, at_most_ratio=3.0, at_most=20.0)]
    assert reasons == ["", "unlikely", ""]
