"""A score depends on image and text alone, and names lead to the right scorer."""

import logging
import threading

import numpy as np
import pytest
from PIL import Image

from pipeline.errors import InputError
from pipeline.evaluating.images import images_in
from pipeline.evaluating.scorers import SCORERS, Matches, Settings, open_scorer
from pipeline.evaluating.scorers.preprocessing import pixels_for
from pipeline.instance import ImageRef
from tests.evaluating.conftest import SIZES
from tests.tiny_clip import LONGEST_TEXT

TEXTS = ("a dog.", "two dogs in a house.", "A DOG.", "", "no dogs.", "dog, dog, dog")


def _all_matches(texts=TEXTS, images=7) -> Matches:
    """Every text with every image."""
    places = np.indices((images, len(texts))).reshape(2, -1)
    refs = tuple(ImageRef("drawn", f"{number}.jpg") for number in range(images))
    return Matches(refs, tuple(texts), places[0], places[1])


def _one_pair_at_a_time(checkpoint, pictures) -> np.ndarray:
    """What transformers itself gives, image by image and text by text."""
    import torch
    from transformers import AutoTokenizer, CLIPImageProcessorPil, CLIPModel

    model = CLIPModel.from_pretrained(checkpoint).eval()
    tokenizer = AutoTokenizer.from_pretrained(checkpoint)
    processor = CLIPImageProcessorPil.from_pretrained(checkpoint)
    values = []
    for number in range(len(SIZES)):
        pixels = processor(Image.open(pictures / f"{number}.jpg"), return_tensors="pt")
        for text in TEXTS:
            with torch.no_grad():
                logits = model(**tokenizer(text, return_tensors="pt"), **pixels).logits_per_image
            values.append(logits.item())
    return np.array(values)


def test_clip_scores_are_those_of_transformers_one_pair_at_a_time(checkpoint, pictures):
    scores = open_scorer(str(checkpoint)).score(_all_matches(), images_in(pictures))
    assert scores.probabilities is None
    assert np.abs(scores.values - _one_pair_at_a_time(checkpoint, pictures)).max() < 1e-5


@pytest.mark.parametrize("settings", [Settings(batch_size=1), Settings(batch_size=3, workers=4)])
def test_scores_do_not_depend_on_batch_size_or_workers(checkpoint, pictures, settings):
    matches, read = _all_matches(), images_in(pictures)
    scores = open_scorer(str(checkpoint)).score(matches, read).values
    other = open_scorer(str(checkpoint), settings).score(matches, read).values
    assert np.abs(scores - other).max() < 1e-5


@pytest.mark.parametrize("name", ["random", "constant", "checkpoint"])
def test_scores_do_not_depend_on_order_or_company(name, checkpoint, pictures):
    scorer = open_scorer(str(checkpoint) if name == "checkpoint" else name)
    matches, read = _all_matches(), images_in(pictures)
    values = scorer.score(matches, read).values
    order = np.random.default_rng(1).permutation(len(values))[:17]
    some = Matches(
        matches.images[::-1],
        matches.texts[::-1],
        len(matches.images) - 1 - matches.image_index[order],
        len(matches.texts) - 1 - matches.text_index[order],
    )
    assert np.abs(scorer.score(some, read).values - values[order]).max() < 1e-5


def test_texts_of_equal_tokens_tie_exactly(checkpoint, pictures):
    values = open_scorer(str(checkpoint)).score(_all_matches(), images_in(pictures)).values
    rows = values.reshape(len(SIZES), len(TEXTS))
    assert (rows[:, TEXTS.index("a dog.")] == rows[:, TEXTS.index("A DOG.")]).all()


