"""CheckList (Ribeiro et al., ACL 2020), made to import on a current Python.

The package is an optional extra, and its dependency `pattern` has two faults that are dealt with
here: it reads whole corpora as soon as it is imported, and its readers end as generators may not
end any more (PEP 479).
"""

import importlib
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from types import ModuleType
from typing import Any

from pipeline.errors import InputError

_WORDNET = "pattern.text.en.wordnet"


@cache
def import_checklist(name: str) -> ModuleType:
    """A module of CheckList ("perturb", "test_suite" ...), imported once per process.

    Raises:
        InputError: CheckList, or a package that it needs, is not installed.
    """
    try:
        with warnings.catch_warnings():
            # Old escapes in texts and `pkg_resources`: nothing that a user could act on.
            warnings.simplefilter("ignore")
            _mend_pattern()
            return importlib.import_module(f"checklist.{name}")
    except ModuleNotFoundError as error:
        raise InputError(
            f"CheckList is not installed whole: there is no package '{error.name}'",
            remedy="`make setup` builds and installs it.",
        ) from error
    except Exception as error:
        # CheckList itself raises nothing more special where IPython is too new for it.
        raise InputError(
            f"CheckList cannot be imported ({error})",
            remedy="`make setup` installs it with what it needs.",
        ) from error


def _mend_pattern() -> None:
    """Put `pattern` right before CheckList imports it."""
    # Its module for WordNet would read WordNet, WordNet's counts and SentiWordNet, taking seconds.
    sys.modules.setdefault(_WORDNET, _PutOff(_WORDNET))
    text: Any = importlib.import_module("pattern.text")
    if not hasattr(text._read, "__wrapped__"):
        text._read = _ending_well(text._read)


class _PutOff(ModuleType):
    """Stands for a module until something of it is asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # asked by the import system itself
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(importlib.import_module(self.__name__), name)


def _ending_well(read: Callable[..., Iterator[str]]) -> Callable[..., Iterator[str]]:
    """The reader, which raises StopIteration where it should return."""

    def lines(*args: Any, **options: Any) -> Iterator[str]:
        try:
            yield from read(*args, **options)
        except RuntimeError as error:
            if not isinstance(error.__cause__, StopIteration):
                raise

    lines.__wrapped__ = read  # type: ignore[attr-defined]
    return lines
