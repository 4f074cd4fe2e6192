"""The record: rows, identifiers, and where caption and foil differ."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.instance import (
    Edit,
    ImageRef,
    Instance,
    Provenance,
    Score,
    SourceRef,
    Verdict,
    Votes,
    find_edit,
    from_table,
    instance_id,
    to_table,
)

SOURCE = SourceRef("visual7w", "test", "7", "How many dogs are there? 2.")


def make(caption="There are dogs.", foil="There are no dogs.", **changes) -> Instance:
    edit = find_edit(caption, foil, ["2"], ["0"])
    fields = {
        "id": instance_id(SOURCE, "existence", caption, foil, edit),
        "piece": "existence",
        "instrument": "existence",
        "image": ImageRef("visual7w", "v7w_1.jpg", "test"),
        "caption": caption,
        "foil": foil,
        "edit": edit,
        "source": SOURCE,
        "provenance": Provenance("existence", 1, 0),
    }
    return Instance(**fields | changes)


@pytest.mark.parametrize(
    ("caption", "foil", "in_caption", "in_foil"),
    [
        ("There are dogs.", "There are no dogs.", "", "no "),
        ("There is a dog.", "There is no dog.", "a", "no"),
        ("exactly 12 cars", "exactly 2 cars", "12", "2"),
        ("exactly 3 horses.", "exactly 1 horse.", "3 horses", "1 horse"),
        ("A cat sits on it.", "A cat sits in it.", "on", "in"),
        ("the same", "the same", "", ""),
    ],
)
def test_the_edit_covers_whole_words_and_nothing_else(caption, foil, in_caption, in_foil):
    edit = find_edit(caption, foil)
    assert caption[edit.caption_start : edit.caption_end] == in_caption
    assert foil[edit.foil_start : edit.foil_end] == in_foil


@settings(max_examples=200, deadline=None)
@given(st.text("ab .", max_size=12), st.text("ab .", max_size=12))
def test_texts_agree_outside_the_edit(caption, foil):
    edit = find_edit(caption, foil)
    assert caption[: edit.caption_start] == foil[: edit.foil_start]
    assert caption[edit.caption_end :] == foil[edit.foil_end :]
    assert edit.caption_start <= edit.caption_end
    assert edit.foil_start <= edit.foil_end


def test_an_instance_survives_its_arrow_row():
    full = make(
        scores=(Score("grammaticality", 0.9, "abc"),),
        verdicts=(Verdict("identity", True), Verdict("balance", False, "class cap")),
        votes=Votes(3, 0),
        imported='{"key": "x"}',
    )
    assert from_table(to_table([full, make()])) == [full, make()]


def test_the_id_depends_on_source_instrument_and_edit():
    edit = Edit(10, 10, 10, 13, ("2",), ("0",))
    arguments = (SOURCE, "existence", "There are dogs.", "There are no dogs.", edit)
    identifier = instance_id(*arguments)
    assert len(identifier) == 16
    assert identifier == instance_id(*arguments)
    assert identifier != instance_id(SOURCE, "counting", *arguments[2:])
    assert identifier != instance_id(SourceRef("coco", "test", "7", ""), *arguments[1:])


def test_the_first_rejecting_verdict_is_the_rejection():
    judged = make().judged(Verdict("identity", True), Verdict("balance", False, "class cap"))
    assert not judged.kept
    assert judged.rejection == "balance: class cap"
    assert make().kept
    assert make().rejection == ""
