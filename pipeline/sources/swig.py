"""SWiG (Pratt et al., ECCV 2020) and imSitu (Yatskar et al., CVPR 2016): verbs with their roles.

The file is one of the official `train.json`, `dev.json` and `test.json`: image name -> `verb`,
three `frames` (role -> noun id, empty where the annotator saw none) and, in SWiG, `bb`, `height`
and `width`. The words of nouns and the sentences of verbs stand in `imsitu_space.json`.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pipeline.errors import InputError, Refusal
from pipeline.instance import ImageRef
from pipeline.sources import COMPANIONS
from pipeline.sources.images import resolve_image
from pipeline.sources.json_stream import events, first_error, members, validated
from pipeline.sources.records import Filler, Frame, Refuse, Reject, Role, log_refusal

_REMEDY = "Give train.json, dev.json or test.json of SWiG or imSitu."
_SPACE_REMEDY = "Put the official imsitu_space.json beside the file, or name it."
_SAME_SPLIT = {"val": "dev", "valid": "dev", "validation": "dev"}
_SPLITS = ("train", "dev", "test")
_FIELDS = {"bb", "height", "width", "verb", "frames"}
# Another data set is known by its first objects; its tokens are not read to the end.
_TOKENS_LOOKED_AT = 5000


class _Situation(BaseModel):
    model_config = ConfigDict(strict=True)

    verb: str = Field(min_length=1)
    frames: list[dict[str, str]] = Field(min_length=1)
    bb: dict[str, list[float]] | None = None
    height: int | None = Field(None, ge=1)
    width: int | None = Field(None, ge=1)


class _Verb(BaseModel):
    abstract: str = Field(min_length=1)
    order: list[str] = Field(min_length=1)


class _Noun(BaseModel):
    gloss: list[str] = Field(min_length=1)


class _Space(BaseModel):
    verbs: dict[str, _Verb] = Field(min_length=1)
    nouns: dict[str, _Noun] = Field(min_length=1)


def read(
    path: Path,
    split: str | None = None,
    *,
    refuse: Refuse = log_refusal,
    space: Path | None = None,
) -> Iterator[Frame]:
    """Stream the images' frames, in file order; roles come in the verb's own order.

    The data set is "swig" where the image has boxes and "imsitu" otherwise; the split is the
    file's name. Memory stays constant, but for the space. `refuse` gets every image that is left
    out; reasons are "bad record", "unknown verb", "unknown role" and "unknown noun".

    Args:
        split: "train", "dev" or "test", to make sure of the file; "val" is taken for "dev".
        space: The official imsitu_space.json; None takes the one beside the file.

    Raises:
        InputError: A file is missing or broken, is another data set, or another split. What is
            wrong at the beginning of the file or in the space is raised at once, the rest while
            reading.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError("there is no such file", where=path, remedy=_REMEDY)
    name = _split_of(path, split)
    _check_shape(path)
    return _frames(path, name, _read_space(space or COMPANIONS["swig"].find(path)), refuse)


def _frames(path: Path, split: str, space: _Space, refuse: Refuse) -> Iterator[Frame]:
    with path.open("rb") as file:
        for image, record in members(file, path, remedy=_REMEDY):
            try:
                yield _frame(image, record, split, space)
            except Refusal as refusal:
                verb = record.get("verb") if isinstance(record, dict) else None
                text = verb if isinstance(verb, str) else ""
                detail = f"{refusal.detail} ({image})"
                refuse(Reject(_dataset(record), image, text, refusal.reason, detail))


def _frame(image: str, record: Any, split: str, space: _Space) -> Frame:
    """The frame of one image.

    Raises:
        Refusal: The record is broken or does not fit the space.
    """
    try:
        resolve_image(Path(), image)
    except InputError as error:
        raise Refusal("bad record", error.problem) from None
    situation = validated(_Situation, record)
    verb = space.verbs.get(situation.verb)
    if verb is None:
        raise Refusal("unknown verb", situation.verb)
    _check_roles(situation, verb)
    dataset = _dataset(record)
    return Frame(
        dataset=dataset,
        split=split,
        id=image,
        image=ImageRef(dataset, image, split),
        verb=situation.verb,
        abstract=verb.abstract,
        roles=tuple(
            Role(name, tuple(_filler(frame[name], space) for frame in situation.frames))
            for name in verb.order
        ),
    )


def _check_roles(situation: _Situation, verb: _Verb) -> None:
    order = set(verb.order)
    for index, frame in enumerate(situation.frames):
        for role in sorted(order ^ frame.keys()):
            if role in order:
                raise Refusal("bad record", f"frames[{index}] lacks the role {role!r}")
            raise Refusal("unknown role", f"{role!r} of {situation.verb} in frames[{index}]")
    for role, box in sorted((situation.bb or {}).items()):
        if role not in order:
            raise Refusal("unknown role", f"{role!r} of {situation.verb} in bb")
        if len(box) != 4:
            raise Refusal("bad record", f"bb.{role} has {len(box)} numbers, not 4")


def _filler(noun: str, space: _Space) -> Filler:
    if not noun:
        return Filler("")
    if noun not in space.nouns:
        raise Refusal("unknown noun", noun)
    return Filler(noun, tuple(space.nouns[noun].gloss))


def _dataset(record: Any) -> str:
    return "swig" if isinstance(record, dict) and "bb" in record else "imsitu"


def _split_of(path: Path, wanted: str | None) -> str:
    """The split that a file holds, by its name; of other names, the one that is asked for."""
    stem = _plain_split(path.stem)
    if wanted is None:
        return stem
    if stem in _SPLITS and stem != _plain_split(wanted):
        raise InputError(f"has no split '{wanted}'", where=path, remedy=f"It is '{stem}'.")
    return _plain_split(wanted)


def _plain_split(split: str) -> str:
    return _SAME_SPLIT.get(split.lower(), split.lower())


def _check_shape(path: Path) -> None:
    """Look for the first image that has a verb or frames.

    Raises:
        InputError: It is no JSON, or JSON without such images.
    """
    with path.open("rb") as file:
        depth = 0
        for count, (_, event, value) in enumerate(events(file, path, _REMEDY)):
            depth += event in ("start_map", "start_array")
            depth -= event in ("end_map", "end_array")
            if event == "map_key" and depth == 2 and value in _FIELDS:
                return
            if (event == "start_array" and depth == 1) or count > _TOKENS_LOOKED_AT:
                break
    raise InputError("is JSON of another shape, without frames", where=path, remedy=_REMEDY)


def _read_space(path: Path) -> _Space:
    if not path.is_file():
        raise InputError("there is no such file", where=path, remedy=_SPACE_REMEDY)
    try:
        return _Space.model_validate(json.loads(path.read_bytes()))
    except ValidationError as error:
        problem = f"is JSON of another shape ({first_error(error)})"
        raise InputError(problem, where=path, remedy=_SPACE_REMEDY) from None
    except ValueError as error:
        raise InputError(f"is not JSON ({error})", where=path, remedy=_SPACE_REMEDY) from None
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=path) from None
