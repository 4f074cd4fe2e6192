"""The recipes of instruments: one TOML file each, checked before anything runs."""

import tomllib
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pipeline import DATA
from pipeline.errors import InputError
from pipeline.registry import unknown_name

PIECES = DATA / "pieces"


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Step(BaseModel):
    """A registered function with its options: whatever stands beside `name`."""

    model_config = ConfigDict(extra="allow", frozen=True)

    name: str

    @property
    def options(self) -> dict[str, Any]:
        """Keyword arguments for the function."""
        return dict(self.model_extra or {})


class SourceRecipe(_Section):
    """Which data set is read; without a split, all of it."""

    name: str
    split: str | None = None


class BalanceRecipe(_Step):
    """Which selection method draws how many instances at most."""

    name: str = Field(alias="method")
    size: int | None = Field(default=None, ge=1)


class CardRecipe(_Section):
    """What the dataset card says about this instrument."""

    title: str
    summary: str
    notice: str = ""


class Recipe(_Section):
    """How one instrument is made; see `data/pieces/` for the files and where thresholds come from.

    Attributes:
        version: Raised when the recipe changes what it means.
        seed: Seeds every draw.
    """

    piece: str
    instrument: str = Field(pattern=r"^[a-z0-9-]+$")
    version: int = Field(ge=1)
    seed: int = 2022
    source: SourceRecipe
    foiling: _Step
    filters: tuple[_Step, ...] = ()
    balance: BalanceRecipe
    card: CardRecipe


def instruments() -> list[str]:
    """The names of all instruments that there is a recipe for."""
    return sorted(path.stem for path in PIECES.glob("*.toml"))


def find_recipes(name: str) -> list[Recipe]:
    """The recipes of a piece ("counting"), of one instrument, or of a TOML file by its path.

    Raises:
        InputError: Nothing has this name, or the file is not a recipe.
    """
    if name.endswith(".toml"):
        return [read_recipe(Path(name))]
    recipes = [read_recipe(PIECES / f"{instrument}.toml") for instrument in instruments()]
    found = [r for r in recipes if r.instrument == name] or [r for r in recipes if r.piece == name]
    if not found:
        names = sorted({r.piece for r in recipes} | {r.instrument for r in recipes})
        raise unknown_name("piece or instrument", name, names)
    return found


def read_recipe(path: Path) -> Recipe:
    """Read and check one recipe.

    Raises:
        InputError: The file is missing, is not TOML, or a field is missing, unknown or wrong.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, IsADirectoryError):
        raise InputError(
            "there is no such file", where=path, remedy="`foils pieces` lists the recipes."
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"is not TOML ({error})", where=path) from None
    try:
        return Recipe.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"])
        raise InputError(f"{place}: {first['msg']}", where=path) from None
