"""The embedded mini CLIP loads like any CLIP, reads any text and tells what is in a picture."""

import json
import sys
from pathlib import Path
from random import Random

import pytest

ROOT = Path(__file__).resolve().parents[1]
MODEL = ROOT / "data" / "models" / "mini_clip"
SAMPLE = ROOT / "data" / "sample"


@pytest.fixture(scope="module")
def model():
    from transformers import CLIPModel

    model, report = CLIPModel.from_pretrained(MODEL, output_loading_info=True)
    assert not any(report.values()), report
    return model.eval()


@pytest.fixture(scope="module")
def tokenizer():
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(MODEL)


@pytest.fixture(scope="module")
def statements():
    """The texts that training draws, with the world they speak of."""
    folders = [str(MODEL), str(SAMPLE)]
    sys.path[:0] = folders
    import statements

    yield statements
    for folder in folders:
        sys.path.remove(folder)


def test_checkpoint_is_small_float32_and_complete(model):
    import torch

    assert sum(path.stat().st_size for path in MODEL.glob("*.*")) <= 12 * 2**20
    assert {parameter.dtype for parameter in model.parameters()} == {torch.float32}
    assert all(parameter.isfinite().all() for parameter in model.parameters())


@pytest.mark.parametrize(
    "text",
    ["There are 3 dogs.", "", "Zwölf Boxkämpfer – 東京 🐕", "a" * 900, "word " * 300],
    ids=["plain", "empty", "foreign", "long word", "long text"],
)
def test_any_text_gives_an_embedding(model, tokenizer, text):
    import torch

    tokens = tokenizer(text, truncation=True, return_tensors="pt")
    assert tokens.input_ids.shape[1] <= 77
    assert tokens.input_ids[0, -1] == model.config.text_config.eos_token_id
    with torch.inference_mode():
        pooled = model.text_model(**tokens).pooler_output
    assert pooled.isfinite().all()


def test_padding_does_not_change_an_embedding(model, tokenizer):
    import torch

    texts = ["There is a cat.", "There are exactly 4 people riding a bike in the picture."]
    with torch.inference_mode():
        together = model.text_model(**tokenizer(texts, padding=True, return_tensors="pt"))
        alone = model.text_model(**tokenizer(texts[0], return_tensors="pt"))
    assert torch.allclose(together.pooler_output[0], alone.pooler_output[0], atol=1e-5)


def test_tokenizer_tells_numbers_and_words_apart(tokenizer):
    seen = {tuple(tokenizer(f"There are {n} dogs.").input_ids) for n in (*range(12), "no", "two")}
    assert len(seen) == 14
    decoded = tokenizer.decode(tokenizer("There are no dogs.").input_ids, skip_special_tokens=True)
    assert decoded.replace(" ", "") == "therearenodogs."


def test_tells_what_is_there_in_most_sample_pictures(model, tokenizer):
    import torch
    from PIL import Image
    from transformers import AutoImageProcessor

    processor = AutoImageProcessor.from_pretrained(MODEL)
    questions = json.loads((SAMPLE / "visual7w/dataset_v7w_telling.json").read_text())["images"]
    asked = [
        (image["filename"], pair["question"].split()[2:-2], pair["answer"] in ("0.", "None."))
        for image in questions[:150]
        for pair in image["qa_pairs"]
        if pair["question"].startswith("How many") and pair["question"].endswith("are there?")
    ]
    pictures = [Image.open(SAMPLE / "images" / name) for name, _, _ in asked]
    affirmed = [f"There are {' '.join(noun)}." for _, noun, _ in asked]
    denied = [f"There are no {' '.join(noun)}." for _, noun, _ in asked]
    with torch.inference_mode():
        seen = model.vision_model(**processor(pictures, return_tensors="pt")).pooler_output
        images = torch.nn.functional.normalize(model.visual_projection(seen), dim=-1)
        tokens = tokenizer(affirmed + denied, padding=True, return_tensors="pt")
        read = model.text_projection(model.text_model(**tokens).pooler_output)
        yes, no = torch.nn.functional.normalize(read, dim=-1).split(len(asked))
    says_there = ((yes - no) * images).sum(-1) > 0
    right = [bool(says) != absent for says, (_, _, absent) in zip(says_there, asked, strict=True)]
    assert len(right) >= 30
    assert sum(right) / len(right) >= 0.8


def test_training_pairs_are_true_and_false_of_their_scene(statements):
    from world.concepts import concepts
    from world.scene import draw_scene

    rng = Random(3)
    for _ in range(40):
        scene = draw_scene(rng)
        counts = {name: concept.count(scene) for name, concept in concepts().items()}
        open_as_minus_one = [-1 if count is None else count for count in counts.values()]
        for pair in statements.draw_pairs(open_as_minus_one, scene.place, 6, rng):
            true, false = (
                claim.low <= counts[claim.concept] <= claim.high
                for claim in (pair.true_claim, pair.false_claim)
            )
            assert (true, false) == (True, False), pair
            assert pair.true != pair.false


def test_training_never_draws_a_picture_of_the_sample(statements):
    from world.scene import draw_scene

    kept = {scene["light"] for scene in json.loads((SAMPLE / "scenes.json").read_text())["scenes"]}
    drawn = {draw_scene(Random(f"mini clip 20 {number}")).light for number in range(300)}
    assert len(drawn) == 300
    assert not kept & drawn


def test_card_names_licence_data_and_limits():
    card = (MODEL / "README.md").read_text(encoding="utf-8")
    front = card.split("---")[1]
    assert "license: apache-2.0" in front
    for heading in ("## Intended use", "## Data", "## Training", "## Figures", "## Limits"):
        assert heading in card
