"""One record of VALSE's own JSON format: made from an instance, and turned into one.

A record is rebuilt from the instance by one function. At import only what that function does not
give back is kept in `Instance.imported`, together with what it gave instead, so that whatever is
later changed in the instance (votes, scores, texts) shows in the exported record.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from pipeline.instance import (
    ImageRef,
    Instance,
    Provenance,
    Score,
    SourceRef,
    Votes,
    find_edit,
    instance_id,
)
from pipeline.releasing.valse_formats import (
    NUMBERED_DATASETS,
    OUR_DATASETS,
    PHENOMENA,
    PUBLISHED_DATASETS,
    RecordFormat,
    format_of,
)

# VALSE scored its published pairs with these (sections 4.2 and 4.3).
_GRAMMATICALITY_CHECKPOINT = "GRUEN"
_NLI_CHECKPOINT = "ynie/albert-xxlarge-v2-snli_mnli_fever_anli_R1_R2_R3-nli"
_NLI_LABELS = ("entail", "neutral", "contradict")


class MturkCounts(BaseModel):
    """VALSE's `mturk`: how many annotators chose the caption only, the foil (also), or neither."""

    model_config = ConfigDict(strict=True, extra="allow")

    foil: int = Field(ge=0, lt=2**31)
    caption: int = Field(ge=0, lt=2**31)
    other: int = Field(ge=0, lt=2**31)


class ValseRecord(BaseModel):
    """The fields that every record needs or that must have a certain type if they are there."""

    model_config = ConfigDict(strict=True, extra="allow")

    dataset: str = Field(min_length=1)
    image_file: str = Field(min_length=1)
    caption: str = Field(min_length=1)
    foil: str = Field(min_length=1)
    linguistic_phenomena: str = Field(min_length=1)
    original_split: str = ""
    dataset_idx: str | int | None = None
    mturk: MturkCounts | None = None


class _Field(BaseModel):
    """A published field that `rebuild` does not give: what it gave, and what was published."""

    rebuilt: Any = None
    published: Any = None


class _Imported(BaseModel):
    """What `Instance.imported` holds; a field that is not set stands for an absent one."""

    key: str
    order: list[str] | None = None
    fields: dict[str, _Field] = {}


def rebuild(instance: Instance, key: str) -> dict[str, Any]:
    """The record of an instance as VALSE would write it, in the field order of its instrument."""
    form = format_of(instance.instrument, instance.piece)
    edit, source = instance.edit, instance.source
    values = {
        "dataset": form.coco
        if source.dataset == "coco"
        else PUBLISHED_DATASETS.get(source.dataset, source.dataset),
        "original_split": source.split,
        "dataset_idx": _number(source.id) if source.dataset in NUMBERED_DATASETS else source.id,
        "linguistic_phenomena": PHENOMENA.get(instance.piece, instance.piece),
        form.method_field: instance.provenance.function or None,
        "image_file": instance.image.file_name,
        "caption": instance.caption,
        "classes": _classes(instance, edit.classes),
        "classes_foil": _classes(
            instance, edit.classes_foil, always_list=instance.piece == "existence"
        ),
        "mturk": _mturk(instance.votes),
        "foil": instance.foil,
    } | _scores(instance, form)
    extras = {
        "answer": values["classes"],
        "split": source.split,
        "orig_caption": source.text,
        "key": key,
    }
    values |= {name: value for name, value in extras.items() if name in form.fields}
    return _ordered(
        {name: value for name, value in values.items() if value is not None}, form.fields
    )


def to_record(instance: Instance) -> tuple[str, dict[str, Any]]:
    """Key and record of an instance; an imported one gives back what was published.

    Raises:
        ValueError: `instance.imported` is not what an import wrote.
    """
    if not instance.imported:
        key = f"{instance.instrument}:{instance.source.dataset}:{instance.id}"
        return key, rebuild(instance, key)
    imported = _Imported.model_validate(json.loads(instance.imported))
    record = rebuild(instance, imported.key)
    for name, field in imported.fields.items():
        was_rebuilt = "rebuilt" in field.model_fields_set
        if was_rebuilt != (name in record):
            continue  # The instance has gained or lost what this field says since the import.
        if was_rebuilt and not _same(record[name], field.rebuilt):
            continue  # It has been changed since the import.
        if "published" in field.model_fields_set:
            record[name] = field.published
        else:
            del record[name]
    order = imported.order or format_of(instance.instrument, instance.piece).fields
    return imported.key, _ordered(record, order)


