"""Whose texts and images a release uses: licences and citations from `data/sources.toml`."""

import tomllib
from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict

from pipeline import DATA

VALSE = "valse"


class Credit(BaseModel):
    """What is known about one source data set.

    Attributes:
        license: The identifier that dataset hubs use.
        texts: The licence of its texts, in words.
        images: The licence of its images, in words.
        citation: BibTeX.
        file: Which of its files `foils build --source` takes.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    url: str = ""
    license: str = "unknown"
    texts: str = "not recorded"
    images: str = "not recorded"
    citation: str = ""
    file: str = ""


def credits_of(names: Iterable[str]) -> list[Credit]:
    """The credits of data sets, each once; one that is not in the table is named as it is."""
    known = read_credits()
    return [known.get(name, Credit(title=name)) for name in dict.fromkeys(names)]


def read_credits() -> dict[str, Credit]:
    """Name of a data set -> its credit."""
    content = tomllib.loads((DATA / "sources.toml").read_text(encoding="utf-8"))
    return {
        name: Credit.model_validate(fields | {"citation": fields["citation"].strip()})
        for name, fields in content.items()
    }
