"""Models and controls that score how well a text describes an image, by name."""

from collections.abc import Callable
from pathlib import Path

from pipeline.errors import InputError
from pipeline.evaluating.scorers.matching import (
    Matches,
    Progress,
    ReadImage,
    Scorer,
    Scores,
    Settings,
)
from pipeline.registry import Registry, unknown_name

__all__ = [
    "SCORERS",
    "Matches",
    "Progress",
    "ReadImage",
    "Scorer",
    "Scores",
    "Settings",
    "open_scorer",
]

_HERE = "pipeline.evaluating.scorers"

SCORERS: Registry[Callable[[Settings], Scorer]] = Registry(
    "model",
    {
        "clip": f"{_HERE}.dual_encoder:clip",
        "mini-clip": f"{_HERE}.dual_encoder:mini_clip",
        "constant": f"{_HERE}.controls:constant",
        "random": f"{_HERE}.controls:random",
    },
)


def open_scorer(name_or_path: str, settings: Settings | None = None) -> Scorer:
    """The scorer of a registered name, else of a checkpoint folder, else of a hub name.

    Raises:
        InputError: It is none of these (the nearest names are offered), or the checkpoint cannot
            be had, is not whole or is of an architecture that no scorer knows.
    """
    settings = settings or Settings()
    if settings.batch_size < 1 or settings.workers < 0:
        raise InputError("the batch size must be at least 1, and workers at least 0")
    if name_or_path in SCORERS:
        return SCORERS[name_or_path](settings)
    is_folder = bool(name_or_path) and Path(name_or_path).is_dir()
    if not is_folder and not _may_be_on_hub(name_or_path):
        raise unknown_name("model", name_or_path, list(SCORERS))
    from pipeline.evaluating.scorers.dual_encoder import from_place

    return from_place(name_or_path, settings)


def _may_be_on_hub(name: str) -> bool:
    """Whether this looks like "owner/name" rather than like a path."""
    return name.count("/") == 1 and not name.startswith((".", "/", "~")) and not name.endswith("/")
