"""Checkpoints: a profile names one for each role, and a role has one way of opening it.

`grammar_lm` is the masked language model of GRUEN's grammaticality, which is not the one that
proposes foils; `lm` gives perplexities.
"""

import tomllib
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from pipeline import DATA
from pipeline.checkpoints import (
    Checkpoint,
    CheckpointReference,
    checkpoint_fingerprint,
    locate,
)
from pipeline.errors import InputError
from pipeline.opening import open_parser, open_text_model, open_vision_language
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
    return _open(role, _reference(role, profile))


def _reference(role: str, profile: str) -> CheckpointReference:
    if role not in ROLES:
        raise unknown_name("role", role, list(ROLES))
    reference = read_profile(profile).checkpoints.get(role)
    if reference is None:
        raise InputError(f"the profile '{profile}' names no checkpoint for the role '{role}'")
    return reference


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


def role_fingerprints(roles: Iterable[str], profile: str) -> dict[str, str]:
    """Role -> the fingerprint of the checkpoint that the profile names for it.

    Raises:
        InputError: As `load` does.
    """
    return {role: _fingerprint(_reference(role, profile)) for role in sorted(set(roles))}


@cache
def _fingerprint(reference: CheckpointReference) -> str:
    """Reading the weights takes a while; they do not change while the program runs."""
    return checkpoint_fingerprint(locate(reference))


@cache
def _open(role: str, reference: CheckpointReference) -> Any:
    folder = locate(reference)
    name = reference.hub or folder.name
    return ROLES[role](Checkpoint(name, folder, checkpoint_fingerprint(folder)))


ROLES: dict[str, Callable[[Checkpoint], Any]] = {
    "clip": open_vision_language,
    "parser": open_parser,
    "coref": open_parser,
    "mlm": open_text_model,
    "span_mlm": open_text_model,
    "grammar_lm": open_text_model,
    "acceptability": open_text_model,
    "nli": open_text_model,
    "lm": open_text_model,
}
"""What a checkpoint can be for, and how it is opened then."""
