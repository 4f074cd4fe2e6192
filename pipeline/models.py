"""Checkpoints: a profile names one for each role, and a role has one way of opening it.

`grammar_lm` is the masked language model of GRUEN's grammaticality, which is not the one that
proposes foils; `lm` gives perplexities.
"""

import tomllib
from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from pipeline import DATA
from pipeline.checkpoints import Checkpoint, CheckpointReference, locate
from pipeline.errors import InputError
from pipeline.opening import (
    ACCEPTABILITY,
    CAUSAL_LM,
    ENTAILMENT,
    MASKED_LM,
    open_text_model,
    open_vision_language,
)
from pipeline.registry import unknown_name
from pipeline.spacy_pipelines import open_parser
from pipeline.spanbert_archive import refuse_headless

PROFILES = DATA / "profiles"

Opener = Callable[[Checkpoint], Any]


class Profile(BaseModel):
    """One checkpoint for each role.

    Attributes:
        extends: A profile of this project whose checkpoints fill the roles not named here.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    extends: str | None = None
    checkpoints: dict[str, CheckpointReference] = {}

    @model_validator(mode="after")
    def _knows_its_roles(self) -> "Profile":
        for role in self.checkpoints:
            if role not in ROLES:
                raise ValueError(str(unknown_name("role", role, list(ROLES))))
        return self


def read_profile(name: str) -> Profile:
    """The profile of `data/profiles/<name>.toml`, or of a TOML file of the user's by its path.

    Paths in it are relative to the folder `data/`, or to the folder of the user's file.

    Raises:
        InputError: There is no such profile, or its file says something it may not.
    """
    if name.endswith(".toml"):
        profile = _read(Path(name), Path(name).resolve().parent)
    else:
        profile = _read(_own(name), DATA)
    if profile.extends is None:
        return profile
    inherited = _read(_own(profile.extends), DATA).checkpoints
    return Profile(checkpoints={**inherited, **profile.checkpoints})


def _own(name: str) -> Path:
    """The file of a profile of this project."""
    known = sorted(path.stem for path in PROFILES.glob("*.toml"))
    if name not in known:
        raise unknown_name("profile", name, known)
    return PROFILES / f"{name}.toml"


def _read(path: Path, base: Path) -> Profile:
    """Read one file; its paths are taken as relative to `base`."""
    try:
        profile = Profile.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (FileNotFoundError, IsADirectoryError):
        raise InputError("there is no such file", where=path) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"this is not TOML ({error})", where=path) from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"])
        raise InputError(first["msg"], where=f"{path}: {place}" if place else path) from error
    located = {
        role: place.model_copy(update={"path": base / place.path}) if place.path else place
        for role, place in profile.checkpoints.items()
    }
    return profile.model_copy(update={"checkpoints": located})


def load(role: str, profile: str = "embedded") -> Any:
    """The model that a profile names for a role, opened once per process.

    Raises:
        InputError: The role or profile is unknown, the profile has no checkpoint for the role, or
            the checkpoint cannot be had or is not whole.
    """
    return _open(_opener(role), _reference(role, profile))


def _opener(role: str) -> Opener:
    if role not in ROLES:
        raise unknown_name("role", role, list(ROLES))
    return ROLES[role]


def _reference(role: str, profile: str) -> CheckpointReference:
    _opener(role)
    reference = read_profile(profile).checkpoints.get(role)
    if reference is None:
        raise InputError(f"the profile '{profile}' names no checkpoint for the role '{role}'")
    return _with_head(role, reference)


def _with_head(role: str, reference: CheckpointReference) -> CheckpointReference:
    """The reference, refused where it is known to have no head, before anything is downloaded."""
    if role in _MASKED_LM_ROLES:
        refuse_headless(reference.hub or "")
    return reference


def load_from(role: str, place: str) -> Any:
    """The model of a folder or a hub name, for one role, opened once per process.

    Args:
        place: An existing folder, else a name on the hub ("owner/name"), or for the roles that
            spaCy fills the name of an installed pipeline ("en_core_web_md").

    Raises:
        InputError: The checkpoint cannot be had, is not whole or does not suit the role.
    """
    opener = _opener(role)
    if Path(place).is_dir():
        return _open(opener, CheckpointReference(path=Path(place).resolve()))
    if opener is open_parser and place.isidentifier():
        return _open(opener, CheckpointReference(package=place))
    return _open(opener, _with_head(role, CheckpointReference(hub=place)))


def find_checkpoint(role: str, profile: str = "embedded") -> Checkpoint:
    """The checkpoint that a profile names for a role, found once per process and not opened.

    Raises:
        InputError: As `load` does, but for a checkpoint that is not whole or suitable.
    """
    return _find(_reference(role, profile))


def role_fingerprints(roles: Iterable[str], profile: str) -> dict[str, str]:
    """Role -> the fingerprint of the checkpoint that the profile names for it.

    Raises:
        InputError: As `find_checkpoint` does.
    """
    return {role: find_checkpoint(role, profile).fingerprint for role in sorted(set(roles))}


@cache
def _find(reference: CheckpointReference) -> Checkpoint:
    """Fingerprinting reads all weights; they do not change while the program runs."""
    return locate(reference)


@cache
def _open(opener: Opener, reference: CheckpointReference) -> Any:
    """Roles that are opened alike share what is opened."""
    return opener(_find(reference))


_MASKED_LM_ROLES = ("mlm", "span_mlm", "grammar_lm")

ROLES: dict[str, Opener] = {
    "clip": open_vision_language,
    "parser": open_parser,
    "coref": open_parser,
    **dict.fromkeys(_MASKED_LM_ROLES, partial(open_text_model, task=MASKED_LM)),
    "acceptability": partial(open_text_model, task=ACCEPTABILITY),
    "nli": partial(open_text_model, task=ENTAILMENT),
    "lm": partial(open_text_model, task=CAUSAL_LM),
}
"""What a checkpoint can be for, and how it is opened then."""
