"""The record that travels through every stage, and its Arrow schema.

Terms are those of VALSE (Parcalabescu et al., ACL 2022): an *instance* is an image with a caption
and a foil; a *piece* tests one linguistic phenomenon and has one or more *instruments*.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa


@dataclass(frozen=True, slots=True)
class ImageRef:
    """Which image, never its bytes. `file_name` is relative to the data set's image folder."""

    dataset: str
    file_name: str
    split: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """What differs: half-open character spans in caption and foil, and the classes swapped.

    `classes` and `classes_foil` are VALSE's fields of these names (the number, the preposition,
    the noun ...), always as text and always as a tuple.
    """

    caption_start: int
    caption_end: int
    foil_start: int
    foil_end: int
    classes: tuple[str, ...]
    classes_foil: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SourceRef:
    """The record of the source data set that the instance was made from, with its original text."""

    dataset: str
    split: str
    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Score:
    """One figure about the pair, and the checkpoint that gave it."""

    name: str
    value: float
    checkpoint: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one filter or selection step said. `reason` is empty where it keeps the instance."""

    filter: str
    keep: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Votes:
    """How many annotators said that the image shows the caption, the foil, both, neither ..."""

    caption: int
    foil: int
    both: int = 0
    neither: int = 0
    cannot_tell: int = 0


@dataclass(frozen=True, slots=True)
class Provenance:
    """Which function made the foil, in which version, from which seed."""

    function: str
    version: int
    seed: int


@dataclass(frozen=True, slots=True)
class Instance:
    """An image, a caption that is true of it and a foil that is not.

    Attributes:
        id: 16 hexadecimal digits, stable across runs (see `instance_id`).
        imported: JSON of those fields of an imported record that have no place here, so that
            exporting gives the published record back; empty for instances made here.
    """

    id: str
    piece: str
    instrument: str
    image: ImageRef
    caption: str
    foil: str
    edit: Edit
    source: SourceRef
    provenance: Provenance
    scores: tuple[Score, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    votes: Votes | None = None
    imported: str = ""

    def judged(self, *verdicts: Verdict) -> "Instance":
        """The same instance with more verdicts."""
        return replace(self, verdicts=self.verdicts + verdicts)

    def scored(self, *scores: Score) -> "Instance":
        """The same instance with more scores."""
        return replace(self, scores=self.scores + scores)

    def score(self, name: str) -> float:
        """The value of the latest score of this name.

        Raises:
            KeyError: There is none.
        """
        values = [score.value for score in self.scores if score.name == name]
        if not values:
            raise KeyError(name)
        return values[-1]

    @property
    def kept(self) -> bool:
        """Whether no filter has rejected it."""
        return all(verdict.keep for verdict in self.verdicts)

    @property
    def rejection(self) -> str:
        """The first rejecting filter with its reason ("identity: same text"), or an empty text."""
        return next((f"{v.filter}: {v.reason}" for v in self.verdicts if not v.keep), "")


def instance_id(source: SourceRef, instrument: str, caption: str, foil: str, edit: Edit) -> str:
    """Hash source, source id, instrument and edit into 16 hexadecimal digits."""
    key = [
        source.dataset,
        source.id,
        instrument,
        [edit.caption_start, caption[edit.caption_start : edit.caption_end]],
        [edit.foil_start, foil[edit.foil_start : edit.foil_end]],
        [edit.classes, edit.classes_foil],
    ]
    return hashlib.blake2b(json.dumps(key).encode(), digest_size=8).hexdigest()


def find_edit(
    caption: str, foil: str, classes: Iterable[str] = (), classes_foil: Iterable[str] = ()
) -> Edit:
    """Locate the difference between two texts, widened to whole words.

    The spans cover everything between the longest common prefix and suffix; equal texts give
    empty spans at their end.
    """
    shortest = min(len(caption), len(foil))
    start = next((i for i in range(shortest) if caption[i] != foil[i]), shortest)
    left = shortest - start
    tail = next((i for i in range(left) if caption[-1 - i] != foil[-1 - i]), left)
    while start and _inside_word(caption, start, foil):
        start -= 1
    while tail and (
        caption[len(caption) - tail].isalnum()
        and (_ends_in_word(caption, start, tail) or _ends_in_word(foil, start, tail))
    ):
        tail -= 1
    return Edit(
        start, len(caption) - tail, start, len(foil) - tail, tuple(classes), tuple(classes_foil)
    )


def _inside_word(caption: str, position: int, foil: str) -> bool:
    """Whether a word that both texts share up to `position` goes on after it in either."""
    goes_on = any(text[position : position + 1].isalnum() for text in (caption, foil))
    return goes_on and caption[position - 1].isalnum()


def _ends_in_word(text: str, start: int, tail: int) -> bool:
    """Whether the differing span of `text` ends inside a word that the common tail continues."""
    end = len(text) - tail
    return end > start and text[end - 1].isalnum()


_TEXT_LIST = pa.list_(pa.string())

SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("piece", pa.string()),
        ("instrument", pa.string()),
        ("image_dataset", pa.string()),
        ("image_file", pa.string()),
        ("image_split", pa.string()),
        ("caption", pa.string()),
        ("foil", pa.string()),
        (
            "edit",
            pa.struct(
                [
                    ("caption_start", pa.int32()),
                    ("caption_end", pa.int32()),
                    ("foil_start", pa.int32()),
                    ("foil_end", pa.int32()),
                    ("classes", _TEXT_LIST),
                    ("classes_foil", _TEXT_LIST),
                ]
            ),
        ),
        (
            "source",
            pa.struct([(name, pa.string()) for name in ("dataset", "split", "id", "text")]),
        ),
        (
            "provenance",
            pa.struct([("function", pa.string()), ("version", pa.int32()), ("seed", pa.int64())]),
        ),
        (
            "scores",
            pa.list_(
                pa.struct(
                    [("name", pa.string()), ("value", pa.float64()), ("checkpoint", pa.string())]
                )
            ),
        ),
        (
            "verdicts",
            pa.list_(
                pa.struct([("filter", pa.string()), ("keep", pa.bool_()), ("reason", pa.string())])
            ),
        ),
        (
            "votes",
            pa.struct(
                [
                    (name, pa.int32())
                    for name in ("caption", "foil", "both", "neither", "cannot_tell")
                ]
            ),
        ),
        ("imported", pa.string()),
    ]
)


def to_row(instance: Instance) -> dict[str, Any]:
    """One row of `SCHEMA`."""
    return {
        "id": instance.id,
        "piece": instance.piece,
        "instrument": instance.instrument,
        "image_dataset": instance.image.dataset,
        "image_file": instance.image.file_name,
        "image_split": instance.image.split,
        "caption": instance.caption,
        "foil": instance.foil,
        "edit": _fields(instance.edit),
        "source": _fields(instance.source),
        "provenance": _fields(instance.provenance),
        "scores": [_fields(score) for score in instance.scores],
        "verdicts": [_fields(verdict) for verdict in instance.verdicts],
        "votes": _fields(instance.votes) if instance.votes else None,
        "imported": instance.imported,
    }


def _fields(record: Any) -> dict[str, Any]:
    """A record of plain values as a dictionary; `asdict` copies deeply, at ten times the cost."""
    return {name: getattr(record, name) for name in record.__slots__}


def from_row(row: dict[str, Any]) -> Instance:
    """The instance of one row of `SCHEMA`; columns beyond the schema are left aside."""
    edit = row["edit"]
    return Instance(
        id=row["id"],
        piece=row["piece"],
        instrument=row["instrument"],
        image=ImageRef(row["image_dataset"], row["image_file"], row["image_split"]),
        caption=row["caption"],
        foil=row["foil"],
        edit=Edit(
            **edit
            | {"classes": tuple(edit["classes"]), "classes_foil": tuple(edit["classes_foil"])}
        ),
        source=SourceRef(**row["source"]),
        provenance=Provenance(**row["provenance"]),
        scores=tuple(Score(**score) for score in row["scores"]),
        verdicts=tuple(Verdict(**verdict) for verdict in row["verdicts"]),
        votes=Votes(**row["votes"]) if row["votes"] else None,
        imported=row["imported"],
    )


def to_table(instances: Iterable[Instance]) -> pa.Table:
    """Instances as an Arrow table in `SCHEMA`."""
    return pa.Table.from_pylist([to_row(instance) for instance in instances], schema=SCHEMA)


def from_table(table: pa.Table) -> list[Instance]:
    """The instances of an Arrow table in `SCHEMA`."""
    return [from_row(row) for row in table.to_pylist()]
