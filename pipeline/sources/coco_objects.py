"""COCO's captions with the categories of the objects in the image (Lin et al., 2014).

Beside the official `captions_<split>.json` it takes the `instances_<split>.json` of the same
split: `categories`, each with `id` and `name`, and `annotations`, each with `image_id` and
`category_id`; boxes and outlines are passed over.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from pipeline.errors import InputError, Refusal
from pipeline.sources import COMPANIONS
from pipeline.sources.coco import DATASET, with_image_ids
from pipeline.sources.coco_format import CocoFile
from pipeline.sources.json_stream import validated
from pipeline.sources.records import AnnotatedCaption, Caption, Refuse, log_refusal

_REMEDY = (
    "Give the instances_*.json of COCO that belongs to the captions "
    "(annotations_trainval2017.zip or annotations_trainval2014.zip)."
)
_SHARED_FIELDS = tuple(field.name for field in fields(Caption))


class _Category(BaseModel):
    model_config = ConfigDict(strict=True)

    id: int
    name: str = Field(min_length=1)


class _Object(BaseModel):
    model_config = ConfigDict(strict=True)

    image_id: int
    category_id: int


@dataclass(frozen=True, slots=True)
class _Objects:
    """Which categories each image has, one bit for each of `names`, sorted."""

    names: tuple[str, ...]
    bits: dict[int, int]

    def of(self, image_id: int) -> tuple[str, ...]:
        held = self.bits.get(image_id, 0)
        return tuple(name for place, name in enumerate(self.names) if held >> place & 1)


def read(
    path: Path,
    split: str | None = None,
    *,
    refuse: Refuse = log_refusal,
    objects: Path | None = None,
) -> Iterator[AnnotatedCaption]:
    """Stream the captions as `pipeline.sources.coco.read`, with what their images show.

    Beside the images' names, one number for each image is held in memory. An image without
    annotations has no objects. `refuse` gets broken annotations of objects, too.

    Args:
        path: captions_*.json.
        objects: instances_*.json; None takes the one that lies beside the captions.

    Raises:
        InputError: As `pipeline.sources.coco.read`, for either file; or the objects belong to
            other images, none of which has a caption.
    """
    captions = with_image_ids(path, split, refuse)
    file = CocoFile(objects or COMPANIONS["coco-objects"].find(path), DATASET, _REMEDY)
    file.check("annotations", "categories")
    return _annotated(captions, file, refuse)


def _annotated(
    captions: Iterator[tuple[int, Caption]], file: CocoFile, refuse: Refuse
) -> Iterator[AnnotatedCaption]:
    objects = _objects(file, refuse)
    met = seen = False
    for image_id, caption in captions:
        seen, met = True, met or image_id in objects.bits
        shared = {name: getattr(caption, name) for name in _SHARED_FIELDS}
        yield AnnotatedCaption(**shared, objects=objects.of(image_id))
    if seen and not met:
        raise InputError("belongs to other images", where=file.path, remedy=_REMEDY)


def _objects(file: CocoFile, refuse: Refuse) -> _Objects:
    """The categories of each image; the list of categories may stand before or after."""
    names = _category_names(file, refuse)
    place_of = {name: place for place, name in enumerate(sorted(set(names.values())))}
    bits: dict[int, int] = defaultdict(int)
    for index, record in enumerate(file.records("annotations")):
        try:
            found = validated(_Object, record)
            if found.category_id not in names:
                raise Refusal("unknown category", f"category {found.category_id}")
        except Refusal as refusal:
            refuse(file.reject(record, f"annotations[{index}]", refusal))
            continue
        bits[found.image_id] |= 1 << place_of[names[found.category_id]]
    return _Objects(tuple(place_of), dict(bits))


def _category_names(file: CocoFile, refuse: Refuse) -> dict[int, str]:
    names = {}
    for index, record in enumerate(file.records("categories")):
        try:
            category = validated(_Category, record)
        except Refusal as refusal:
            refuse(file.reject(record, f"categories[{index}]", refusal))
            continue
        names[category.id] = category.name
    return names
