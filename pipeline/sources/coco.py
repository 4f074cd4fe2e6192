"""COCO's captions (Chen et al., 2015), of 2014 and of 2017.

The file is an official `captions_<split>.json`: `images`, each with `id` and `file_name`, and
`annotations`, each with `id`, `image_id` and `caption`.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from pipeline.errors import InputError, Refusal
from pipeline.instance import ImageRef
from pipeline.sources.cleaning import check_caption, clean
from pipeline.sources.coco_format import CocoFile
from pipeline.sources.json_stream import validated
from pipeline.sources.records import Caption, Refuse, log_refusal

DATASET = "coco"
_REMEDY = (
    "Give a captions_*.json of COCO (annotations_trainval2017.zip or annotations_trainval2014.zip)."
)


class _Annotation(BaseModel):
    model_config = ConfigDict(strict=True)

    id: int
    image_id: int
    caption: str


def read(
    path: Path, split: str | None = None, *, refuse: Refuse = log_refusal
) -> Iterator[Caption]:
    """Stream the captions in file order, cleaned (see `pipeline.sources.cleaning`).

    Only the names of the images are held in memory. Nothing is left out without a word: `refuse`
    gets every other annotation and image with its place in the file. Reasons are "bad record",
    "unknown image", and those of `check_caption`.

    Args:
        split: "val2017", or "val" where any year will do; it has to be the one in the file's name.
            None takes what the name says.

    Raises:
        InputError: The file is missing or broken, is no captions file, or is of another split.
            What is wrong at the beginning of the file is raised at once, the rest while reading.
    """
    return (caption for _, caption in with_image_ids(path, split, refuse))


def with_image_ids(path: Path, split: str | None, refuse: Refuse) -> Iterator[tuple[int, Caption]]:
    """The same captions, each with COCO's id of its image."""
    file = CocoFile(path, DATASET, _REMEDY)
    file.check("images", "annotations")
    return _captions(file, file.split(split), refuse)


def _captions(file: CocoFile, split: str, refuse: Refuse) -> Iterator[tuple[int, Caption]]:
    names = file.image_names(refuse)
    for index, record in enumerate(file.records("annotations")):
        if index == 0 and isinstance(record, dict) and "category_id" in record:
            raise InputError("holds objects, not captions", where=file.path, remedy=_REMEDY)
        try:
            yield _caption(record, names, split)
        except Refusal as refusal:
            refuse(file.reject(record, f"annotations[{index}]", refusal))


def _caption(record: Any, names: dict[int, str], split: str) -> tuple[int, Caption]:
    """The image's id and the caption of one record of `annotations`.

    Raises:
        Refusal: It is none that can be used.
    """
    annotation = validated(_Annotation, record)
    if annotation.image_id not in names:
        raise Refusal("unknown image", f"image {annotation.image_id}")
    text = clean(annotation.caption)
    check_caption(text)
    return annotation.image_id, Caption(
        dataset=DATASET,
        split=split,
        id=str(annotation.id),
        image=ImageRef(DATASET, names[annotation.image_id], split),
        text=text,
        original=annotation.caption,
    )
