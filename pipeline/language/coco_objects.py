"""How captions name the categories of objects in COCO, by the list in data/lexicons."""

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain

from pydantic import BaseModel, ConfigDict

from pipeline import DATA
from pipeline.language.inflection import plural

LEXICON = DATA / "lexicons" / "coco_objects.toml"

_LISTS = ("particular", "near", "open")


class Category(BaseModel):
    """One category of COCO.

    Attributes:
        words: Plain names in the singular, which may be replaced and put in.
        also: Other words that show that such a thing is there.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    supercategory: str
    words: tuple[str, ...]
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The list as a whole.

    Attributes:
        categories: Name -> category.
        near: Name -> those that may pass for it or are part of it; not itself.
        particular: Words before a name that fit few others ("polar").
        names: Words of a name in lower case, singular or plural -> the categories it may mean.
        plain: Those of the names that may be replaced.
    """

    categories: dict[str, Category]
    near: dict[str, frozenset[str]]
    particular: frozenset[str]
    names: dict[tuple[str, ...], frozenset[str]]
    plain: frozenset[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Naming:
    """A name of a thing in a caption: its words from `start` to `end` (exclusive).

    Attributes:
        categories: What it may mean.
        plain: Whether it may be replaced.
    """

    start: int
    end: int
    categories: frozenset[str]
    plain: bool


@cache
def vocabulary() -> Vocabulary:
    """The list, read once."""
    content = tomllib.loads(LEXICON.read_text(encoding="utf-8"))
    categories = {
        name: Category.model_validate(fields)
        for name, fields in content.items()
        if name not in _LISTS
    }
    near: dict[str, set[str]] = defaultdict(set)
    for group in content["near"]:
        for name in group:
            near[name].update(set(group) - {name})
    names: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for word, meant in content["open"].items():
        for form in _forms(word):
            names[form].update(meant)
    for name, category in categories.items():
        for word in (name, *category.words, *category.also):
            for form in _forms(word):
                names[form].add(name)
    words = chain.from_iterable(category.words for category in categories.values())
    return Vocabulary(
        categories,
        {name: frozenset(others) for name, others in near.items()},
        frozenset(content["particular"]),
        {form: frozenset(meant) for form, meant in names.items()},
        frozenset(form for word in words for form in _forms(word) if len(names[form]) == 1),
    )


def namings(words: Sequence[str]) -> Iterator[Naming]:
    """The names of things among a caption's words, the longest where they overlap.

    Names that only modify another noun ("the dog house") are among them.

    Args:
        words: Words and signs in lower case; a hyphen is a sign of its own.
    """
    listed = vocabulary()
    longest = max(map(len, listed.names))
    at = 0
    while at < len(words):
        lengths = range(min(longest, len(words) - at), 0, -1)
        length = next((n for n in lengths if tuple(words[at : at + n]) in listed.names), 0)
        if length:
            name = tuple(words[at : at + length])
            yield Naming(at, at + length, listed.names[name], name in listed.plain)
        at += length or 1


@cache
def words_of_kind(supercategory: str, *, several: bool) -> dict[str, str]:
    """Every plain name of a supercategory in one number -> its category."""
    return {
        plural(word) if several else word: name
        for name, category in vocabulary().categories.items()
        if category.supercategory == supercategory
        for word in category.words
    }


def _forms(word: str) -> list[tuple[str, ...]]:
    """A name in the singular and in the plural, in lower case, cut as the parser cuts words."""
    forms = dict.fromkeys((word.lower(), plural(word).lower()))
    return [tuple(form.replace("-", " - ").split()) for form in forms]
