"""Checkpoints: a profile names one for each role, and a role has one way of opening it.

Checkpoints are opened strictly. A weight that the checkpoint lacks would be drawn at random and
every figure after it would be noise, so it is refused.
"""

import json
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from pipeline import DATA
from pipeline.checkpoints import (
    VOCABULARIES,
    WEIGHTS,
    Checkpoint,
    CheckpointReference,
    checkpoint_fingerprint,
    locate,
)
from pipeline.errors import InputError
from pipeline.registry import unknown_name

PROFILES = DATA / "profiles"


class Profile(BaseModel):
    """One checkpoint for each role."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    checkpoints: dict[str, CheckpointReference]

    @model_validator(mode="after")
    def _knows_its_roles(self) -> "Profile":
        for role in self.checkpoints:
            if role not in ROLES:
                raise ValueError(str(unknown_name("role", role, list(ROLES))))
        return self


@dataclass(frozen=True, slots=True)
class VisionLanguageModel:
    """A model of images and texts (a `transformers` model, in fp32, on the CPU, for inference)."""

    checkpoint: Checkpoint
    model: Any
    tokenizer: Any
    image_processor: Any


def read_profile(name: str) -> Profile:
    """The profile of `data/profiles/<name>.toml`.

    Raises:
        InputError: There is no such profile, or its file says something it may not.
    """
    known = sorted(path.stem for path in PROFILES.glob("*.toml"))
    if name not in known:
        raise unknown_name("profile", name, known)
    path = PROFILES / f"{name}.toml"
    try:
        return Profile.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"this is not TOML ({error})", where=path) from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"])
        raise InputError(first["msg"], where=f"{path}: {place}" if place else path) from error


def load(role: str, profile: str = "embedded") -> Any:
    """The model that a profile names for a role, opened once per process.

    Raises:
        InputError: The role or profile is unknown, the profile has no checkpoint for the role, or
            the checkpoint cannot be had or is not whole.
    """
    if role not in ROLES:
        raise unknown_name("role", role, list(ROLES))
    reference = read_profile(profile).checkpoints.get(role)
    if reference is None:
        raise InputError(f"the profile '{profile}' names no checkpoint for the role '{role}'")
    return _open(role, reference)


def load_from(role: str, place: str) -> Any:
    """The model of a folder or a hub name, for one role, opened once per process.

    Args:
        place: An existing folder, else a name on the hub ("owner/name").

    Raises:
        InputError: The checkpoint cannot be had, is not whole or does not suit the role.
    """
    if Path(place).is_dir():
        return _open(role, CheckpointReference(path=Path(place).resolve()))
    return _open(role, CheckpointReference(hub=place))


@cache
def _open(role: str, reference: CheckpointReference) -> Any:
    folder = locate(reference)
    name = reference.hub or folder.name
    return ROLES[role](Checkpoint(name, folder, checkpoint_fingerprint(folder)))


def _open_vision_language(checkpoint: Checkpoint) -> VisionLanguageModel:
    """Open model, tokenizer and image processor of one folder."""
    from transformers import AutoImageProcessor

    model = _open_model(checkpoint.folder)
    tokenizer = _open_tokenizer(checkpoint.folder)
    with _reading(checkpoint.folder, "the image processor"):
        # The backends differ in the last digits, so the one that is always there is used always.
        image_processor = AutoImageProcessor.from_pretrained(
            checkpoint.folder, local_files_only=True, backend="pil"
        )
    return VisionLanguageModel(checkpoint, model, tokenizer, image_processor)


def _open_model(folder: Path) -> Any:
    """Open weights by the class that the configuration names, refusing any that are missing."""
    import torch

    model_class = _architecture(folder)
    if not any(any(folder.glob(pattern)) for pattern in WEIGHTS):
        raise InputError(
            "the checkpoint has no weights as safetensors",
            where=folder,
            remedy="`foils convert` makes them of a pytorch_model.bin",
        )
    with _reading(folder, "the weights"):
        model, report = model_class.from_pretrained(
            folder,
            local_files_only=True,
            use_safetensors=True,
            dtype=torch.float32,
            ignore_mismatched_sizes=True,
            output_loading_info=True,
        )
    mismatched = [key if isinstance(key, str) else key[0] for key in report["mismatched_keys"]]
    for problem, names in (
        ("lacks", sorted(report["missing_keys"])),
        ("has the wrong shape for", sorted(mismatched)),
        ("could not be read", list(report["error_msgs"])),
    ):
        if names:
            more = f" and {len(names) - 3} more" if len(names) > 3 else ""
            listed = ", ".join(names[:3]) + more
            raise InputError(f"the checkpoint {problem} {listed}", where=folder, remedy=_WHOLE)
    return model.eval()


_WHOLE = "Give a checkpoint that was saved whole, for the architecture its config.json names"


def _architecture(folder: Path) -> Any:
    """The `transformers` class that config.json names first."""
    import transformers

    path = folder / "config.json"
    try:
        architecture = json.loads(path.read_text(encoding="utf-8"))["architectures"][0]
    except OSError as error:
        raise InputError(
            "the checkpoint has no config.json", where=folder, remedy=_WHOLE
        ) from error
    except (ValueError, LookupError, TypeError) as error:
        problem = "the configuration is not JSON that names its architecture"
        raise InputError(problem, where=path, remedy=_WHOLE) from error
    model_class = getattr(transformers, str(architecture), None)
    if not hasattr(model_class, "from_pretrained"):
        raise InputError(f"transformers has no architecture named '{architecture}'", where=path)
    return model_class


def _open_tokenizer(folder: Path) -> Any:
    """Open a tokenizer; without its vocabulary, transformers would silently build an empty one."""
    from transformers import AutoTokenizer

    if not any(any(folder.glob(pattern)) for pattern in VOCABULARIES):
        raise InputError("the checkpoint has no tokenizer", where=folder, remedy=_WHOLE)
    with _reading(folder, "the tokenizer"):
        return AutoTokenizer.from_pretrained(folder, local_files_only=True)


@contextmanager
def _reading(folder: Path, what: str) -> Iterator[None]:
    """Read a part of a checkpoint without chatter; whatever fails becomes one clear line."""
    from transformers.utils import logging as chatter

    verbosity, bars = chatter.get_verbosity(), chatter.is_progress_bar_enabled()
    chatter.set_verbosity_error()
    chatter.disable_progress_bar()
    try:
        yield
    except Exception as error:
        # The readers of three libraries raise anything from KeyError to their own classes.
        first_line = str(error).partition("\n")[0]
        problem = f"{what} cannot be read ({type(error).__name__}: {first_line})"
        raise InputError(problem, where=folder, remedy=_WHOLE) from error
    finally:
        chatter.set_verbosity(verbosity)
        if bars:
            chatter.enable_progress_bar()


ROLES: dict[str, Callable[[Checkpoint], Any]] = {
    "clip": _open_vision_language,
}
"""What a checkpoint can be for, and how it is opened then."""
