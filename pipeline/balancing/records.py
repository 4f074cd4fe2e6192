"""Candidates gathered by the source record that they were made from."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from pipeline.instance import Instance


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to foil a record; `rank` 0 is the way its foiling function prefers."""

    rank: int
    instance: Instance

    @property
    def caption_class(self) -> tuple[str, ...]:
        """VALSE's `classes`."""
        return self.instance.edit.classes

    @property
    def foil_class(self) -> tuple[str, ...]:
        """VALSE's `classes_foil`."""
        return self.instance.edit.classes_foil


@dataclass(frozen=True, slots=True)
class Record:
    """A source record with its candidates, of which at most one is drawn."""

    key: tuple[str, str]
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a record: the candidate drawn, or none and why."""

    drawn: Candidate | None
    reason: str = ""


def record_key(instance: Instance) -> tuple[str, str]:
    """Data set and id of the source record."""
    return instance.source.dataset, instance.source.id


def gather_records(candidates: Iterable[Instance]) -> list[Record]:
    """Records in the order of their keys, each with its candidates in the order given."""
    gathered: dict[tuple[str, str], list[Instance]] = defaultdict(list)
    for instance in candidates:
        gathered[record_key(instance)].append(instance)
    return [
        Record(key, tuple(Candidate(rank, instance) for rank, instance in enumerate(instances)))
        for key, instances in sorted(gathered.items())
    ]
