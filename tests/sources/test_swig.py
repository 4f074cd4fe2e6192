import json
from pathlib import Path

import pytest

from pipeline.errors import InputError
from pipeline.instance import ImageRef
from pipeline.sources.records import Filler, Frame, Reject, Role
from pipeline.sources.swig import read

SAMPLE = Path(__file__).parents[2] / "data" / "sample" / "swig"
SPACE = {
    "verbs": {
        "shouting": {
            "abstract": "an AGENT shouts at an ADDRESSEE in a PLACE",
            "order": ["agent", "addressee", "place"],
        }
    },
    "nouns": {
        "n10287213": {"gloss": ["man", "adult male"], "def": "an adult person who is male"},
        "n10787470": {"gloss": ["woman", "adult female"]},
    },
}
FRAME = {"addressee": "n10787470", "place": "", "agent": "n10287213"}
BOXES = {"agent": [1, 2, 30, 40], "addressee": [50, 2, 70, 40], "place": [-1, -1, -1, -1]}


def situation(**changes):
    return {"verb": "shouting", "frames": [FRAME] * 3} | changes


@pytest.fixture
def write(tmp_path):
    def written(name="train.json", space=SPACE, **images) -> Path:
        (tmp_path / "imsitu_space.json").write_text(json.dumps(space))
        path = tmp_path / name
        path.write_text(json.dumps(images))
        return path

    return written


def read_all(path, split=None, **options):
    refused: list[Reject] = []
    return list(read(path, split, refuse=refused.append, **options)), refused


def test_image_becomes_a_frame_with_roles_in_the_verbs_own_order(write):
    path = write(**{"shouting_1.jpg": situation(bb=BOXES, height=100, width=80)})
    (frame,), refused = read_all(path)
    man, woman = (
        Filler("n10287213", ("man", "adult male")),
        Filler("n10787470", ("woman", "adult female")),
    )
    assert frame == Frame(
        dataset="swig",
        split="train",
        id="shouting_1.jpg",
        image=ImageRef("swig", "shouting_1.jpg", "train"),
        verb="shouting",
        abstract="an AGENT shouts at an ADDRESSEE in a PLACE",
        roles=(
            Role("agent", (man,) * 3),
            Role("addressee", (woman,) * 3),
            Role("place", (Filler(""),) * 3),
        ),
    )
    assert not refused


def test_file_without_boxes_is_imsitu(write):
    (frame,), _ = read_all(write("dev.json", **{"shouting_1.jpg": situation()}))
    assert (frame.dataset, frame.image.dataset, frame.split) == ("imsitu", "imsitu", "dev")


@pytest.mark.parametrize(
    ("name", "record", "reason", "detail"),
    [
        ("a.jpg", None, "bad record", "a.jpg"),
        ("a.jpg", {"frames": [FRAME]}, "bad record", "verb"),
        ("a.jpg", situation(frames=[]), "bad record", "frames"),
        ("a.jpg", situation(frames=[FRAME | {"agent": 7}]), "bad record", "frames.0.agent"),
        ("a.jpg", situation(frames=[FRAME, {"agent": ""}]), "bad record", "frames[1] lacks"),
        ("a.jpg", situation(frames=[FRAME | {"tool": ""}]), "unknown role", "'tool' of shouting"),
        ("a.jpg", situation(bb={"agent": [1, 2, 3]}), "bad record", "bb.agent has 3 numbers"),
        ("a.jpg", situation(bb={"tool": [1, 2, 3, 4]}), "unknown role", "in bb"),
        ("a.jpg", situation(bb=BOXES, width=0), "bad record", "width"),
        ("a.jpg", situation(verb="whispering"), "unknown verb", "whispering"),
        ("a.jpg", situation(frames=[FRAME | {"agent": "n1"}]), "unknown noun", "n1 (a.jpg)"),
        ("../a.jpg", situation(), "bad record", "climbs out"),
    ],
)
def test_broken_image_is_refused_and_the_others_are_read(write, name, record, reason, detail):
    frames, (reject,) = read_all(write(**{name: record, "good.jpg": situation()}))
    assert [frame.id for frame in frames] == ["good.jpg"]
    assert (reject.id, reject.reason) == (name, reason)
    assert detail in reject.detail


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "breaks off"),
        ("frames", "is not JSON"),
        ("[]", "another shape"),
        ("{}", "another shape"),
        (json.dumps(SPACE), "another shape"),
        (json.dumps({"dataset": "x", "images": [{"verb": "shouting"}]}), "another shape"),
    ],
)
def test_wrong_file_is_one_clear_line(write, content, problem):
    path = write()
    path.write_text(content)
    with pytest.raises(InputError, match=problem) as caught:
        read(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_file_that_breaks_off_later_says_so_while_reading(write):
    path = write(**{f"shouting_{n}.jpg": situation() for n in range(9)})
    path.write_text(path.read_text()[:-40])
    with pytest.raises(InputError, match="breaks off in the middle"):
        read_all(path)


@pytest.mark.parametrize(
    ("space", "problem"),
    [
        ({"verbs": SPACE["verbs"]}, "nouns: Field required"),
        (SPACE | {"verbs": {"shouting": {"abstract": "x"}}}, "verbs.shouting.order"),
        (SPACE | {"nouns": {"n1": {"gloss": "man"}}}, "nouns.n1.gloss"),
    ],
)
def test_wrong_space_is_one_clear_line(write, space, problem):
    path = write(space=space, **{"a.jpg": situation()})
    with pytest.raises(InputError, match=problem):
        read(path)


def test_missing_files_are_named(write, tmp_path):
    path = write(**{"a.jpg": situation()})
    with pytest.raises(InputError, match=r"nowhere\.json: there is no such file"):
        read(tmp_path / "nowhere.json")
    space = (tmp_path / "imsitu_space.json").rename(tmp_path / "space.json")
    with pytest.raises(InputError, match=r"imsitu_space\.json: there is no such file"):
        read(path)
    assert len(read_all(path, space=space)[0]) == 1


def test_split_must_be_the_files(write):
    path = write("dev.json", **{"a.jpg": situation()})
    assert read_all(path, "val")[0][0].split == "dev"
    with pytest.raises(InputError, match="has no split 'test'"):
        read(path, "test")
    part = write("first_hundred.json", **{"a.jpg": situation()})
    assert read_all(part, "test")[0][0].split == "test"


def test_sample_world_is_read_whole():
    for split in ("train", "dev", "test"):
        frames, refused = read_all(SAMPLE / f"{split}.json")
        assert frames
        assert not refused
        assert {(frame.dataset, frame.split) for frame in frames} == {("swig", split)}


def test_published_files_are_read_whole(shared_data):
    counts = {}
    for split in ("train", "dev", "test"):
        frames, refused = read_all(shared_data / "imsitu" / f"{split}.json")
        assert not refused
        assert all(len(role.fillers) == 3 for frame in frames for role in frame.roles)
        counts[split] = len(frames)
    assert counts == {"train": 889, "dev": 903, "test": 908}
