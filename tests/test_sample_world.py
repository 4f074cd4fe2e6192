"""The sample's files say of each picture what its scene holds, in the official formats."""

import json
import re
import sys
from pathlib import Path

import pytest
from PIL import Image

SAMPLE = Path(__file__).resolve().parents[1] / "data" / "sample"
NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
SPLITS = ("train", "dev", "test")


def load(name):
    return json.loads((SAMPLE / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def world():
    """The packages that made the sample, importable for the time of these tests."""
    sys.path.insert(0, str(SAMPLE))
    import make_sample

    yield make_sample
    sys.path.remove(str(SAMPLE))


@pytest.fixture(scope="module")
def scenes():
    return {scene["image_id"]: scene for scene in load("scenes.json")["scenes"]}


@pytest.fixture(scope="module")
def visual7w():
    return load("visual7w/dataset_v7w_telling.json")


@pytest.fixture(scope="module")
def swig():
    return {split: load(f"swig/{split}.json") for split in SPLITS}


@pytest.fixture(scope="module")
def visdial():
    return load("visdial/visdial_1.0_val.json")


def counting_pairs(visual7w):
    for image in visual7w["images"]:
        for pair in image["qa_pairs"]:
            if pair["question"].startswith("How many"):
                yield pair


def number_in(answer):
    word = answer.rstrip(".").lower()
    if word == "none":
        return 0
    if word in NUMBERS:
        return NUMBERS.index(word)
    return int(word) if word.isdigit() else None


def test_pictures_are_small_whole_and_all_accounted_for(scenes):
    names = {scene["file_name"] for scene in scenes.values()}
    files = {path.name: path for path in (SAMPLE / "images").iterdir()}
    assert len(names) == len(scenes) >= 240
    assert names == set(files)
    for path in files.values():
        assert path.stat().st_size <= 15 * 1024
        with Image.open(path) as picture:
            picture.load()
            assert (picture.format, picture.mode, picture.size) == ("JPEG", "RGB", (224, 224))


def test_texts_and_scenes_are_what_the_script_makes_from_the_seed(world):
    seed = load("scenes.json")["seed"]
    for name, content in world.describe(world.draw_pictures(seed), seed).items():
        assert load(name) == json.loads(json.dumps(content)), name


def test_things_lie_within_the_picture_and_counts_reach_eight(scenes):
    most = 0
    for scene in scenes.values():
        assert scene["things"]
        kinds = [thing["kind"] for thing in scene["things"]]
        most = max(most, *map(kinds.count, kinds))
        for x, y, width, height in (thing["box"] for thing in scene["things"]):
            assert min(x, y) >= 0 and max(x + width, y + height) <= 224
    assert most == 8


def test_visual7w_has_the_official_fields(visual7w, scenes):
    assert visual7w["dataset"] == "visual7w-telling"
    seen = set()
    for image in visual7w["images"]:
        assert image["filename"] == scenes[image["image_id"]]["file_name"]
        assert image["split"] in ("train", "val", "test")
        for pair in image["qa_pairs"]:
            assert set(pair) == {
                "qa_id",
                "image_id",
                "question",
                "answer",
                "multiple_choices",
                "type",
            }
            assert pair["image_id"] == image["image_id"]
            assert pair["type"] == pair["question"].split()[0].lower()
            assert len({pair["answer"], *pair["multiple_choices"]}) == 4
            seen.add(pair["qa_id"])
    assert len(seen) == sum(len(image["qa_pairs"]) for image in visual7w["images"])


def test_visual7w_asks_enough_of_every_sort(visual7w):
    numbers = [number_in(pair["answer"]) for pair in counting_pairs(visual7w)]
    assert len(numbers) >= 400
    assert numbers.count(0) >= 130
    assert sum(number in (1, 2, 3) for number in numbers if number) >= 130
    assert sum(number >= 4 for number in numbers if number) >= 100
    assert numbers.count(None) >= 10
    others = [
        pair["type"]
        for image in visual7w["images"]
        for pair in image["qa_pairs"]
        if not pair["question"].startswith("How many")
    ]
    assert {"what", "where", "who", "why"} == set(others)


def test_visual7w_answers_equal_the_counts_of_the_scene(visual7w, scenes, world):
    from world.concepts import concepts
    from world.kinds import kinds

    by_plural = {(concept.plural, concept.doing): concept for concept in concepts().values()}
    doings = {concept.doing for concept in concepts().values() if concept.doing}
    checked = 0
    for pair in counting_pairs(visual7w):
        asked = pair["question"].removeprefix("How many ").rstrip("?")
        doing = next((doing for doing in doings if f" {doing}" in asked), "")
        noun = re.split(r" (?:are|can|do|in the picture)\b", asked)[0]
        concept = by_plural[noun, doing]
        things = scenes[pair["image_id"]]["things"]
        count = sum(thing["kind"] in concept.kind_ids for thing in things)
        shown = {noun for thing in things for noun in kinds()[thing["kind"]].shows}
        number = number_in(pair["answer"])
        if number is None:
            assert count > 3, pair
        else:
            assert number == count, pair
            assert number not in map(number_in, pair["multiple_choices"])
        assert concept.name not in shown, pair
        checked += 1
    assert checked >= 400


def test_coco_captions_have_the_official_fields(scenes):
    captions = load("coco/captions_val2017.json")
    assert set(captions) == {"info", "licenses", "images", "annotations"}
    licences = {licence["id"] for licence in captions["licenses"]}
    for image in captions["images"]:
        assert image["file_name"] == scenes[image["id"]]["file_name"]
        assert image["license"] in licences
    texts = {}
    for annotation in captions["annotations"]:
        assert set(annotation) == {"image_id", "id", "caption"}
        texts.setdefault(annotation["image_id"], []).append(annotation["caption"])
    assert set(texts) == set(scenes)
    assert all(len(five) == 5 for five in texts.values())
    for caption in (caption for five in texts.values() for caption in five):
        assert re.fullmatch(r"[A-Z][a-z]*( [a-z]+,?)+\.", caption), caption
        assert not re.search(r"\ba [aeio]|\ban [^aeiou]", caption.lower()), caption


def test_coco_instances_are_the_boxes_of_the_scene(scenes, world):
    from world.kinds import kinds

    instances = load("coco/instances_val2017.json")
    names = {category["id"]: category["name"] for category in instances["categories"]}
    assert len(names) == 80
    assert {category["supercategory"] for category in instances["categories"]} >= {"person"}
    found = {}
    for annotation in instances["annotations"]:
        assert annotation["iscrowd"] == 0
        x, y, width, height = annotation["bbox"]
        assert annotation["area"] == width * height
        assert annotation["segmentation"][0][:2] == [x, y]
        thing = (names[annotation["category_id"]], [x, y, width, height])
        found.setdefault(annotation["image_id"], []).append(thing)
    for number, scene in scenes.items():
        expected = [
            (kinds()[thing["kind"]].coco, thing["box"])
            for thing in scene["things"]
            if kinds()[thing["kind"]].coco
        ]
        assert found.get(number, []) == expected


def test_swig_frames_fill_the_roles_of_their_verb(swig, scenes):
    space = load("swig/imsitu_space.json")
    images = {scene["file_name"]: scene for scene in scenes.values()}
    assert sum(map(len, swig.values())) >= 40
    for name, entry in (item for split in swig.values() for item in split.items()):
        verb = entry["verb"]
        assert re.fullmatch(rf"{verb}_\d+\.jpg", name)
        roles = space["verbs"][verb]["order"]
        assert set(entry) == {"bb", "height", "width", "verb", "frames"}
        assert set(entry["bb"]) == set(roles)
        assert len(entry["frames"]) == 3
        for frame in entry["frames"]:
            assert set(frame) == set(roles)
            assert all(noun == "" or noun in space["nouns"] for noun in frame.values())
        things = images[name]["things"]
        if verb in ("chasing", "feeding"):
            doer, other = (list(entry["bb"][role]) for role in roles[:2])
            corners = [[x, y, x + w, y + h] for x, y, w, h in (thing["box"] for thing in things)]
            assert corners[:2] == [doer, other]
            assert other[2] < doer[0]
        else:
            assert any(thing["kind"].startswith(verb) for thing in things)


def test_swig_verbs_have_a_sentence_that_names_every_role():
    for verb in load("swig/imsitu_space.json")["verbs"].values():
        assert set(verb) == {"framenet", "abstract", "def", "order", "roles"}
        assert set(verb["order"]) == set(verb["roles"])
        assert all(role.upper() in verb["abstract"] for role in verb["order"])


def test_visdial_has_ten_rounds_with_a_hundred_options(visdial, scenes):
    assert (visdial["version"], visdial["split"]) == ("1.0", "val2018")
    data = visdial["data"]
    assert set(data) == {"questions", "answers", "dialogs"}
    for dialog in data["dialogs"]:
        name = f"VisualDialog_val2018_{dialog['image_id']:012d}.jpg"
        assert scenes[dialog["image_id"]]["file_name"] == name
        assert len(dialog["dialog"]) == 10
        for turn in dialog["dialog"]:
            assert len(set(turn["answer_options"])) == len(turn["answer_options"]) == 100
            assert turn["answer_options"][turn["gt_index"]] == turn["answer"]
            assert max(turn["answer_options"]) < len(data["answers"])
            assert data["questions"][turn["question"]]


def test_visdial_has_pronouns_and_both_answers(visdial):
    data = visdial["data"]
    yes_no = {"yes": 0, "no": 0}
    for dialog in data["dialogs"]:
        for turn in dialog["dialog"]:
            question = data["questions"][turn["question"]].split()
            first = data["answers"][turn["answer"]].split()[0].strip(",")
            if {"it", "they", "he", "she"} & set(question) and first in yes_no:
                yes_no[first] += 1
    assert min(yes_no.values()) >= 30
