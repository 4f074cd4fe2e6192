"""Parquet files of a release: typed for `datasets`, and the same bytes for the same rows."""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.errors import InputError
from pipeline.instance import SCHEMA, Instance, from_table, to_row

IMAGE = "image"
_IMAGE_TYPE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
# Small enough for the hub's viewer and for streaming: pictures make rows a thousand times larger.
_ROWS_PER_GROUP, _PICTURES_PER_GROUP = 1000, 100


def release_schema(*, images: bool) -> pa.Schema:
    """The columns of a release file, with the feature types that `datasets` reads from it."""
    schema = SCHEMA.append(pa.field(IMAGE, _IMAGE_TYPE)) if images else SCHEMA
    features = {field.name: _feature(field.type) for field in schema}
    if images:
        features[IMAGE] = {"_type": "Image"}
    return schema.with_metadata({"huggingface": json.dumps({"info": {"features": features}})})


def write_instances(
    path: Path, instances: Sequence[Instance], read_picture: Callable[[str], bytes] | None = None
) -> None:
    """Write the pairs of an instrument, with their pictures if these can be read."""
    schema = release_schema(images=read_picture is not None)
    size = _PICTURES_PER_GROUP if read_picture else _ROWS_PER_GROUP
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for start in range(0, len(instances), size):
            rows = [to_row(instance) for instance in instances[start : start + size]]
            if read_picture:
                for row in rows:
                    name = row["image_file"]
                    row[IMAGE] = {"bytes": read_picture(name), "path": Path(name).name}
            writer.write_table(pa.Table.from_pylist(rows, schema=schema))


def write_batches(path: Path, batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> int:
    """Write rows as they come, never holding all; the answer is their number."""
    rows = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for batch in batches:
            writer.write_batch(batch)
            rows += batch.num_rows
    return rows


def read_instances(path: Path) -> list[Instance]:
    """The instances of a Parquet file, pictures left aside.

    Raises:
        InputError: The file is missing, damaged, or has other columns than instances have.
    """
    table = read_columns(path, SCHEMA)
    try:
        return from_table(table)
    except (TypeError, KeyError) as error:
        raise InputError("has an empty field where none may be", where=path) from error


def read_columns(path: Path, schema: pa.Schema) -> pa.Table:
    """Some columns of a Parquet file, which must have exactly these types.

    Raises:
        InputError: The file is missing, damaged, or lacks one of the columns.
    """
    try:
        with pq.ParquetFile(path) as file:
            present = file.schema_arrow
            for field in schema:
                place = present.get_field_index(field.name)
                if place < 0:
                    raise InputError(f"has no column '{field.name}'", where=path)
                if present.field(place).type != field.type:
                    problem = f"column '{field.name}' is {present.field(place).type}"
                    raise InputError(f"{problem}, not {field.type}", where=path)
            return file.read(columns=schema.names).replace_schema_metadata(None)
    except FileNotFoundError:
        raise InputError("there is no such file", where=path) from None
    except (OSError, pa.ArrowException) as error:
        raise InputError("is not a whole Parquet file", where=path) from error


def _feature(kind: pa.DataType) -> dict[str, Any]:
    """The description that `datasets` gives a column of this type."""
    if pa.types.is_struct(kind):
        return {field.name: _feature(field.type) for field in kind}
    if pa.types.is_list(kind):
        return {"feature": _feature(kind.value_type), "_type": "List"}
    names = {pa.float64(): "float64", pa.bool_(): "bool"}
    return {"dtype": names.get(kind, str(kind)), "_type": "Value"}
