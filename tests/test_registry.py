"""Names are resolved when asked for, and unknown ones are answered with their neighbours."""

import pytest

from pipeline.errors import InputError
from pipeline.registry import Registry

FUNCTIONS = Registry("function", {"find_edit": "pipeline.instance:find_edit"})


def test_a_name_gives_its_object():
    from pipeline.instance import find_edit

    assert FUNCTIONS["find_edit"] is find_edit
    assert list(FUNCTIONS) == ["find_edit"]
    assert "find_edit" in FUNCTIONS


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("find_edt", "there is no function named 'find_edt'. Did you mean find_edit?"),
        ("zzz", "there is no function named 'zzz'. Known: find_edit."),
    ],
)
def test_an_unknown_name_is_answered_with_what_there_is(name, message):
    with pytest.raises(InputError) as caught:
        FUNCTIONS[name]
    assert str(caught.value) == message
