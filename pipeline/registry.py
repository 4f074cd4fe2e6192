"""Names for sources, foiling functions, filters and scorers, imported when first asked for."""

import difflib
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Generic, TypeVar

from pipeline.errors import InputError

Entry = TypeVar("Entry")


class Registry(Generic[Entry]):
    """Map a name to an object that lives in a module imported on first use.

    Args:
        kind: What the names name ("foiling function"), for messages.
        places: Name -> "package.module:attribute".
    """

    def __init__(self, kind: str, places: dict[str, str]) -> None:
        self.kind = kind
        self._places = dict(places)

    def __getitem__(self, name: str) -> Entry:
        """The object of this name.

        Raises:
            InputError: The name is unknown; the message offers its nearest neighbours.
        """
        if name not in self._places:
            raise unknown_name(self.kind, name, self._places)
        module, _, attribute = self._places[name].partition(":")
        return getattr(import_module(module), attribute)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._places))

    def __contains__(self, name: object) -> bool:
        return name in self._places


def unknown_name(
    kind: str, name: str, known: dict[str, str] | list[str] | Callable[[], list[str]]
) -> InputError:
    """The error for a name that is not among the known ones, with its nearest neighbours."""
    names = sorted(known() if callable(known) else known)
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    remedy = f"Did you mean {' or '.join(near)}?" if near else f"Known: {', '.join(names)}."
    return InputError(f"there is no {kind} named '{name}'", remedy=remedy)