def from_record(key: str, record: dict[str, Any], instrument: str, piece: str) -> Instance:
    """The instance of one published record.

    VALSE's `mturk` says less than `Votes`: its `foil` counts votes for the foil and for both
    texts, its `other` those for neither text and of people who could not tell. They are taken as
    `foil` and `cannot_tell`; export adds `both` to `foil`, and `neither` to `other`.

    Raises:
        pydantic.ValidationError: A field is missing or has another type than published.
    """
    checked = ValseRecord.model_validate(record)
    dataset = OUR_DATASETS.get(checked.dataset, checked.dataset)
    index = checked.dataset_idx
    method = record.get(format_of(instrument, piece).method_field)
    source_id = key if index is None else str(index)
    text = record.get("orig_caption")
    source = SourceRef(
        dataset, checked.original_split, source_id, text if isinstance(text, str) else ""
    )
    edit = find_edit(
        checked.caption,
        checked.foil,
        _texts(record.get("classes", [])),
        _texts(record.get("classes_foil", [])),
    )
    instance = Instance(
        id=instance_id(source, instrument, checked.caption, checked.foil, edit),
        piece=piece,
        instrument=instrument,
        image=ImageRef(
            "coco" if dataset == "foil-it" else dataset, checked.image_file, checked.original_split
        ),
        caption=checked.caption,
        foil=checked.foil,
        edit=edit,
        source=source,
        # The published records do not say in which version and from which seed a foil was made.
        provenance=Provenance(method if isinstance(method, str) else "", version=0, seed=0),
        scores=_published_scores(record),
        votes=_votes(checked.mturk),
    )
    return replace(instance, imported=_leftover(key, record, instance))


def _leftover(key: str, record: dict[str, Any], instance: Instance) -> str:
    rebuilt = rebuild(instance, key)
    fields: dict[str, dict[str, Any]] = {}
    for name in {**rebuilt, **record}:
        if name in rebuilt and name in record and _same(rebuilt[name], record[name]):
            continue
        fields[name] = {
            **({"rebuilt": rebuilt[name]} if name in rebuilt else {}),
            **({"published": record[name]} if name in record else {}),
        }
    kept: dict[str, Any] = {"key": key}
    usual = _ordered(record, format_of(instance.instrument, instance.piece).fields)
    if list(usual) != list(record):
        kept["order"] = list(record)
    if fields:
        kept["fields"] = fields
    return json.dumps(kept, ensure_ascii=False)


def _ordered(record: dict[str, Any], order: Sequence[str]) -> dict[str, Any]:
    """The fields in this order, unknown ones behind it by name."""
    known = [name for name in order if name in record]
    return {name: record[name] for name in [*known, *sorted(record.keys() - known)]}


def _same(one: Any, other: Any) -> bool:
    """Whether two values are written alike: types and the order of keys count."""
    return json.dumps(one) == json.dumps(other)


def _number(text: str) -> int | str:
    """The integer that this text writes in the usual way, else the text."""
    return int(text) if text.isascii() and text.isdigit() and str(int(text)) == text else text


def _texts(value: Any) -> tuple[str, ...]:
    values = value if isinstance(value, list) else [value]
    return tuple(item if isinstance(item, str) else json.dumps(item) for item in values)


def _classes(instance: Instance, classes: tuple[str, ...], *, always_list: bool = False) -> Any:
    numeric = instance.piece in ("existence", "counting")
    values = [_number(text) if numeric else text for text in classes]
    if always_list or len(values) > 1:
        return values
    return values[0] if values else None


def _mturk(votes: Votes | None) -> dict[str, int] | None:
    if votes is None:
        return None
    return {
        "foil": votes.foil + votes.both,
        "caption": votes.caption,
        "other": votes.neither + votes.cannot_tell,
    }


def _votes(counts: MturkCounts | None) -> Votes | None:
    if counts is None:
        return None
    return Votes(caption=counts.caption, foil=counts.foil, cannot_tell=counts.other)


def _scores(instance: Instance, form: RecordFormat) -> dict[str, Any]:
    """VALSE's two score fields, from the last score of each name."""
    latest = {score.name: score.value for score in instance.scores}
    fields: dict[str, Any] = {}
    if "grammaticality" in latest:
        fields["grammaticality_scores"] = [latest["grammaticality"]]
    if all(f"nli_{label}" in latest for label in _NLI_LABELS):
        values = {label: latest[f"nli_{label}"] for label in form.nli_order}
        best = max(_NLI_LABELS, key=values.__getitem__)
        fields["nli_scores"] = {label: [value] for label, value in values.items()}
        fields["nli_scores"]["pred"] = [best]
    return fields


def _published_scores(record: dict[str, Any]) -> tuple[Score, ...]:
    scores = []
    grammaticality = _only_number(record.get("grammaticality_scores"))
    if grammaticality is not None:
        scores.append(Score("grammaticality", grammaticality, _GRAMMATICALITY_CHECKPOINT))
    published = record.get("nli_scores")
    parts = published if isinstance(published, dict) else {}
    values = {label: _only_number(parts.get(label)) for label in _NLI_LABELS}
    for label, value in values.items():
        if value is not None:
            scores.append(Score(f"nli_{label}", value, _NLI_CHECKPOINT))
    return tuple(scores)


def _only_number(values: Any) -> float | None:
    """The number in a list of one; what else there may be stays as it was published."""
    if isinstance(values, list) and len(values) == 1 and type(values[0]) in (int, float):
        return float(values[0])
    return None
