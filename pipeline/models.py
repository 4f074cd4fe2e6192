"""Checkpoints: a profile names one for each role, and a role has one way of opening it.

Checkpoints are opened strictly. A weight that the checkpoint lacks would be drawn at random and
every figure after it would be noise, so it is refused.
"""

import hashlib
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
from pipeline.errors import InputError
from pipeline.registry import unknown_name

PROFILES = DATA / "profiles"

_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
_VOCABULARIES = ("tokenizer.json", "vocab.json", "vocab.txt", "*.model")
_FILES = (
    *_WEIGHTS,
    *_VOCABULARIES,
    "*.safetensors.index.json",
    "*.bin.index.json",
    "config.json",
    "merges.txt",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "preprocessor_config.json",
    "processor_config.json",
)
"""What belongs to a checkpoint; model cards, logs and other frameworks' weights do not."""

_ANSWER_SECONDS = 5.0
"""How long the hub may take to answer at all."""


class CheckpointReference(BaseModel):
    """Where a checkpoint is: in a folder, or on the hub under a name and, if given, a revision."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: Path | None = None
    hub: str | None = None
    revision: str | None = None

    @model_validator(mode="after")
    def _has_one_place(self) -> "CheckpointReference":
        if (self.path is None) == (self.hub is None):
            raise ValueError("give either a path or a hub name")
        return self


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
class Checkpoint:
    """A checkpoint on this machine.

    Attributes:
        name: The hub name, or the name of the folder.
        fingerprint: See `checkpoint_fingerprint`.
    """

    name: str
    folder: Path
    fingerprint: str


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
    folder = _locate(reference)
    name = reference.hub or folder.name
    return ROLES[role](Checkpoint(name, folder, checkpoint_fingerprint(folder)))


def checkpoint_fingerprint(folder: Path) -> str:
    """The SHA-256, in hexadecimal digits, over configuration, weights and tokenizer of a folder.

    Raises:
        InputError: The folder holds no checkpoint.
    """
    files = sorted({path for pattern in _FILES for path in folder.glob(pattern)})
    if not files:
        remedy = "Give the folder that holds config.json and the weights"
        raise InputError("there is no checkpoint in this folder", where=folder, remedy=remedy)
    digest = hashlib.sha256()
    for path in files:
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
        digest.update(f"{path.name} {content}\n".encode())
    return digest.hexdigest()


def _locate(reference: CheckpointReference) -> Path:
    """The folder of a checkpoint, downloaded first where it is only on the hub."""
    if reference.hub is not None:
        return _from_hub(reference.hub, reference.revision)
    folder = DATA / (reference.path or "")
    if not folder.is_dir():
        raise InputError(
            "there is no checkpoint folder here",
            where=folder,
            remedy="Fetch the project's files again, or give a folder or hub name of your own",
        )
    return folder


def _from_hub(name: str, revision: str | None) -> Path:
    """The local snapshot of a hub checkpoint; the hub is asked only where the cache lacks it."""
    from huggingface_hub import HfApi, constants, snapshot_download
    from huggingface_hub.errors import HTTPError, RepositoryNotFoundError

    wanted: dict[str, Any] = {"revision": revision, "allow_patterns": list(_FILES)}
    remedy = f"Download '{name}' where there is a network and give the path of its folder instead"
    cached = _from_cache(name, wanted)
    if cached is not None:
        return cached
    if constants.HF_HUB_OFFLINE:
        problem = "the checkpoint is not in the local cache, and HF_HUB_OFFLINE forbids the hub"
        raise InputError(problem, where=name, remedy=remedy)
    try:
        # One quick question first: the download itself would retry for minutes.
        HfApi().model_info(name, revision=revision, timeout=_ANSWER_SECONDS)
        return Path(snapshot_download(name, **wanted))
    except RepositoryNotFoundError as error:
        raise InputError("the hub has no such checkpoint", where=name) from error
    except (HTTPError, OSError) as error:
        first_line = str(error).partition("\n")[0]
        problem = f"the hub cannot be reached for this checkpoint ({first_line})"
        raise InputError(problem, where=name, remedy=remedy) from error


def _from_cache(name: str, wanted: dict[str, Any]) -> Path | None:
    """The snapshot in the hub's local cache, if there is one and it has weights."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError

    try:
        cached = Path(snapshot_download(name, local_files_only=True, **wanted))
    except HFValidationError as error:
        raise InputError("this is neither a folder nor a name on the hub", where=name) from error
    except OSError:
        return None
    return cached if any(any(cached.glob(pattern)) for pattern in _WEIGHTS) else None


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
    if not any(any(folder.glob(pattern)) for pattern in _WEIGHTS):
        raise InputError("the checkpoint has no weights", where=folder, remedy=_WHOLE)
    with _reading(folder, "the weights"):
        model, report = model_class.from_pretrained(
            folder,
            local_files_only=True,
            # Pickled weights are read by torch's restricted reader, which runs no code.
            use_safetensors=True if any(folder.glob("*.safetensors")) else None,
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

    if not any(any(folder.glob(pattern)) for pattern in _VOCABULARIES):
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
