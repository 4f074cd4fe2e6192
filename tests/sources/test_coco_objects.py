import json

import pytest

from pipeline.errors import InputError
from pipeline.sources.coco_objects import read
from pipeline.sources.records import Reject
from tests.conftest import ROOT

IMAGES = [{"id": number, "file_name": f"{number:012d}.jpg"} for number in (5, 6)]
CAPTIONS = {
    "images": IMAGES,
    "annotations": [
        {"id": 1, "image_id": 5, "caption": "A dog and a cat."},
        {"id": 2, "image_id": 6, "caption": "An empty street."},
    ],
}
CATEGORIES = [{"id": 18, "name": "dog"}, {"id": 17, "name": "cat"}, {"id": 3, "name": "car"}]
OBJECTS = [
    {"image_id": 5, "category_id": 18, "segmentation": [[1.5, 2.0]], "iscrowd": 0},
    {"image_id": 5, "category_id": 17, "segmentation": {"counts": [1], "size": [2, 2]}},
    {"image_id": 5, "category_id": 18, "segmentation": []},
]


@pytest.fixture
def write(tmp_path):
    def written(instances, name="instances_val2017.json"):
        path = tmp_path / "captions_val2017.json"
        path.write_text(json.dumps(CAPTIONS))
        path.with_name(name).write_text(json.dumps(instances))
        return path

    return written


def read_all(path, **given):
    refused: list[Reject] = []
    return list(read(path, refuse=refused.append, **given)), refused


def test_each_caption_has_the_categories_of_its_image_sorted(write):
    captions, refused = read_all(write({"annotations": OBJECTS, "categories": CATEGORIES}))
    assert [caption.objects for caption in captions] == [("cat", "dog"), ()]
    assert [caption.text for caption in captions] == ["A dog and a cat.", "An empty street."]
    assert not refused


def test_the_objects_may_lie_elsewhere(write, tmp_path):
    path = write({"categories": CATEGORIES, "annotations": OBJECTS}, "objects.json")
    captions, _ = read_all(path, objects=tmp_path / "objects.json")
    assert captions[0].objects == ("cat", "dog")


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ({"image_id": 5}, "bad record"),
        ({"image_id": 5, "category_id": 99}, "unknown category"),
    ],
)
def test_a_broken_object_is_refused_with_its_place(write, broken, reason):
    path = write({"annotations": [broken, *OBJECTS], "categories": CATEGORIES})
    captions, (refused,) = read_all(path)
    assert captions[0].objects == ("cat", "dog")
    assert refused.reason == reason
    assert "annotations[0]" in refused.detail


@pytest.mark.parametrize(
    ("instances", "problem"),
    [
        ({"annotations": OBJECTS}, "without a list of 'categories'"),
        (
            {"annotations": [{"image_id": 9, "category_id": 3}], "categories": CATEGORIES},
            "belongs to other images",
        ),
    ],
)
def test_a_wrong_file_of_objects_is_named(write, instances, problem):
    with pytest.raises(InputError, match=r"instances_val2017\.json") as error:
        read_all(write(instances))
    assert problem in str(error.value)


def test_without_a_file_of_objects_nothing_is_read(tmp_path):
    path = tmp_path / "captions_val2017.json"
    path.write_text(json.dumps(CAPTIONS))
    with pytest.raises(InputError, match=r"instances_val2017\.json: there is no such file"):
        read(path)


def test_the_sample_world_is_read():
    captions, refused = read_all(ROOT / "data/sample/coco/captions_val2017.json")
    assert len(captions) == 1620
    assert not refused
    assert captions[0].objects == ("airplane", "giraffe")
