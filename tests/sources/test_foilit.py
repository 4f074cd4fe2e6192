import json
from collections import Counter

import pytest

from pipeline.errors import InputError
from pipeline.instance import ImageRef
from pipeline.sources.foilit import read
from pipeline.sources.records import FoiledCaption, Reject
from tests.conftest import ROOT

NAME = "COCO_val2014_000000000005.jpg"
TEXTS = [
    "Girl sitting on a bench next to a fire hydrant",
    "a man carrying a bag by his car .",
    "A banana and a donut.",
    "A TV on a table.",
]


def annotation(caption, target, replacement, **changes):
    usual = {"id": 1, "foil_id": 1226813, "image_id": 5, "caption": caption, "foil": True}
    return usual | {"target_word": target, "foil_word": replacement} | changes


@pytest.fixture
def write(tmp_path):
    def written(*annotations, texts=TEXTS, name="foilv1.0_test_2017.json"):
        captions = [{"id": n, "image_id": 5, "caption": text} for n, text in enumerate(texts)]
        images = [{"id": 5, "file_name": NAME}]
        path = tmp_path / name
        path.write_text(json.dumps({"images": images, "annotations": annotations}))
        official = "captions_train2014.json" if "train" in name else "captions_val2014.json"
        path.with_name(official).write_text(json.dumps({"images": images, "annotations": captions}))
        return path

    return written


def read_all(path, **given):
    refused: list[Reject] = []
    return list(read(path, refuse=refused.append, **given)), refused


def test_the_caption_is_the_one_that_a_single_change_turns_into_the_foil(write):
    foil = "girl sitting on a hydrant next to a fire hydrant"
    (pair,), refused = read_all(write(annotation(foil, "bench", "hydrant")))
    assert pair == FoiledCaption(
        dataset="foil-it",
        split="test",
        id="1226813",
        image=ImageRef("coco", NAME, "val2014"),
        caption="Girl sitting on a bench next to a fire hydrant.",
        foil="Girl sitting on a hydrant next to a fire hydrant.",
        target="bench",
        replacement="hydrant",
    )
    assert not refused


@pytest.mark.parametrize(
    ("given", "caption", "foil"),
    [
        (
            annotation("a banana and a banana.", "donut", "banana"),
            "A banana and a donut.",
            "A banana and a banana.",
        ),
        (
            annotation("a donut and a donut.", "banana", "donut"),
            "A banana and a donut.",
            "A donut and a donut.",
        ),
        (
            annotation("a laptop on a table.", "tv", "laptop"),
            "A TV on a table.",
            "A laptop on a table.",
        ),
        (
            annotation("a man carrying a bag by his truck.", "car", "truck"),
            "A man carrying a bag by his car.",
            "A man carrying a bag by his truck.",
        ),
    ],
)
def test_caption_and_foil_differ_in_the_one_word_only(write, given, caption, foil):
    (pair,), _ = read_all(write(given))
    assert (pair.caption, pair.foil) == (caption, foil)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (annotation("A banana and a donut.", "ORIG", "ORIG", foil=False), "original caption"),
        (annotation("a cow on a bed.", "dog", "cow"), "caption not found"),
        (
            annotation("a man truckrying a bag by his truck.", "car", "truck"),
            "part of a word replaced",
        ),
        (annotation("a cow.", "dog", "cow", image_id=6), "unknown image"),
        (annotation("a cow.", "dog", ""), "bad record"),
        ("no record", "bad record"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_place(write, given, reason):
    pairs, (refused,) = read_all(write(given))
    assert not pairs
    assert (refused.dataset, refused.reason) == ("foil-it", reason)
    assert "annotations[0]" in refused.detail
    assert refused.id == ("annotations[0]" if given == "no record" else "1226813")


def test_the_training_part_takes_the_captions_of_train2014(write):
    given = annotation("A laptop on a table.", "tv", "laptop")
    (pair,), _ = read_all(write(given, name="foilv1.0_train_2017.json"))
    assert pair.split == "train"


def test_the_captions_may_lie_elsewhere(write, tmp_path):
    path = write(annotation("A laptop on a table.", "tv", "laptop"))
    path.with_name("captions_val2014.json").rename(tmp_path / "mine.json")
    (pair,), _ = read_all(path, captions=tmp_path / "mine.json")
    assert pair.caption == "A TV on a table."


def test_captions_of_other_images_stop_the_reading(write):
    path = write(annotation("A laptop on a table.", "tv", "laptop"), texts=[])
    with pytest.raises(InputError, match="has no caption of these images"):
        read_all(path)


def test_published_foils_find_their_captions(shared_data, tmp_path):
    """Those of VALSE whose images are in val2017; two of its captions were put back wrongly."""
    coco = shared_data / "coco/annotations/captions_val2017.json"
    known = {image["id"] for image in json.loads(coco.read_text())["images"]}
    published = json.loads((shared_data / "valse/foil-it.json").read_text())
    given, images = [], {}
    for key, pair in published.items():
        image = int(pair["image_file"][-16:-4])
        if image in known:
            images[image] = pair["image_file"]
            words = pair["classes"], pair["classes_foil"]
            given.append(annotation(pair["foil"], *words, foil_id=int(key), image_id=image))
    path = tmp_path / "foilv1.0_test_2017.json"
    listed = [{"id": image, "file_name": name} for image, name in images.items()]
    path.write_text(json.dumps({"images": listed, "annotations": given}))
    pairs, refused = read_all(path, captions=coco)
    assert len(pairs) == len(given) > 50
    assert not refused
    other = [pair.id for pair in pairs if not _same(pair.caption, published[pair.id]["caption"])]
    assert sorted(other) == ["1226813", "1252283"]


def _same(one, other):
    return [_plain(text) for text in (one, other)] == [_plain(one)] * 2


def _plain(text):
    return "".join(filter(str.isalnum, text.lower()))


def test_the_sample_world_is_read():
    pairs, refused = read_all(ROOT / "data/sample/foilit/foilv1.0_test_2017.json")
    assert len(pairs) == 228
    assert Counter(reject.reason for reject in refused) == {
        "original caption": 240,
        "caption not found": 12,
    }
