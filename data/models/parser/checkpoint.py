"""Save and restore a training run, so that a killed one goes on as if nothing had happened."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from spacy.language import Language
    from thinc.optimizers import Optimizer

_MOMENTS = ("mom1", "mom2", "nr_update")


def save_checkpoint(folder: Path, nlp: Language, optimizer: Optimizer, step: int) -> None:
    """Write pipeline, optimizer and step; the folder is complete or it is the previous one."""
    fresh = folder.with_name(folder.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    nlp.to_disk(fresh / "pipeline")
    names = dict(_parameters(nlp))
    arrays = {
        f"{moment}|{names[key]}": np.asarray(value)
        for moment in _MOMENTS
        for key, value in (getattr(optimizer, moment, None) or {}).items()
        if key in names
    }
    np.savez(fresh / "optimizer.npz", **arrays)
    (fresh / "state.json").write_text(json.dumps({"step": step}), encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)


def load_checkpoint(folder: Path, nlp: Language, optimizer: Optimizer) -> int:
    """Fill pipeline and optimizer from a saved checkpoint; return its step."""
    nlp.from_disk(folder / "pipeline")
    keys = {name: key for key, name in _parameters(nlp)}
    with np.load(folder / "optimizer.npz") as arrays:
        for label in arrays.files:
            moment, name = label.split("|", 1)
            stored: Any = arrays[label]
            value = stored if stored.ndim else stored.item()
            getattr(optimizer, moment)[keys[name]] = value
    state: dict[str, int] = json.loads((folder / "state.json").read_text(encoding="utf-8"))
    return state["step"]


def _parameters(nlp: Language) -> Iterator[tuple[tuple[int, str], str]]:
    """Yield the optimizer's key of every parameter, and a name that holds across processes."""
    for component, pipe in nlp.pipeline:
        model = getattr(pipe, "model", None)
        if model is None or isinstance(model, bool):
            continue
        for number, node in enumerate(model.walk()):
            for parameter in node.param_names:
                yield (node.id, parameter), f"{component}/{number}/{parameter}"
