"""The machine-readable side of a release: `manifest.json` and where everything lies.

It holds no time and no path of the machine, so that equal builds give equal bytes.
"""

import json
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pipeline.balancing.divergence import histogram_distance
from pipeline.balancing.statistics import Statistics, class_histograms, describe
from pipeline.errors import InputError
from pipeline.instance import Instance
from pipeline.releasing.builds import NAME, FunnelStep

MANIFEST = "manifest.json"
CARD = "README.md"


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FileEntry(_Model):
    """What a file must be."""

    sha256: str
    bytes: int


class VoteFigures(_Model):
    """What annotators said (VALSE, section 4.4).

    Attributes:
        judged: Pairs with votes.
        valid: Pairs for which at least two annotators chose the caption and not the foil.
        unanimous: Pairs for which at least three did.
        valid_class_divergence: Jensen-Shannon distance of the classes of valid pairs, 0 to 1;
            None where there are none.
    """

    judged: int
    valid: int
    unanimous: int
    valid_class_divergence: float | None


class InstrumentEntry(_Model):
    """One instrument of a release.

    Attributes:
        imported_from: Name of VALSE's file that it was imported from, or an empty text.
        count: Pairs in the Parquet file.
        same_texts: Pairs whose caption and foil are the same text; some published pairs are.
        rejected_instances: Rows of `rejected/<name>/instances.parquet`.
        refused_sources: Rows of `rejected/<name>/sources.parquet`.
    """

    name: str = Field(pattern=NAME)
    piece: str
    fingerprint: str
    sources: list[str]
    imported_from: str
    images_embedded: bool
    count: int
    same_texts: int
    rejected_instances: int
    refused_sources: int
    recipe: dict[str, Any]
    funnel: list[FunnelStep]
    statistics: Statistics
    votes: VoteFigures | None


class Manifest(_Model):
    """The content of `manifest.json`; the first instrument is the default configuration."""

    format: Literal[1] = 1
    tool: Literal["valse-foils"] = "valse-foils"
    tool_version: str
    instruments: list[InstrumentEntry] = Field(min_length=1)
    files: dict[str, FileEntry]

    def instrument(self, name: str) -> InstrumentEntry:
        """The entry of this name, which must be there."""
        return next(entry for entry in self.instruments if entry.name == name)


def data_file(instrument: str) -> str:
    """Where the pairs of an instrument lie in a release."""
    return f"{instrument}/test-00000-of-00001.parquet"


def rejected_file(instrument: str) -> str:
    """Where the rejected instances lie."""
    return f"rejected/{instrument}/instances.parquet"


def refused_file(instrument: str) -> str:
    """Where the refused source records lie."""
    return f"rejected/{instrument}/sources.parquet"


def figure_file(instrument: str, counted: str, suffix: str) -> str:
    """Where the frequency figure of classes or words lies."""
    ending = "" if counted == "classes" else f".{counted}"
    return f"figures/{instrument}{ending}.{suffix}"


def instrument_files(instrument: str) -> list[str]:
    """All files that a release has for an instrument."""
    figures = [
        figure_file(instrument, counted, suffix)
        for counted in ("classes", "words")
        for suffix in ("png", "svg")
    ]
    return [data_file(instrument), rejected_file(instrument), refused_file(instrument), *figures]


def measured(instances: Sequence[Instance]) -> dict[str, Any]:
    """The fields of an `InstrumentEntry` that follow from its pairs alone."""
    return {
        "count": len(instances),
        "same_texts": sum(instance.caption == instance.foil for instance in instances),
        "statistics": describe(instances),
        "votes": _vote_figures(instances),
    }


def tool_version() -> str:
    """The version of this tool as installed, or "unknown" when it runs without being installed."""
    try:
        return version("valse-foils")
    except PackageNotFoundError:
        return "unknown"


def read_manifest(release: Path) -> Manifest:
    """Read and check `manifest.json`.

    Raises:
        InputError: The folder is not a release, or its manifest cannot be used.
    """
    path = release / MANIFEST
    if not release.is_dir():
        raise InputError("there is no such folder", where=release)
    try:
        return Manifest.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise InputError(
            f"is not a release (it has no {MANIFEST})",
            where=release,
            remedy="`foils release` makes one from a build.",
        ) from None
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise InputError(f"field '{field}' is wrong ({first['msg']})", where=path) from error
    except (ValueError, RecursionError, OSError) as error:
        raise InputError(f"cannot be read ({error})", where=path) from error


def _vote_figures(instances: Sequence[Instance]) -> VoteFigures | None:
    judged = [instance.votes for instance in instances if instance.votes is not None]
    if not judged:
        return None
    valid = [i for i in instances if i.votes is not None and i.votes.caption >= 2]
    captions, foils = class_histograms(valid)
    return VoteFigures(
        judged=len(judged),
        valid=len(valid),
        unanimous=sum(votes.caption >= 3 for votes in judged),
        valid_class_divergence=histogram_distance(captions, foils) if captions and foils else None,
    )
