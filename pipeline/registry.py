"""Names for sources, foiling functions, filters and scorers, imported when first asked for."""

import difflib
import inspect
from collections.abc import Callable, Collection, Iterable, Iterator
from importlib import import_module
from typing import Any, Generic, TypeVar

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


def unknown_name(kind: str, name: str, known: Collection[str]) -> InputError:
    """The error for a name that is not among the known ones, with its nearest neighbours."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    remedy = f"Did you mean {' or '.join(near)}?" if near else f"Known: {', '.join(names)}."
    return InputError(f"there is no {kind} named '{name}'", remedy=remedy)


def check_options(
    kind: str,
    name: str,
    function: Callable[..., Any],
    given: Collection[str],
    supplied: Collection[str] = (),
    shared_with: Iterable[Callable[..., Any]] = (),
) -> None:
    """Check that a registered function takes these options, which are its keyword-only arguments.

    Args:
        kind: What the function is, for the message ("filter").
        name: The name it is registered under.
        function: The function.
        given: The names of the options that a recipe gives.
        supplied: Keyword-only arguments that the program itself gives.
        shared_with: Functions that get those of the options that they take.

    Raises:
        InputError: An option is unknown, or one that has no default is missing.
    """
    options = {
        p.name: p.default is p.empty
        for taker in (function, *shared_with)
        for p in inspect.signature(taker).parameters.values()
        if p.kind is p.KEYWORD_ONLY and p.name not in supplied
    }
    for option in sorted(set(given) - options.keys()):
        remedy = f"Its options: {', '.join(sorted(options)) or 'none'}."
        raise InputError(f"the {kind} '{name}' has no option '{option}'", remedy=remedy)
    for option, required in options.items():
        if required and option not in given:
            raise InputError(f"the {kind} '{name}' needs the option '{option}'")
