"""JSON from outside, read piece by piece, so that memory does not grow with the file."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import ijson
from pydantic import BaseModel, ValidationError

from pipeline.errors import InputError, Refusal

Model = TypeVar("Model", bound=BaseModel)


def events(file: BinaryIO, path: Path, remedy: str = "") -> Iterator[tuple[str, str, Any]]:
    """Every token of the file as (prefix, event, value); see `ijson.parse`.

    Raises:
        InputError: It is not JSON, or breaks off; `remedy` says which file is wanted.
    """
    yield from _guarded(ijson.parse(file, use_float=True), path, remedy)


def items(file: BinaryIO, path: Path, prefix: str, remedy: str = "") -> Iterator[Any]:
    """The values at `prefix` ("images.item"), one after the other.

    Raises:
        InputError: As `events`.
    """
    yield from _guarded(ijson.items(file, prefix, use_float=True), path, remedy)


def members(
    file: BinaryIO, path: Path, prefix: str = "", remedy: str = ""
) -> Iterator[tuple[str, Any]]:
    """The names and values of the object at `prefix`, in file order.

    Raises:
        InputError: As `events`.
    """
    yield from _guarded(ijson.kvitems(file, prefix, use_float=True), path, remedy)


def validated(model: type[Model], record: Any) -> Model:
    """A record in the shape of a model.

    Raises:
        Refusal: It has another shape ("bad record").
    """
    try:
        return model.model_validate(record)
    except ValidationError as error:
        raise Refusal("bad record", first_error(error)) from None


def first_error(error: ValidationError) -> str:
    """The first thing that is wrong, with its field."""
    first = error.errors()[0]
    field = ".".join(str(step) for step in first["loc"])
    return f"{field}: {first['msg']}" if field else str(first["msg"])


def _guarded(parsed: Iterator[Any], path: Path, remedy: str) -> Iterator[Any]:
    """What the parser gives, with its errors as one clear line."""
    try:
        yield from parsed
    except (ijson.JSONError, ValueError) as error:
        problem = _first_line(error)
        # The parsers say "premature EOF" or "Incomplete JSON content".
        if re.search("premature|incomplete", problem, re.IGNORECASE):
            raise InputError(
                "is JSON that breaks off in the middle", where=path, remedy="Download it again."
            ) from None
        raise InputError(f"is not JSON ({problem})", where=path, remedy=remedy) from None
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=path) from None


def _first_line(error: Exception) -> str:
    words = error.args[0] if error.args else ""
    text = words.decode(errors="replace") if isinstance(words, bytes) else str(words)
    return (text.strip().splitlines() or ["no more is known"])[0].strip(" .")
