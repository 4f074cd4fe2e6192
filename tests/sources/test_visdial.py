import json

import pytest

from pipeline.errors import InputError
from pipeline.instance import ImageRef
from pipeline.sources.records import Dialogue, Reject, Round
from pipeline.sources.visdial import read

DIALOG = {
    "image_id": 7,
    "caption": "a cat  on a bed ",
    "dialog": [
        {"question": 1, "answer": 0, "answer_options": [0, 1], "gt_index": 0},
        {"question": 0, "answer": 1, "answer_options": [1, 0], "gt_index": 0},
    ],
}


@pytest.fixture
def write(tmp_path):
    def written(
        *dialogs, name="visdial_1.0_val.json", split="val2018", version="1.0", turned=False
    ):
        data = {
            "questions": ["is it asleep", "is the photo in color"],
            "answers": ["yes", "no, awake"],
            "dialogs": dialogs,
        }
        content = {"version": version, "split": split, "data": data}
        if turned:
            content["data"] = dict(reversed(data.items()))
            content = dict(reversed(content.items()))
        path = tmp_path / name
        path.write_text(json.dumps(content))
        return path

    return written


def read_all(path, **given):
    refused: list[Reject] = []
    return list(read(path, refuse=refused.append, **given)), refused


@pytest.mark.parametrize("turned", [False, True])
def test_rounds_are_looked_up_in_the_pools_wherever_those_stand(write, turned):
    (dialogue,), refused = read_all(write(DIALOG, turned=turned))
    assert dialogue == Dialogue(
        dataset="visdial",
        split="val",
        id="7",
        image=ImageRef("visdial", "VisualDialog_val2018_000000000007.jpg", "val"),
        caption="a cat on a bed",
        rounds=(Round("is the photo in color", "yes"), Round("is it asleep", "no, awake")),
    )
    assert not refused


def test_an_answer_that_is_withheld_is_empty(write):
    rounds = [DIALOG["dialog"][0], {"question": 0, "answer_options": [0, 1]}]
    path = write(DIALOG | {"dialog": rounds}, name="visdial_1.0_test.json", split="test2018")
    (dialogue,), _ = read_all(path)
    assert dialogue.rounds[-1] == Round("is it asleep", "")
    assert dialogue.image.file_name == "VisualDialog_test2018_000000000007.jpg"


@pytest.mark.parametrize(
    ("version", "split", "part"),
    [("0.9", "train", "train2014"), ("0.9", "val", "val2014"), ("1.0", "train", "train2014")],
)
def test_other_parts_have_images_of_coco(write, version, split, part):
    path = write(DIALOG, name=f"visdial_{version}_{split}.json", split=split, version=version)
    (dialogue,), _ = read_all(path)
    assert dialogue.image == ImageRef("coco", f"COCO_{part}_000000000007.jpg", part)


def test_captions_of_val2014_tell_which_images_of_the_train_part_are_from_there(write):
    path = write(DIALOG, DIALOG | {"image_id": 8}, name="visdial_1.0_train.json", split="train")
    images = [{"id": 8, "file_name": "COCO_val2014_000000000008.jpg"}]
    content = json.dumps({"images": images, "annotations": []})
    path.with_name("captions_val2014.json").write_text(content)
    dialogues, _ = read_all(path)
    assert [one.image.split for one in dialogues] == ["train2014", "val2014"]


@pytest.mark.parametrize(
    ("record", "detail"),
    [
        ("a cat", "Input should be a valid dictionary"),
        ({"image_id": 7, "dialog": []}, "caption: Field required"),
        (DIALOG | {"caption": None}, "caption: Input should be a valid string"),
        (DIALOG | {"dialog": [{"answer": 0}]}, "dialog.0.question: Field required"),
        (
            DIALOG | {"dialog": [{"question": 2, "answer": 0}]},
            "dialog.0.question: 2 is outside a pool of 2",
        ),
        (
            DIALOG | {"dialog": [{"question": 0, "answer": -1}]},
            "dialog.0.answer: Input should be greater than or equal to 0",
        ),
    ],
)
def test_a_broken_dialog_is_refused_with_its_place(write, record, detail):
    (kept,), (refused,) = read_all(write(record, DIALOG))
    assert kept.id == "7"
    assert refused.reason == "bad record"
    assert refused.detail.startswith(detail)
    assert refused.detail.endswith("(dialogs[0])")


def test_the_split_can_be_made_sure_of(write):
    path = write(DIALOG)
    assert read_all(path, split="val2018") == read_all(path, split="val")
    with pytest.raises(InputError, match="has no split 'train'"):
        read(path, split="train")


@pytest.mark.parametrize(
    "content",
    ["[]", "{}", '{"images": [], "annotations": []}', '{"data": {"dialogs": []}}', "dialogs"],
)
def test_another_file_is_refused_at_once(tmp_path, content):
    path = tmp_path / "visdial_1.0_val.json"
    path.write_text(content)
    with pytest.raises(InputError, match=r"visdial_1\.0_val\.json: .*JSON"):
        read(path)


def test_a_file_that_breaks_off_stops_the_reading(write):
    path = write(DIALOG, DIALOG)
    path.write_text(path.read_text()[:-60])
    with pytest.raises(InputError, match="breaks off"):
        list(read(path))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match="there is no such file"):
        read(tmp_path / "visdial_1.0_val.json")


def test_published_dialogs_are_read(shared_data):
    folder = shared_data / "visdial"
    read_files = [read_all(path) for path in sorted(folder.glob("visdial_1.0_val_*.json"))]
    assert [(len(kept), len(refused)) for kept, refused in read_files] == [(97, 0), (76, 0)]
    dialogue = next(one for one in read_files[0][0] if one.id == "239030")
    assert dialogue.rounds[0] == Round("what color is the tablet", "black and silver")
