"""VisDial (Das et al., CVPR 2017), v1.0 and v0.9: captions with ten questions and answers.

The file is an official `visdial_<version>_<split>.json`: `version`, `split` and `data`, which has
the pools `questions` and `answers` and the `dialogs`, each with `image_id`, `caption` and `dialog`,
whose rounds point into the pools. In the test part of v1.0 the last round's answer is withheld.
"""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from pipeline.errors import InputError, Refusal
from pipeline.instance import ImageRef
from pipeline.sources import COMPANIONS
from pipeline.sources.coco_format import CocoFile
from pipeline.sources.json_stream import events, items, validated
from pipeline.sources.records import Dialogue, Refuse, Reject, Round, log_refusal

logger = logging.getLogger(__name__)

DATASET = "visdial"
_REMEDY = "Give visdial_1.0_train.json, visdial_1.0_val.json or another official file of VisDial."
_CAPTIONS_REMEDY = "Give COCO's captions_val2014.json."
_SPLITS = ("train", "val", "test")
_POOLS = {"questions": "data.questions", "answers": "data.answers"}
_DIALOGS = "data.dialogs"
_HEADER = ("version", "split")
_ImageOf = Callable[[int], ImageRef]


class _Round(BaseModel):
    model_config = ConfigDict(strict=True)

    question: int = Field(ge=0)
    answer: int | None = Field(None, ge=0)


class _Dialog(BaseModel):
    model_config = ConfigDict(strict=True)

    image_id: int = Field(ge=0)
    caption: str = Field(min_length=1)
    dialog: list[_Round] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class _Contents:
    """What the file says outside the dialogs."""

    version: str
    split: str
    questions: list[str]
    answers: list[str]


