import json

import pytest

from pipeline.errors import InputError
from pipeline.instance import ImageRef
from pipeline.sources.coco import read
from pipeline.sources.records import Caption, Reject

IMAGES = [{"id": 5, "file_name": "000000000005.jpg"}]


def annotation(**changes):
    return {"id": 1, "image_id": 5, "caption": "a DOG on a bed "} | changes


@pytest.fixture
def write(tmp_path):
    def written(content, name="captions_val2017.json"):
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return written


def read_all(path, split=None):
    refused: list[Reject] = []
    return list(read(path, split, refuse=refused.append)), refused


def test_a_caption_becomes_a_record(write):
    (caption,), refused = read_all(write({"images": IMAGES, "annotations": [annotation()]}))
    assert caption == Caption(
        dataset="coco",
        split="val2017",
        id="1",
        image=ImageRef("coco", "000000000005.jpg", "val2017"),
        text="A DOG on a bed.",
        original="a DOG on a bed ",
    )
    assert not refused


def test_images_may_stand_after_the_annotations(write):
    path = write({"annotations": [annotation()], "images": IMAGES})
    (caption,), _ = read_all(path)
    assert caption.image.file_name == "000000000005.jpg"


@pytest.mark.parametrize(
    ("record", "reason", "detail"),
    [
        ("no record", "bad record", "annotations[0]"),
        (annotation(caption=None), "bad record", "caption: "),
        (annotation(image_id=6), "unknown image", "image 6"),
        (annotation(caption="There is no image here."), "no caption", "There is no image"),
        (annotation(caption=" \n"), "no caption", "annotations[0]"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_place(write, record, reason, detail):
    path = write({"images": IMAGES, "annotations": [record, annotation(id=2)]})
    captions, (refused,) = read_all(path)
    assert [caption.id for caption in captions] == ["2"]
    assert (refused.dataset, refused.reason) == ("coco", reason)
    assert detail in refused.detail
    assert "annotations[0]" in refused.detail


def test_an_image_outside_its_folder_is_refused_with_its_captions(write):
    images = [{"id": 5, "file_name": "../secret.jpg"}]
    captions, refused = read_all(write({"images": images, "annotations": [annotation()]}))
    assert not captions
    assert [reject.reason for reject in refused] == ["bad record", "unknown image"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "breaks off"),
        ("captions", "is not JSON"),
        ("[]", "without a list of 'images'"),
        ({"images": IMAGES}, "without a list of 'annotations'"),
        ({"images": {}, "annotations": []}, "without a list of 'images'"),
        ({"images": IMAGES, "annotations": [{"image_id": 5, "category_id": 1}]}, "holds objects"),
    ],
)
def test_another_file_is_named_in_one_line(write, content, problem):
    path = write(content)
    with pytest.raises(InputError, match=r"captions_val2017\.json") as error:
        read_all(path)
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_file_is_an_error_at_once(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "captions_val2017.json")


@pytest.mark.parametrize(
    ("name", "split", "told"),
    [
        ("captions_train2014.json", None, "train2014"),
        ("captions_train2014.json", "train2014", "train2014"),
        ("captions_val2017.json", "val", "val2017"),
        ("mine.json", None, ""),
        ("mine.json", "val2017", "val2017"),
    ],
)
def test_the_files_name_tells_the_split(write, name, split, told):
    path = write({"images": IMAGES, "annotations": [annotation()]}, name)
    (caption,), _ = read_all(path, split)
    assert (caption.split, caption.image.split) == (told, told)


def test_another_split_than_the_names_is_an_error(write):
    path = write({"images": IMAGES, "annotations": [annotation()]})
    with pytest.raises(InputError, match="has no split 'train2017'"):
        read(path, "train2017")


def test_all_captions_of_val2017_are_read(shared_data):
    captions, refused = read_all(shared_data / "coco/annotations/captions_val2017.json")
    assert len(captions) + len(refused) == 25_014
    assert {reject.reason for reject in refused} == {"no caption", "question"}
    assert len(refused) < 30
