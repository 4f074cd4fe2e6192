"""VALSE's own JSON format, read and written without loss.

A file is an object of records by key, one file per instrument, as published with Parcalabescu et
al. (ACL 2022): https://github.com/Heidelberg-NLP/VALSE.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pipeline import store
from pipeline.errors import InputError
from pipeline.instance import Instance
from pipeline.releasing.valse_formats import FORMATS, PHENOMENA
from pipeline.releasing.valse_record import ValseRecord, from_record, to_record

_INSTRUMENT_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
_STEMS = {form.file: name for name, form in FORMATS.items()} | {name: name for name in FORMATS}
_PIECES = {phenomenon: piece for piece, phenomenon in PHENOMENA.items()}
_ONLY_INSTRUMENT = {
    "existence": "existence",
    "plurals": "plurality",
    "relations": "relations",
    "noun phrases": "foil-it",
}

Records = dict[str, dict[str, Any]]


def read_valse_json(path: Path | str) -> list[Instance]:
    """The instances of one file in VALSE's format, in the file's order.

    The instrument follows from the file's name, published (`counting-hard.json`) or ours
    (`counting-balanced.json`), and under any other name from what the records hold.

    Raises:
        InputError: The file is missing, no whole JSON, no object of records, or a record lacks a
            field or has one of another type than published; the key and the field are named.
    """
    path = Path(path)
    instances = []
    records = _read_records(path)
    instruments = _instruments(records, path.stem)
    for key, record in records.items():
        phenomenon: str = record["linguistic_phenomena"]
        instrument = instruments[phenomenon]
        form = FORMATS.get(instrument)
        piece = form.piece if form else _PIECES.get(phenomenon, phenomenon)
        instances.append(from_record(key, record, instrument, piece))
    return instances


def write_valse_json(instances: Iterable[Instance], path: Path | str) -> None:
    """Write instances in VALSE's format, imported ones exactly as they were published.

    Raises:
        InputError: Two instances have the same key, as some of VALSE's instruments have among
            each other, or an instance holds a broken import.
    """
    records: Records = {}
    for instance in instances:
        try:
            key, record = to_record(instance)
        except ValueError as error:
            raise InputError(
                "holds an import that cannot be read", where=f"instance {instance.id}"
            ) from error
        if key in records:
            raise InputError(
                f"two instances have the key '{key}'",
                where=path,
                remedy="Write one file per instrument.",
            )
        records[key] = record
    # One space and no line end are how the published files are laid out.
    store.write_text(Path(path), json.dumps(records, indent=1))


def _read_records(path: Path) -> Records:
    """The records of a file, each with the fields it needs."""
    try:
        text = path.read_text(encoding="utf-8")
        loaded = json.loads(text, object_pairs_hook=_without_repeats, parse_constant=_no_number)
    except FileNotFoundError:
        raise InputError("no such file", where=path) from None
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=path) from error
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"is not whole JSON ({error})", where=path, remedy="Download the file again."
        ) from error
    if not isinstance(loaded, dict) or not loaded:
        raise InputError("is not an object of VALSE records by key", where=path)
    for key, record in loaded.items():
        _check(record, f"{path}: record '{key}'")
    return loaded


def _check(record: Any, where: str) -> None:
    if not isinstance(record, dict):
        raise InputError("is not an object with fields", where=where)
    try:
        ValseRecord.model_validate(record)
        json.dumps(record, ensure_ascii=False).encode()
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        problem = "is missing" if first["type"] == "missing" else f"is wrong ({first['msg']})"
        raise InputError(f"field '{field}' {problem}", where=where) from error
    except UnicodeEncodeError as error:
        raise InputError("holds half a Unicode character", where=where) from error


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"'{repeated}' occurs twice")
    return values


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _instruments(records: Records, stem: str) -> dict[str, str]:
    """Phenomenon -> instrument, for the phenomena of one file."""
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for record in records.values():
        groups[record["linguistic_phenomena"]].append(record)
    return {name: _instrument(name, group, stem) for name, group in groups.items()}


def _instrument(phenomenon: str, group: list[dict[str, Any]], stem: str) -> str:
    named = _STEMS.get(stem)
    if named is not None and _phenomenon_of(named) == phenomenon:
        return named
    if phenomenon in _ONLY_INSTRUMENT:
        return _ONLY_INSTRUMENT[phenomenon]
    if phenomenon == "actions":
        return "action-replacement" if "foiling_method" in group[0] else "actant-swap"
    if phenomenon == "coreference":
        # The hard instrument is built on VisDial's validation images, the other on its training.
        return (
            "coreference-hard"
            if group[0].get("original_split") == "val"
            else "coreference-standard"
        )
    if phenomenon == "counting":
        return _counting_instrument(group)
    name = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")
    return name if _INSTRUMENT_NAME.fullmatch(name) else "imported"


def _phenomenon_of(instrument: str) -> str:
    piece = FORMATS[instrument].piece
    return PHENOMENA.get(piece, piece)


def _counting_instrument(group: list[dict[str, Any]]) -> str:
    """VALSE A.3: small numbers are 0-3; adversarial captions are above them, their foils within."""
    captions = [record.get("classes") for record in group]
    foils = [record.get("classes_foil") for record in group]
    if all(number in (0, 1, 2, 3) for number in foils):
        small = all(number in (0, 1, 2, 3) for number in captions)
        return "counting-small" if small else "counting-adversarial"
    return "counting-balanced"
