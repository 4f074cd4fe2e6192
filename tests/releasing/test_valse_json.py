"""VALSE's JSON goes through instances and Arrow and comes back as it was."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.errors import InputError
from pipeline.instance import Score, Votes, from_table, to_table
from pipeline.releasing.valse_formats import FORMATS
from pipeline.releasing.valse_json import read_valse_json, write_valse_json
from pipeline.releasing.valse_record import from_record, to_record
from tests.releasing.small_builds import make_instance
from tests.releasing.valse_records import COREFERENCE, COUNTING, EXISTENCE, PLURALS, written


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (EXISTENCE, "a list of foil classes"),
        (EXISTENCE | {"classes_foil": []}, "an empty list of foil classes"),
        (PLURALS, "scores and a method"),
        (PLURALS | {"classes_foil": False}, "a boolean class"),
        (PLURALS | {"dataset_idx": "0295305"}, "an index that is no plain number"),
        (PLURALS | {"foil_method": None}, "a field that is null"),
        (PLURALS | {"grammaticality_scores": [1]}, "an integer where floats stand"),
        (PLURALS | {"grammaticality_scores": [0.1, 0.2]}, "two scores"),
        (PLURALS | {"nli_scores": PLURALS["nli_scores"] | {"pred": ["entail"]}}, "another label"),
        (PLURALS | {"nli_scores": "lost"}, "scores that are a text"),
        (COREFERENCE, "no index"),
        (COREFERENCE | {"mturk": None}, "votes that are null"),
        (COUNTING | {"caption": "There are exactly 0 cars."}, "caption and foil the same"),
        ({name: COUNTING[name] for name in reversed(COUNTING)}, "another order of fields"),
        (COUNTING | {"mturk": {"other": 1, "caption": 2, "foil": 0, "x": 1}}, "other votes"),
        (COUNTING | {"note": {"nested": [1, 1.0, "é", None]}}, "a field unknown to VALSE"),
    ],
)
def test_a_record_comes_back_as_it_was(record: dict, why: str, tmp_path: Path) -> None:
    file = written(tmp_path / "file.json", {"some key": record})
    instances = from_table(to_table(read_valse_json(file)))
    write_valse_json(instances, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text() == file.read_text(), why


@given(
    st.dictionaries(
        st.sampled_from([*PLURALS, "answer", "key", "unknown"]).filter(
            lambda name: name not in ("dataset", "image_file", "caption", "foil", "mturk")
        ),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text("ab"),
            lambda inner: st.lists(inner, max_size=2),
            max_leaves=3,
        ),
    )
)
@settings(max_examples=60, deadline=None)
def test_whatever_the_other_fields_hold_comes_back(fields: dict) -> None:
    typed = {"linguistic_phenomena": "plurals", "original_split": "val", "dataset_idx": 3}
    record = PLURALS | fields | {name: value for name, value in typed.items() if name in fields}
    key, again = to_record(from_record("k", record, "plurality", "plurality"))
    assert (key, json.dumps(again)) == ("k", json.dumps(record))


def test_the_published_files_come_back_byte_for_byte(shared_data: Path, tmp_path: Path) -> None:
    files = sorted((shared_data / "valse").glob("*.json"))
    assert len(files) == 11
    ids = []
    for file in files:
        instances = from_table(to_table(read_valse_json(file)))
        assert {FORMATS[i.instrument].file for i in instances} == {file.stem}
        write_valse_json(instances, tmp_path / file.name)
        assert (tmp_path / file.name).read_bytes() == file.read_bytes()
        ids += [instance.id for instance in instances]
    assert len(set(ids)) == len(ids)


def test_the_instrument_follows_from_the_content_too(shared_data: Path, tmp_path: Path) -> None:
    for file in sorted((shared_data / "valse").glob("*.json")):
        copy = tmp_path / "download.json"
        copy.write_bytes(file.read_bytes())
        assert FORMATS[read_valse_json(copy)[0].instrument].file == file.stem


def test_a_file_may_have_our_name_of_the_instrument(tmp_path: Path) -> None:
    file = written(tmp_path / "counting-balanced.json", {"k": COUNTING})
    assert read_valse_json(file)[0].instrument == "counting-balanced"


def test_votes_are_read_and_their_change_is_written() -> None:
    instance = from_record("k", COUNTING, "counting-adversarial", "counting")
    assert instance.votes == Votes(caption=2, foil=0, cannot_tell=1)
    voted = replace(instance, votes=Votes(caption=1, foil=0, both=1, neither=1))
    assert to_record(voted)[1] == COUNTING | {"mturk": {"foil": 1, "caption": 1, "other": 1}}
    assert to_record(replace(instance, votes=None))[1].keys() == COUNTING.keys() - {"mturk"}


def test_later_scores_and_texts_are_written_instead_of_the_published_ones() -> None:
    record = PLURALS | {"nli_scores": PLURALS["nli_scores"] | {"pred": ["neutral"]}}
    instance = from_record("k", record, "plurality", "plurality")
    assert to_record(instance)[1] == record
    again = instance.scored(Score("nli_entail", 0.99, "mine"), Score("grammaticality", 0.5, "mine"))
    changed = to_record(replace(again, foil="Some rows."))[1]
    assert changed["nli_scores"]["entail"] == [0.99]
    assert changed["nli_scores"]["pred"] == ["entail"]
    assert changed["grammaticality_scores"] == [0.5]
    assert changed["foil"] == "Some rows."


def test_our_own_instance_is_written_as_valse_writes_them() -> None:
    instance = make_instance(3, "There are no people.", "There are people.")
    key, record = to_record(replace(instance, votes=Votes(caption=3, foil=0)))
    assert key == f"existence:visual7w:{instance.id}"
    assert record == {
        "dataset": "visual7w",
        "dataset_idx": "3",
        "image_file": "v7w_3.jpg",
        "linguistic_phenomena": "existence",
        "caption": "There are no people.",
        "answer": 0,
        "classes": 0,
        "split": "test",
        "original_split": "test",
        "classes_foil": [1],
        "mturk": {"foil": 0, "caption": 3, "other": 0},
        "foil": "There are people.",
        "foil_method": "existence",
        "grammaticality_scores": [0.9],
    }


def test_scripts_written_for_valse_read_our_file(tmp_path: Path) -> None:
    instances = [make_instance(n, "There are no cats.", "There are cats.") for n in range(3)]
    votes = [Votes(caption=3, foil=0), Votes(caption=1, foil=2), Votes(caption=2, foil=1)]
    judged = [replace(i, votes=v) for i, v in zip(instances, votes, strict=True)]
    write_valse_json(judged, tmp_path / "existence.json")
    # This is how VALSE's and later evaluation scripts read a file.
    data = json.loads((tmp_path / "existence.json").read_text())
    valid = {key: foil for key, foil in data.items() if foil["mturk"]["caption"] >= 2}
    assert [foil["image_file"] for foil in valid.values()] == ["v7w_0.jpg", "v7w_2.jpg"]
    assert all(foil["caption"] != foil["foil"] for foil in valid.values())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": {"caption": "x"', "is not whole JSON"),
        ("[1, 2]", "is not an object of VALSE records"),
        ("{}", "is not an object of VALSE records"),
        ('{"a": 3}', "record 'a': is not an object with fields"),
        ('{"a": {"x": NaN}}', "NaN is no JSON number"),
        ('{"a": {}, "a": {}}', "'a' occurs twice"),
        ("\ud800", "cannot be read|is not whole JSON"),
        (json.dumps({"a": COUNTING | {"caption": 3}}), "record 'a': field 'caption' is wrong"),
        (json.dumps({"a": COUNTING | {"note": "\ud83d"}}), "record 'a': holds half a Unicode"),
        (
            json.dumps({"a": COUNTING | {"mturk": {"foil": 0, "caption": True, "other": 0}}}),
            "field 'mturk.caption' is wrong",
        ),
        (
            json.dumps({"a": {k: v for k, v in COUNTING.items() if k != "caption"}}),
            "record 'a': field 'caption' is missing",
        ),
    ],
)
def test_a_bad_file_is_refused_in_one_line(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "existence.json"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(InputError, match=message) as caught:
        read_valse_json(file)
    assert str(file) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_equal_keys_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_valse_json(tmp_path / "nothing.json")
    instance = from_record("k", COUNTING, "counting-small", "counting")
    with pytest.raises(InputError, match="two instances have the key 'k'"):
        write_valse_json([instance, instance], tmp_path / "out.json")
    assert not (tmp_path / "out.json").exists()