def read(
    path: Path,
    split: str | None = None,
    *,
    refuse: Refuse = log_refusal,
    captions: Path | None = None,
) -> Iterator[Dialogue]:
    """Stream the dialogs in file order; the pools are held in memory, wherever they stand.

    `refuse` gets every dialog that is left out, whole, with the reason "bad record": a field is
    missing or wrong, or a round points outside the pools.

    Args:
        split: "train", "val" or "test", to make sure of the file; "val2018" is taken for "val".
        captions: COCO's captions_val2014.json. The images of v1.0's train part are COCO's of
            train2014 and val2014, and only that file tells which ones are of val2014; without it,
            all are named as in train2014. None takes the one beside the file, if there is one.

    Raises:
        InputError: The file is missing or broken, is another data set, or another split. What is
            wrong outside the dialogs is raised at once, the rest while reading.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError("there is no such file", where=path, remedy=_REMEDY)
    contents = _read_contents(path)
    if split is not None and _plain_split(split) != contents.split:
        remedy = f"It says '{contents.split}'."
        raise InputError(f"has no split '{split}'", where=path, remedy=remedy)
    return _dialogues(path, contents, _image_finder(path, contents, captions), refuse)


def _dialogues(
    path: Path, contents: _Contents, image_of: _ImageOf, refuse: Refuse
) -> Iterator[Dialogue]:
    with path.open("rb") as file:
        for index, record in enumerate(items(file, path, f"{_DIALOGS}.item", _REMEDY)):
            try:
                yield _dialogue(record, contents, image_of)
            except Refusal as refusal:
                refuse(_reject(record, f"dialogs[{index}]", refusal))


def _dialogue(record: Any, contents: _Contents, image_of: _ImageOf) -> Dialogue:
    """The dialog of one image.

    Raises:
        Refusal: The record is broken or points outside the pools.
    """
    dialog = validated(_Dialog, record)
    rounds = []
    for place, turn in enumerate(dialog.dialog):
        question = _pooled(contents.questions, turn.question, f"dialog.{place}.question")
        answer = "" if turn.answer is None else turn.answer
        if isinstance(answer, int):
            answer = _pooled(contents.answers, answer, f"dialog.{place}.answer")
        rounds.append(Round(question, answer))
    return Dialogue(
        dataset=DATASET,
        split=contents.split,
        id=str(dialog.image_id),
        image=image_of(dialog.image_id),
        caption=" ".join(dialog.caption.split()),
        rounds=tuple(rounds),
    )


def _pooled(pool: list[str], index: int, field: str) -> str:
    if index >= len(pool):
        raise Refusal("bad record", f"{field}: {index} is outside a pool of {len(pool)}")
    return pool[index]


def _reject(record: Any, place: str, refusal: Refusal) -> Reject:
    fields = record if isinstance(record, dict) else {}
    number, text = fields.get("image_id"), fields.get("caption")
    return Reject(
        DATASET,
        place if number is None else str(number),
        text if isinstance(text, str) else "",
        refusal.reason,
        f"{refusal.detail} ({place})",
    )


def _image_finder(path: Path, contents: _Contents, captions: Path | None) -> _ImageOf:
    """Where the images of the file are: image id -> image."""
    if contents.version != "0.9" and contents.split != "train":
        return partial(_own_image, contents.split)
    if contents.version == "0.9":
        return partial(_coco_image, f"{contents.split}2014")
    beside = COMPANIONS[DATASET].find(path)
    captions = captions or (beside if beside.is_file() else None)
    if captions is None:
        logger.warning("%s is not there, so all images are named as in train2014", beside)
        return partial(_coco_image, "train2014")
    annotations = CocoFile(captions, "coco", _CAPTIONS_REMEDY)
    annotations.check("images")
    of_val = frozenset(annotations.image_names(log_refusal))
    return lambda number: _coco_image("val2014" if number in of_val else "train2014", number)


def _own_image(split: str, number: int) -> ImageRef:
    return ImageRef(DATASET, f"VisualDialog_{split}2018_{number:012d}.jpg", split)


def _coco_image(split: str, number: int) -> ImageRef:
    return ImageRef("coco", f"COCO_{split}_{number:012d}.jpg", split)


def _read_contents(path: Path) -> _Contents:
    """Read everything but the dialogs.

    Raises:
        InputError: It is no JSON, or JSON without dialogs and both pools.
    """
    found = _before_dialogs(path)
    for name, place in _POOLS.items():
        if name not in found:
            found[name] = list(_values(path, f"{place}.item"))
    for name in _HEADER:
        if name not in found:
            found[name] = next(_values(path, name), "")
    for name in _POOLS:
        if not found[name] or not all(isinstance(text, str) for text in found[name]):
            problem = f"is JSON of another shape, without texts in data.{name}"
            raise InputError(problem, where=path, remedy=_REMEDY)
    split = _plain_split(str(found["split"])) or _plain_split(path.stem.rpartition("_")[2])
    if split not in _SPLITS:
        problem = f"says that its split is {found['split']!r}, which VisDial has not"
        raise InputError(problem, where=path, remedy=_REMEDY)
    return _Contents(str(found["version"]), split, found["questions"], found["answers"])


def _before_dialogs(path: Path) -> dict[str, Any]:
    """What stands before the dialogs, as in the official files everything does.

    Raises:
        InputError: It is no JSON, or JSON without dialogs.
    """
    found: dict[str, Any] = {}
    places = {f"{place}.item": name for name, place in _POOLS.items()}
    with path.open("rb") as file:
        for prefix, event, value in events(file, path, _REMEDY):
            if prefix == _DIALOGS and event == "start_array":
                return found
            if prefix == "" and event not in ("start_map", "map_key", "end_map"):
                break
            if prefix in places:
                found.setdefault(places[prefix], []).append(value)
            elif prefix in _HEADER:
                found[prefix] = value
    raise InputError("is JSON of another shape, without dialogs", where=path, remedy=_REMEDY)


def _values(path: Path, prefix: str) -> Iterator[Any]:
    with path.open("rb") as file:
        yield from items(file, path, prefix, _REMEDY)


def _plain_split(split: str) -> str:
    """Drop the year: "val2018" -> "val"."""
    return split.lower().rstrip("0123456789")
