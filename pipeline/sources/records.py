"""What the readers of source data sets hand out, and what they refuse."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import pyarrow as pa
from pydantic import TypeAdapter

from pipeline.instance import ImageRef

logger = logging.getLogger(__name__)

Record = TypeVar("Record")

_SCALARS = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}


@dataclass(frozen=True, slots=True)
class Question:
    """A counting question about an image with its numeral answer.

    Attributes:
        answer: The answer as the source gives it ("Two.").
        number: The answer as a number, 0 or more.
        choices: The other numbers that the source offers as wrong answers, where they are numerals.
    """

    dataset: str
    split: str
    id: str
    image: ImageRef
    question: str
    answer: str
    number: int
    choices: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """Question and answer as they stand in the source."""
        return f"{self.question} {self.answer}"


@dataclass(frozen=True, slots=True)
class Caption:
    """A caption of an image.

    Attributes:
        text: The caption cleaned: white space, line breaks, casing and final punctuation.
        original: The caption as the source gives it.
    """

    dataset: str
    split: str
    id: str
    image: ImageRef
    text: str
    original: str


@dataclass(frozen=True, slots=True)
class AnnotatedCaption(Caption):
    """A caption of an image whose objects are annotated.

    Attributes:
        objects: Names of the categories of all objects annotated in the image, sorted.
    """

    objects: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Filler:
    """What an annotator put into a role.

    Attributes:
        id: The noun's id ("n10287213"), empty where the annotator left the role empty.
        words: The noun's synonyms in the order of its gloss ("man", "adult male").
    """

    id: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Role:
    """A role of a verb in one image, filled by each annotator in turn."""

    name: str
    fillers: tuple[Filler, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """What happens in an image: a verb with its roles.

    Attributes:
        verb: The verb in its -ing form ("tattooing").
        abstract: The verb's own sentence with role names ("An AGENT tattoos a TARGET ...").
        roles: In the verb's own order.
    """

    dataset: str
    split: str
    id: str
    image: ImageRef
    verb: str
    abstract: str
    roles: tuple[Role, ...]

    @property
    def text(self) -> str:
        """Verb and the first annotator's fillers."""
        first = (role.fillers[0] for role in self.roles if role.fillers)
        return " ".join([self.verb, *(filler.words[0] for filler in first if filler.words)])


@dataclass(frozen=True, slots=True)
class Round:
    """One question of a dialogue with its answer; an answer that is withheld is empty."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A caption of an image and questions about it with answers."""

    dataset: str
    split: str
    id: str
    image: ImageRef
    caption: str
    rounds: tuple[Round, ...]

    @property
    def text(self) -> str:
        """The caption."""
        return self.caption


@dataclass(frozen=True, slots=True)
class FoiledCaption:
    """A caption that a data set gives together with its foil.

    Attributes:
        target: The word or phrase of the caption that the foil replaces.
        replacement: What stands in its place.
    """

    dataset: str
    split: str
    id: str
    image: ImageRef
    caption: str
    foil: str
    target: str
    replacement: str

    @property
    def text(self) -> str:
        """The foil, by which the source knows the pair."""
        return self.foil


@dataclass(frozen=True, slots=True)
class Reject:
    """A source record that is not used: where it stands, what it says, and why not."""

    dataset: str
    id: str
    text: str
    reason: str
    detail: str = ""


Refuse = Callable[[Reject], None]


def log_refusal(reject: Reject) -> None:
    """Say why a record is left out; what readers do when nobody collects the rejects."""
    logger.info("%s %s: %s (%s)", reject.dataset, reject.id, reject.reason, reject.detail)


def arrow_schema(record_type: type) -> pa.Schema:
    """The Arrow schema of a record type: texts, numbers, tuples of those, and nested records."""
    hints = get_type_hints(record_type)
    return pa.schema([(f.name, _arrow_type(hints[f.name])) for f in fields(record_type)])


def records_to_table(records: Iterable[Any], record_type: type) -> pa.Table:
    """Records as an Arrow table."""
    rows = [asdict(record) for record in records]
    return pa.Table.from_pylist(rows, schema=arrow_schema(record_type))


def records_from_table(table: pa.Table, record_type: type[Record]) -> list[Record]:
    """The records of an Arrow table that `records_to_table` made."""
    return TypeAdapter(list[record_type]).validate_python(table.to_pylist())  # type: ignore[valid-type]


def _arrow_type(hint: Any) -> pa.DataType:
    if hint in _SCALARS:
        return _SCALARS[hint]
    if get_origin(hint) is tuple:
        return pa.list_(_arrow_type(get_args(hint)[0]))
    return pa.struct(list(arrow_schema(hint)))
