"""What COCO's annotation files have in common, and those that were made after them.

Each is one JSON object with lists: `images`, each with `id` and `file_name`, and `annotations`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from pipeline.errors import InputError, Refusal
from pipeline.sources.images import resolve_image
from pipeline.sources.json_stream import events, items, validated
from pipeline.sources.records import Refuse, Reject

_SPLIT = re.compile(r"(?:train|val|test)(?:-dev)?\d*")


class _Image(BaseModel):
    model_config = ConfigDict(strict=True)

    id: int
    file_name: str = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class CocoFile:
    """A file in COCO's format, and what to say of a wrong one.

    Attributes:
        dataset: What rejects of this file are counted under.
        remedy: Which file is wanted.
        id_field: What its annotations are known by.
    """

    path: Path
    dataset: str
    remedy: str
    id_field: str = "id"

    def check(self, *lists: str) -> None:
        """See that the file is there and has these lists.

        Raises:
            InputError: It is missing, no JSON, or of another shape.
        """
        if not self.path.is_file():
            raise InputError("there is no such file", where=self.path, remedy=self.remedy)
        begun = self._first_events(lists)
        for name in lists:
            if begun.get(name) != "start_array":
                raise InputError(
                    f"is JSON of another shape, without a list of '{name}'",
                    where=self.path,
                    remedy=self.remedy,
                )

    def records(self, name: str) -> Iterator[Any]:
        """The records of one list, one at a time.

        Raises:
            InputError: The file breaks off or is no JSON.
        """
        with self.path.open("rb") as file:
            yield from items(file, self.path, f"{name}.item", self.remedy)

    def image_names(self, refuse: Refuse) -> dict[int, str]:
        """Image id -> file name; the images may stand before the annotations or after them."""
        names = {}
        for index, record in enumerate(self.records("images")):
            try:
                image = validated(_Image, record)
                _check_image_name(image.file_name)
            except Refusal as refusal:
                refuse(self.reject(record, f"images[{index}]", refusal))
                continue
            names[image.id] = image.file_name
        return names

    def reject(self, record: Any, place: str, refusal: Refusal) -> Reject:
        """The refused record with its place, which stands for its id where it has none."""
        fields = record if isinstance(record, dict) else {}
        number = fields.get(self.id_field, fields.get("id"))
        text = fields.get("caption")
        return Reject(
            self.dataset,
            place if number is None else str(number),
            text if isinstance(text, str) else "",
            refusal.reason,
            f"{refusal.detail} ({place})" if refusal.detail else place,
        )

    def split(self, wanted: str | None) -> str:
        """The split that the file's name tells ("val2017" in captions_val2017.json).

        Where the name tells none it is `wanted`, or empty. "val" is taken for any year's.

        Raises:
            InputError: The name tells another split.
        """
        told = split_in(self.path.name)
        if not told:
            return wanted or ""
        if wanted not in (None, told, told.rstrip("0123456789")):
            remedy = f"Its name says '{told}'."
            raise InputError(f"has no split '{wanted}'", where=self.path, remedy=remedy)
        return told

    def _first_events(self, names: tuple[str, ...]) -> dict[str, str]:
        """How the lists begin, read as far as the last of them."""
        begun: dict[str, str] = {}
        with self.path.open("rb") as file:
            for prefix, event, _ in events(file, self.path, self.remedy):
                if prefix == "" and event not in ("start_map", "map_key", "end_map"):
                    break
                if prefix in names:
                    begun.setdefault(prefix, event)
                if len(begun) == len(names):
                    break
        return begun


def split_in(file_name: str) -> str:
    """The split that a name tells, or an empty text.

    >>> split_in("COCO_val2014_000000000042.jpg")
    'val2014'
    """
    told = _SPLIT.search(file_name)
    return told[0] if told else ""


def _check_image_name(name: str) -> None:
    try:
        resolve_image(Path(), name)
    except InputError as error:
        raise Refusal("bad record", f"file_name {name!r}: {error.problem}") from None
