import json
from pathlib import Path

import pytest

from pipeline.errors import InputError
from pipeline.instance import ImageRef
from pipeline.sources.records import Question, Reject
from pipeline.sources.visual7w import read


def pair(**changes):
    usual = {
        "qa_id": 10,
        "image_id": 5,
        "question": "How many dogs are there?",
        "answer": "Two.",
        "multiple_choices": ["Three.", "About 5.", "2.", "3.", "None."],
        "type": "how",
    }
    return usual | changes


def image(*pairs, **changes):
    usual = {"image_id": 5, "filename": "v7w_5.jpg", "split": "train", "qa_pairs": list(pairs)}
    return usual | changes


@pytest.fixture
def write(tmp_path):
    def written(*images, dataset="visual7w-telling") -> Path:
        path = tmp_path / "dataset.json"
        path.write_text(json.dumps({"dataset": dataset, "images": images}))
        return path

    return written


def read_all(path, split=None):
    refused: list[Reject] = []
    return list(read(path, split, refused.append)), refused


def test_counting_question_becomes_a_record(write):
    (question,), refused = read_all(write(image(pair())))
    assert question == Question(
        dataset="visual7w",
        split="train",
        id="10",
        image=ImageRef("visual7w", "v7w_5.jpg", "train"),
        question="How many dogs are there?",
        answer="Two.",
        number=2,
        choices=(3, 0),
    )
    assert not refused


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"question": "What is on the bed?"}, "not a how-many question"),
        ({"question": "  "}, "no question"),
        ({"question": None}, "no question"),
        ({"answer": None}, "no answer"),
        ({"answer": ""}, "no answer"),
        ({"answer": "About 20."}, "vague answer"),
        ({"answer": "Blue."}, "not a number"),
        ({"answer": 4}, "bad record"),
        ({"qa_id": None}, "bad record"),
        ({"image_id": 6}, "bad record"),
        ({"multiple_choices": "3."}, "bad record"),
    ],
)
def test_unused_question_is_refused_with_reason_and_place(write, changes, reason):
    questions, (reject,) = read_all(write(image(pair()), image(pair(), pair(**changes))))
    assert len(questions) == 2
    assert reject.reason == reason
    assert "images[1].qa_pairs[1]" in reject.detail


def test_question_without_its_fields_is_a_missing_question(write):
    questions, (reject,) = read_all(write(image({"qa_id": 1})))
    assert (questions, reject.id, reject.reason) == ([], "1", "no question")


@pytest.mark.parametrize(
    "record",
    [
        7,
        {},
        image(pair(), filename=3),
        image(pair(), filename="../secret.jpg"),
        image(pair(), filename="/etc/secret.jpg"),
        image(pair(), split=None),
        image(qa_pairs={}),
    ],
)
def test_bad_image_is_refused_and_the_rest_is_read(write, record):
    questions, (reject,) = read_all(write(record, image(pair())))
    assert len(questions) == 1
    assert reject.reason == "bad record"
    assert "images[0]" in reject.detail


@pytest.mark.parametrize("asked", ["val", "valid"])
@pytest.mark.parametrize("stored", ["val", "valid"])
def test_both_names_of_the_validation_split_are_understood(write, asked, stored):
    path = write(image(pair()), image(pair(), split=stored))
    (question,), refused = read_all(path, asked)
    assert question.split == question.image.split == stored
    assert not refused


def test_unknown_split_is_an_error_that_names_those_there_are(write):
    path = write(image(), image(split="test"))
    with pytest.raises(InputError, match=r"no split 'dev'\. There are: train, test"):
        read_all(path, "dev")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "breaks off"),
        ("no JSON at all", "not JSON"),
        ("[1, 2]", "another shape"),
        ('{"images": []}', "another shape"),
        ('{"dataset": "visual7w-telling"}', "another shape"),
        ('{"dataset": "visual7w-telling", "images": {}}', "another shape"),
        ('{"dataset": "visual7w-pointing", "images": []}', "'visual7w-pointing'"),
        ('{"images": [], "dataset": "coco"}', "'coco'"),
        ('{"dataset": "visual7w-telling", "images": [{"image_id": 1}, {', "breaks off"),
        ('{"dataset": "visual7w-telling", "images": [}', "not JSON"),
        (b'{"dataset": "visual7w-telling", "images": ["\xff"]}', "not JSON"),
    ],
)
def test_unusable_file_is_one_clear_line(tmp_path, content, problem):
    path = tmp_path / "dataset.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as error:
        read_all(path)
    assert problem in str(error.value)
    assert str(error.value).startswith(str(path))
    assert "\n" not in str(error.value)


def test_half_a_file_gives_its_questions_and_then_the_error(write):
    path = write(image(pair()), image(pair()))
    path.write_bytes(path.read_bytes()[:-40])
    questions = read(path)
    assert next(questions).number == 2
    with pytest.raises(InputError, match="breaks off"):
        list(questions)


def test_missing_file_is_reported_before_reading(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "nowhere.json")


def test_published_file_is_read_whole(shared_data):
    questions, refused = read_all(shared_data / "visual7w" / "dataset_v7w_telling.json")
    assert (len(questions), len(refused)) == (4276, 0)
    assert all(question.number not in question.choices for question in questions)
