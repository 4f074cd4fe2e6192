"""What the embedded language checkpoints know; their model cards give the full figures."""

import json
import re
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch
import transformers

from pipeline import DATA
from pipeline.proposing import propose

MODELS = DATA / "models"
ROLES = ("mlm", "acceptability", "nli", "lm")
PREPOSITIONS = [
    "on", "in", "with", "at", "to", "for", "by", "near", "down", "from", "over", "up", "through",
    "behind", "under", "into", "around", "outside", "above", "along", "out", "beside", "against",
    "off", "inside", "across", "after", "back", "below", "past", "between", "towards", "beneath",
    "onto", "underneath", "atop", "toward", "alongside",
]  # fmt: skip


@cache
def opened(role: str):
    folder = MODELS / role
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    model_class = getattr(transformers, config["architectures"][0])
    model, report = model_class.from_pretrained(
        folder, local_files_only=True, dtype=torch.float32, output_loading_info=True
    )
    assert not report["missing_keys"]
    return model.eval(), transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)


def logits(role: str, *texts: list[str]) -> np.ndarray:
    model, tokenizer = opened(role)
    with torch.inference_mode():
        return model(**tokenizer(*texts, padding=True, return_tensors="pt")).logits.numpy()


@pytest.mark.parametrize("role", ROLES)
def test_a_checkpoint_opens_whole_and_stays_small(role: str) -> None:
    model, tokenizer = opened(role)
    assert len(tokenizer) == model.config.vocab_size
    assert sum(path.stat().st_size for path in (MODELS / role).iterdir()) < 14e6
    assert tokenizer.tokenize("A MAN") == tokenizer.tokenize("a man")


@pytest.mark.parametrize("role", ROLES)
def test_a_checkpoint_has_a_card_with_licence_data_recipe_figures_and_limits(role: str) -> None:
    opened(role)
    card = (MODELS / role / "README.md").read_text(encoding="utf-8").lower()
    for word in ("licen", "coco", "recipe", "figures", "limits"):
        assert word in card


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("a man riding a wave on top of a surfboard", "on"),
        ("a bowl filled with fruit", "with"),
        ("a train traveling down the tracks", "down"),
        ("a person riding skis down a snowy slope", "down"),
        ("a cat looking out the window", "out"),
    ],
)
def test_the_masked_lm_proposes_what_the_caption_had(caption: str, expected: str) -> None:
    start = caption.index(f" {expected} ") + 1
    span = (start, start + len(expected))
    (proposals,) = propose([caption], [span], PREPOSITIONS, *opened("mlm"), top_k=3)
    assert expected in [proposal.text for proposal in proposals]


def test_the_masked_lm_gives_masked_prepositions_back(shared_data: Path) -> None:
    path = shared_data / "coco/annotations/captions_val2017.json"
    texts = [entry["caption"] for entry in json.loads(path.read_text("utf-8"))["annotations"]]
    word = re.compile(rf"\b({'|'.join(PREPOSITIONS)})\b")
    captions = Random(1).sample(texts, 400)
    found = [(caption, match) for caption in captions if (match := word.search(caption))]
    best = propose(
        [caption for caption, _ in found],
        [match.span() for _, match in found],
        PREPOSITIONS,
        *opened("mlm"),
        top_k=5,
    )
    ranks = [
        [proposal.text for proposal in row].index(match.group())
        if match.group() in [proposal.text for proposal in row]
        else 5
        for row, (_, match) in zip(best, found, strict=True)
    ]
    assert np.mean(np.array(ranks) == 0) >= 0.5
    assert np.mean(np.array(ranks) < 5) >= 0.85


def test_the_labels_of_the_classifiers_are_named() -> None:
    assert opened("acceptability")[0].config.id2label == {0: "unacceptable", 1: "acceptable"}
    names = opened("nli")[0].config.id2label
    assert names == {0: "entailment", 1: "neutral", 2: "contradiction"}


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("a dog sits on a bench.", "a dog sit on a bench."),
        ("two dogs are sleeping on a couch.", "two dogs is sleeping on a couch."),
        ("a man sitting in front of a house.", "a man sitting in front in of a house."),
        ("a plate of food on a table.", "a plate of food on a."),
        ("a man riding a horse.", "a men riding a horse."),
        ("several cars parked on the street.", "several car parked on the street."),
        ("a woman standing near the water.", "a woman standing the near water."),
        ("there are two cats on the bed.", "there is two cats on the bed."),
    ],
)
def test_a_broken_caption_is_less_acceptable(right: str, wrong: str) -> None:
    first, second = logits("acceptability", [right, wrong])[:, 1]
    assert first > second


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        ("Exactly one dog is on the bed.", "A number of dogs are on the bed.", "contradiction"),
        ("Some boats are in the water.", "A single boat is in the water.", "contradiction"),
        ("A man walks up the stairs.", "A man walks down the stairs.", "contradiction"),
        ("A cat is under the table.", "A cat is on the table.", "contradiction"),
        ("There are no people.", "There are people.", "contradiction"),
        ("A man rides a horse.", "A man rides a horse.", "entailment"),
        ("A man rides a brown horse.", "A man rides a horse.", "entailment"),
        ("A man rides a horse.", "A person rides a horse.", "entailment"),
    ],
)
def test_one_word_decides_what_follows(premise: str, hypothesis: str, label: str) -> None:
    (row,) = logits("nli", [premise], [hypothesis])
    assert opened("nli")[0].config.id2label[int(row.argmax())] == label


def test_usual_captions_are_likelier_than_shuffled_ones() -> None:
    model, tokenizer = opened("lm")

    def loss(text: str) -> float:
        pieces = tokenizer(tokenizer.bos_token + text, return_tensors="pt")["input_ids"]
        with torch.inference_mode():
            return float(model(input_ids=pieces, labels=pieces).loss)

    for usual, odd in (
        ("a man riding a wave on a surfboard.", "a man wave riding a on a surfboard."),
        ("a dog sitting on a couch.", "a dog sitting couch on a."),
    ):
        assert loss(usual) < loss(odd)
