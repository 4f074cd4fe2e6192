"""Visual7W, telling task (Zhu et al., CVPR 2016): its "how many" questions with exact answers.

The file is the official `dataset.json`: images, each with `image_id`, `filename`, `split` and
`qa_pairs`, each of these with `qa_id`, `question`, `answer`, `multiple_choices` and `type`.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from pipeline.errors import InputError, Refusal
from pipeline.instance import ImageRef
from pipeline.sources.answers import parse_answer
from pipeline.sources.images import resolve_image
from pipeline.sources.json_stream import events, items, validated
from pipeline.sources.records import Question, Refuse, Reject, log_refusal

DATASET = "visual7w"
_OFFICIAL_NAME = "visual7w-telling"
_REMEDY = "Give the dataset.json of Visual7W's telling task (dataset_v7w_telling.zip)."
_HOW_MANY = re.compile(r"\W*how\s+many\w{0,2}\b", re.IGNORECASE)
# The official file says "val"; copies of it say "valid".
_SAME_SPLIT = {"valid": "val", "validation": "val"}


class _Image(BaseModel):
    model_config = ConfigDict(strict=True)

    image_id: int | str
    filename: str = Field(min_length=1)
    split: str = Field(min_length=1)
    qa_pairs: list[Any]


class _Pair(BaseModel):
    model_config = ConfigDict(strict=True)

    qa_id: int | str
    image_id: int | str | None = None
    question: str | None = None
    answer: str | None = None
    multiple_choices: list[str] = []


def read(path: Path, split: str | None = None, refuse: Refuse = log_refusal) -> Iterator[Question]:
    """Stream the counting questions whose answer is an exact number, in file order.

    Memory stays constant; nothing is left out without a word: `refuse` gets every other question
    of the split, with its place in the file. Reasons are "not a how-many question", "no question",
    "no answer", "bad record" and those of `parse_answer`.

    Args:
        split: "train", "val" or "test"; "valid" is taken for "val". None reads all of them.

    Raises:
        InputError: The file is missing or broken, is another data set, or has no such split. What
            is wrong at the beginning of the file is raised at once, the rest while reading.
    """
    if not path.is_file():
        raise InputError("there is no such file", where=path, remedy=_REMEDY)
    _check_name(path)
    return _questions(path, split, refuse)


def _questions(path: Path, split: str | None, refuse: Refuse) -> Iterator[Question]:
    seen: dict[str, None] = {}
    wanted = None if split is None else _plain_split(split)
    with path.open("rb") as file:
        for index, record in enumerate(items(file, path, "images.item", _REMEDY)):
            place = f"images[{index}]"
            try:
                image = _checked_image(record)
            except Refusal as refusal:
                refuse(_reject(record, place, refusal))
                continue
            seen.setdefault(image.split)
            if wanted in (None, _plain_split(image.split)):
                yield from _of_image(image, place, refuse)
    if wanted is not None and wanted not in map(_plain_split, seen):
        there = ", ".join(seen) or "none"
        raise InputError(f"has no split '{split}'", where=path, remedy=f"There are: {there}.")


def _of_image(image: _Image, place: str, refuse: Refuse) -> Iterator[Question]:
    for index, record in enumerate(image.qa_pairs):
        try:
            yield _question(image, record)
        except Refusal as refusal:
            refuse(_reject(record, f"{place}.qa_pairs[{index}]", refusal))


def _question(image: _Image, record: Any) -> Question:
    """The question of one record of `qa_pairs`.

    Raises:
        Refusal: It is none that is used.
    """
    pair = validated(_Pair, record)
    if pair.image_id is not None and str(pair.image_id) != str(image.image_id):
        raise Refusal("bad record", f"it belongs to image {pair.image_id}")
    question, answer = (pair.question or "").strip(), (pair.answer or "").strip()
    if not question:
        raise Refusal("no question")
    if not _HOW_MANY.match(question):
        raise Refusal("not a how-many question")
    if not answer:
        raise Refusal("no answer")
    number = parse_answer(answer)
    return Question(
        dataset=DATASET,
        split=image.split,
        id=str(pair.qa_id),
        image=ImageRef(DATASET, image.filename, image.split),
        question=question,
        answer=answer,
        number=number,
        choices=_choices(pair.multiple_choices, number),
    )


def _choices(answers: list[str], number: int) -> tuple[int, ...]:
    """The wrong answers that are exact numbers, without repeats, in their order."""
    numbers: dict[int, None] = {}
    for answer in answers:
        try:
            numbers.setdefault(parse_answer(answer))
        except Refusal:
            continue  # A vague wrong answer is no record: there is nothing to report about it.
    return tuple(choice for choice in numbers if choice != number)


def _checked_image(record: Any) -> _Image:
    image = validated(_Image, record)
    try:
        resolve_image(Path(), image.filename)
    except InputError as error:
        raise Refusal("bad record", f"filename {image.filename!r}: {error.problem}") from None
    return image


def _reject(record: Any, place: str, refusal: Refusal) -> Reject:
    """The refused record with its place; a whole image is refused under its image id."""
    fields = record if isinstance(record, dict) else {}
    number = fields.get("qa_id", fields.get("image_id"))
    words = [fields.get(name) for name in ("question", "answer")]
    text = " ".join(word for word in words if isinstance(word, str))
    detail = f"{refusal.detail} ({place})" if refusal.detail else place
    return Reject(DATASET, place if number is None else str(number), text, refusal.reason, detail)


def _plain_split(split: str) -> str:
    return _SAME_SPLIT.get(split.lower(), split.lower())


def _check_name(path: Path) -> None:
    """Look into the file for the data set's name and the list of images.

    Raises:
        InputError: It is no JSON, another data set, or of another shape.
    """
    name = images = None
    with path.open("rb") as file:
        for prefix, event, value in events(file, path, _REMEDY):
            if prefix == "" and event not in ("start_map", "map_key", "end_map"):
                break
            if prefix == "dataset":
                name = value
            if prefix == "images" and images is None:
                images = event
            if name is not None and images is not None:
                break
    if name is not None and name != _OFFICIAL_NAME:
        raise InputError(
            f"is the data set {name!r}, not {_OFFICIAL_NAME!r}", where=path, remedy=_REMEDY
        )
    if name is None or images != "start_array":
        missing = "a 'dataset' field" if name is None else "a list of 'images'"
        raise InputError(f"is JSON of another shape, without {missing}", where=path, remedy=_REMEDY)