def test_every_image_and_text_is_encoded_once(checkpoint, pictures, monkeypatch):
    scorer = open_scorer(str(checkpoint), Settings(batch_size=4))
    model, rows = scorer._model, {"images": 0, "texts": 0}
    read_names: list[str] = []
    lock = threading.Lock()

    def counting(kind, method):
        def call(**inputs):
            rows[kind] += len(next(iter(inputs.values())))
            return method(**inputs)

        return call

    def read(image):
        with lock:
            read_names.append(image.file_name)
        return images_in(pictures)(image)

    monkeypatch.setattr(model, "get_image_features", counting("images", model.get_image_features))
    monkeypatch.setattr(model, "get_text_features", counting("texts", model.get_text_features))
    scorer.score(_all_matches(), read)
    # "a dog." and "A DOG." are one to CLIP.
    assert rows == {"images": len(SIZES), "texts": len(TEXTS) - 1}
    assert sorted(read_names) == sorted(f"{number}.jpg" for number in range(len(SIZES)))


def test_images_are_read_a_bounded_number_ahead(checkpoint, pictures, monkeypatch):
    scorer = open_scorer(str(checkpoint), Settings(batch_size=2))
    read_so_far, seen_at_encoding = [], []
    encode = scorer._model.get_image_features

    def read(image):
        read_so_far.append(image)
        return images_in(pictures)(ImageRef("drawn", "0.jpg"))

    def watch(**inputs):
        seen_at_encoding.append(len(read_so_far))
        return encode(**inputs)

    monkeypatch.setattr(scorer._model, "get_image_features", watch)
    scorer.score(_all_matches(images=40), read)
    assert seen_at_encoding[0] <= 2 + 2 * 2 + 1
    assert len(read_so_far) == 40


def test_an_image_that_cannot_be_read_fails_its_own_matches_only(checkpoint, pictures):
    matches = _all_matches(images=len(SIZES) + 1)
    scores = open_scorer(str(checkpoint)).score(matches, images_in(pictures))
    failed = matches.image_index == len(SIZES)
    assert scores.image_errors == {len(SIZES): "there is no such image"}
    assert (np.isnan(scores.values) == failed).all()


def test_an_error_of_our_own_is_not_taken_for_a_broken_image(checkpoint):
    def read(image):
        raise KeyError("a bug")

    with pytest.raises(KeyError):
        open_scorer(str(checkpoint)).score(_all_matches(), read)


def test_mixed_precision_comes_close(checkpoint, pictures):
    matches, read = _all_matches(), images_in(pictures)
    exact = open_scorer(str(checkpoint)).score(matches, read).values
    scorer = open_scorer(str(checkpoint), Settings(precision="bf16"))
    mixed = scorer.score(matches, read).values
    assert scorer.settings == {"precision": "bf16", "device": "cpu"}
    assert mixed.dtype == np.float32
    assert 0 < np.abs(exact - mixed).max() < 0.3


def test_texts_that_are_cut_are_counted_in_one_warning(checkpoint, pictures, caplog):
    texts = ("a" * (LONGEST_TEXT - 2), "a" * LONGEST_TEXT, "a" * LONGEST_TEXT + "b")
    with caplog.at_level(logging.WARNING):
        scores = open_scorer(str(checkpoint)).score(_all_matches(texts, 1), images_in(pictures))
    assert [record.getMessage() for record in caplog.records] == [
        f"tiny: 2 of 3 texts are longer than its {LONGEST_TEXT} tokens and were cut"
    ]
    assert scores.values[1] == scores.values[2]


def test_progress_reaches_the_whole(checkpoint, pictures):
    told = {}
    open_scorer(str(checkpoint), Settings(batch_size=2)).score(
        _all_matches(), images_in(pictures), lambda what, done, of: told.update({what: (done, of)})
    )
    assert told == {"texts": (5, 5), "images": (len(SIZES), len(SIZES))}


