"""FOIL-it (Shekhar et al., ACL 2017): captions of COCO with one noun replaced.

The file is an official `foilv1.0_<train|test>_2017.json`: `images` as in COCO, and `annotations`,
each with `foil_id`, `image_id`, `caption`, `foil` (true or false), `target_word` and `foil_word`.
It does not say which caption a foil was made of. Putting the target word back wherever the foil
word stands, as VALSE's release did, makes "basebat" of "baseball"; here the caption is looked up
among those that COCO has for the image.
"""

import re
from collections import defaultdict
from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from pipeline.errors import InputError, Refusal
from pipeline.instance import ImageRef
from pipeline.sources import COMPANIONS
from pipeline.sources.cleaning import check_caption, clean
from pipeline.sources.coco import DATASET as IMAGES
from pipeline.sources.coco_format import CocoFile, split_in
from pipeline.sources.json_stream import validated
from pipeline.sources.records import FoiledCaption, Refuse, log_refusal

DATASET = "foil-it"
_REMEDY = "Give foilv1.0_test_2017.json or foilv1.0_train_2017.json of FOIL-it."
_CAPTIONS_REMEDY = (
    "Give the captions file of COCO 2014 that has FOIL-it's images: captions_val2014.json for its "
    "test part, captions_train2014.json for its training part."
)
_WORD = re.compile(r"\w+")


class _Annotation(BaseModel):
    model_config = ConfigDict(strict=True)

    foil_id: int
    image_id: int
    caption: str
    foil: bool
    target_word: str = Field(min_length=1)
    foil_word: str = Field(min_length=1)


class _CocoCaption(BaseModel):
    model_config = ConfigDict(strict=True)

    image_id: int
    caption: str


@dataclass(frozen=True, slots=True)
class _Words:
    """A text's words in lower case and where each begins and ends."""

    text: str
    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


def read(
    path: Path,
    captions: Path | None = None,
    split: str | None = None,
    *,
    refuse: Refuse = log_refusal,
) -> Iterator[FoiledCaption]:
    """Stream the foils with their captions, in file order.

    Both texts are COCO's caption, cleaned, with and without the one word replaced. The image's
    captions are held in memory, one text an image. `refuse` gets every other annotation with its
    place in the file. Reasons are "original caption" (half of the file), "bad record", "unknown
    image", "no captions" (the image has none in the captions file), "caption not found" (none of
    them gives the foil by one change of the target word), "part of a word replaced"
    ("truckrying"), and those of `check_caption`.

    Args:
        captions: captions_*.json of COCO; None takes the official one beside `path`.
        split: "train" or "test"; it has to be the one in the file's name. None takes what that
            says.

    Raises:
        InputError: A file is missing or broken, is of another shape or of another split.
    """
    file = CocoFile(path, DATASET, _REMEDY, id_field="foil_id")
    file.check("images", "annotations")
    beside = CocoFile(captions or COMPANIONS[DATASET].find(path), IMAGES, _CAPTIONS_REMEDY)
    beside.check("annotations")
    return _foiled(file, beside, file.split(split), refuse)


def _foiled(
    file: CocoFile, captions: CocoFile, split: str, refuse: Refuse
) -> Iterator[FoiledCaption]:
    names = file.image_names(refuse)
    texts = _captions_by_image(captions, names.keys(), refuse)
    if names and not texts:
        raise InputError(
            "has no caption of these images", where=captions.path, remedy=captions.remedy
        )
    for index, record in enumerate(file.records("annotations")):
        try:
            yield _foiled_caption(record, names, texts, split)
        except Refusal as refusal:
            refuse(file.reject(record, f"annotations[{index}]", refusal))


def _captions_by_image(
    captions: CocoFile, wanted: Container[int], refuse: Refuse
) -> dict[int, str]:
    """Image id -> its captions, one a line."""
    texts: dict[int, list[str]] = defaultdict(list)
    for index, record in enumerate(captions.records("annotations")):
        try:
            caption = validated(_CocoCaption, record)
        except Refusal as refusal:
            refuse(captions.reject(record, f"annotations[{index}]", refusal))
            continue
        if caption.image_id in wanted:
            texts[caption.image_id].append(" ".join(caption.caption.split()))
    return {image: "\n".join(lines) for image, lines in texts.items()}


def _foiled_caption(
    record: Any, names: dict[int, str], texts: dict[int, str], split: str
) -> FoiledCaption:
    """The pair of one record of `annotations`.

    Raises:
        Refusal: It is none that can be used.
    """
    annotation = validated(_Annotation, record)
    if not annotation.foil:
        raise Refusal("original caption")
    if annotation.image_id not in names:
        raise Refusal("unknown image", f"image {annotation.image_id}")
    if annotation.image_id not in texts:
        raise Refusal("no captions", f"image {annotation.image_id}")
    candidates = texts[annotation.image_id].split("\n")
    caption, foil = _pair(candidates, annotation)
    check_caption(caption)
    file_name = names[annotation.image_id]
    return FoiledCaption(
        dataset=DATASET,
        split=split,
        id=str(annotation.foil_id),
        image=ImageRef(IMAGES, file_name, split_in(file_name)),
        caption=caption,
        foil=foil,
        target=annotation.target_word,
        replacement=annotation.foil_word,
    )


def _pair(candidates: list[str], annotation: _Annotation) -> tuple[str, str]:
    """The caption that one change of the target word turns into the foil, and that foil, clean.

    Raises:
        Refusal: There is none: "part of a word replaced" or "caption not found".
    """
    target, replacement = _words(annotation.target_word), _words(annotation.foil_word)
    wanted = _words(annotation.caption).words
    for text in candidates:
        caption = _words(clean(text))
        span = _only_change(caption, target.words, replacement.words, wanted)
        if span:
            return caption.text, _replaced(caption.text, span, annotation.foil_word)
    for text in candidates:
        blind = clean(text).lower().replace(target.text.lower(), replacement.text.lower())
        if _words(blind).words == wanted:
            raise Refusal("part of a word replaced", annotation.caption)
    raise Refusal("caption not found", annotation.caption)


def _only_change(
    caption: _Words, target: tuple[str, ...], replacement: tuple[str, ...], foil: tuple[str, ...]
) -> tuple[int, int] | None:
    """Where in the caption the target has to be replaced once to give the foil's words."""
    words, size = caption.words, len(target)
    for at in range(len(words) - size + 1):
        changed = (*words[:at], *replacement, *words[at + size :])
        if words[at : at + size] == target and changed == foil:
            return caption.spans[at][0], caption.spans[at + size - 1][1]
    return None


def _replaced(caption: str, span: tuple[int, int], word: str) -> str:
    return clean(caption[: span[0]] + word + caption[span[1] :])


def _words(text: str) -> _Words:
    found = list(_WORD.finditer(text))
    return _Words(text, tuple(word[0].lower() for word in found), tuple(w.span() for w in found))
