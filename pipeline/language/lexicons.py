"""The word lists of data/lexicons, read once each."""

from functools import cache

from pipeline import DATA
from pipeline.errors import InputError


@cache
def entries(name: str) -> tuple[str, ...]:
    """The lines of the lexicon `name`, in file order, without comments and empty lines.

    Raises:
        InputError: There is no lexicon of this name, which means that the installation is broken.
    """
    path = DATA / "lexicons" / f"{name}.txt"
    if not path.is_file():
        raise InputError(
            "this word list is missing", where=path, remedy="Install the project again: make setup."
        )
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))


@cache
def words(name: str) -> frozenset[str]:
    """The entries of a lexicon that lists one word or phrase a line."""
    return frozenset(entries(name))


@cache
def pairs(name: str) -> dict[str, str]:
    """The entries of a lexicon that has two words a line, first -> second. Do not change it."""
    return {line.split()[0]: line.split()[1] for line in entries(name)}