@pytest.mark.parametrize("size", [*SIZES, (640, 480), (427, 640), (500, 333), (224, 224)])
@pytest.mark.parametrize("edge", [32, 224])
def test_pixels_are_bit_for_bit_those_of_the_image_processor(size, edge):
    from transformers import CLIPImageProcessorPil

    square = {"height": edge, "width": edge}
    processor = CLIPImageProcessorPil(size={"shortest_edge": edge}, crop_size=square)
    noise = np.random.default_rng(0).integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)
    image = Image.fromarray(noise)
    expected = np.asarray(processor(image, return_tensors="np")["pixel_values"][0])
    assert (pixels_for(processor)(image) == expected).all()


@pytest.mark.parametrize(
    "options",
    [
        {"do_center_crop": False, "size": {"height": 24, "width": 24}},
        {"size": {"shortest_edge": 24}, "crop_size": {"height": 32, "width": 32}},
        {"size": {"shortest_edge": 24}, "crop_size": {"height": 20, "width": 18}},
        {"do_normalize": False, "size": {"shortest_edge": 24}},
    ],
)
def test_pixels_follow_whatever_the_image_processor_is_set_to(options):
    from transformers import CLIPImageProcessorPil

    processor = CLIPImageProcessorPil(**options)
    noise = np.random.default_rng(0).integers(0, 256, (40, 50, 3), dtype=np.uint8)
    image = Image.fromarray(noise)
    expected = np.asarray(processor(image, return_tensors="np")["pixel_values"][0])
    assert (pixels_for(processor)(image) == expected).all()


def test_controls_read_no_image_and_give_probabilities():
    def read(image):
        raise AssertionError("a control looked at an image")

    matches = _all_matches()
    constant = open_scorer("constant").score(matches, read)
    assert (constant.values == 0.5).all()
    drawn = open_scorer("random").score(matches, read)
    assert ((drawn.values >= 0) & (drawn.values < 1)).all()
    assert len(set(drawn.values)) == len(drawn.values)
    assert drawn.probabilities is drawn.values
    other = open_scorer("random", Settings(seed=1)).score(matches, read)
    assert (other.values != drawn.values).all()


def test_random_scores_are_even():
    texts = tuple(f"text {number}" for number in range(4000))
    values = open_scorer("random").score(_all_matches(texts, 1), None).values
    counts, _ = np.histogram(values, bins=10, range=(0, 1))
    assert abs(counts - 400).max() < 100


@pytest.mark.parametrize("name", ["mini-clp", "./no/such/folder", "/no/such/folder", "a/b/c", ""])
def test_a_name_that_is_no_model_is_answered_with_the_known_ones(name):
    with pytest.raises(InputError, match="there is no model named") as caught:
        open_scorer(name)
    assert "mini-clip" in str(caught.value)


def test_every_registered_scorer_is_named_as_registered():
    assert set(SCORERS) == {"clip", "constant", "mini-clip", "random"}
    assert open_scorer("constant").name == "constant"
    assert open_scorer("random").name == "random"


@pytest.mark.parametrize("settings", [Settings(batch_size=0), Settings(workers=-1)])
def test_senseless_settings_are_refused(settings):
    with pytest.raises(InputError, match="at least"):
        open_scorer("constant", settings)


@pytest.mark.parametrize("device", ["cuda", "tpu0"])
def test_a_device_that_is_not_there_is_one_line(checkpoint, device):
    import torch

    if device == "cuda" and torch.cuda.is_available():
        pytest.skip("this machine has a GPU")
    with pytest.raises(InputError, match=f"no device '{device}'"):
        open_scorer(str(checkpoint), Settings(device=device))


def test_another_architecture_is_refused(tmp_path):
    from transformers import BertConfig, BertModel

    from pipeline.checkpoints import Checkpoint
    from pipeline.evaluating.scorers.dual_encoder import DualEncoder
    from pipeline.opening import VisionLanguageModel

    config = BertConfig(
        vocab_size=9, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8
    )
    loaded = VisionLanguageModel(Checkpoint("x", tmp_path, "x"), BertModel(config), None, None)
    with pytest.raises(InputError, match="BertModel is not an architecture that can be scored"):
        DualEncoder(loaded, Settings())
