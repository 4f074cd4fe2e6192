"""Recipes: all of ours are sound, and mistakes in one are named."""

import pytest

from pipeline.errors import InputError
from pipeline.foiling.stage import check_foiling
from pipeline.pieces import PIECES, find_recipes, instruments, read_recipe

EXISTENCE = (PIECES / "existence.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("instrument", instruments())
def test_every_recipe_can_run_and_is_named_as_its_file(instrument):
    (recipe,) = find_recipes(instrument)
    assert recipe.instrument == instrument
    check_foiling(recipe)


def test_a_piece_names_all_its_instruments():
    names = {recipe.instrument for recipe in find_recipes("counting")}
    assert names == {"counting-adversarial", "counting-balanced", "counting-small"}


def test_an_unknown_piece_is_answered_with_the_nearest():
    with pytest.raises(InputError, match="Did you mean existence"):
        find_recipes("existance")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("version = 1", "", "version: Field required"),
        ("version = 1", "version = 0", "version: Input should be greater than or equal to 1"),
        ("size = 534", "sizes = 0\nsize = -1", r"balance\.size"),
        ('[source]\nname = "visual7w"', "[source]", r"source\.name: Field required"),
        ("version = 1", "version = ", "is not TOML"),
        ("version = 1", "version = 1\ncolour = 2", "colour: Extra inputs"),
    ],
)
def test_a_mistake_in_a_recipe_is_named(tmp_path, old, new, message):
    path = tmp_path / "mine.toml"
    assert old in EXISTENCE
    path.write_text(EXISTENCE.replace(old, new))
    with pytest.raises(InputError, match=message) as caught:
        read_recipe(path)
    assert str(caught.value).startswith(str(path))


def test_a_missing_recipe_file_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match="there is no such file"):
        find_recipes(str(tmp_path / "none.toml"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[foiling]", "[foiling]\ncolour = 1", "has no option 'colour'"),
        ('[foiling]\nname = "existence"', '[foiling]\nname = "counting"', "needs the option"),
        ('[foiling]\nname = "existence"', '[foiling]\nname = "existense"', "Did you mean"),
        ('[source]\nname = "visual7w"', '[source]\nname = "visual8w"', "Did you mean visual7w"),
    ],
)
def test_a_chain_that_does_not_fit_is_refused_before_it_runs(tmp_path, old, new, message):
    path = tmp_path / "mine.toml"
    assert old in EXISTENCE
    path.write_text(EXISTENCE.replace(old, new))
    with pytest.raises(InputError, match=message):
        check_foiling(read_recipe(path))
