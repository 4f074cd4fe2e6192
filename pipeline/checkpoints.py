"""Where checkpoints are: in a folder, or on the model hub; and what makes two of them the same.

Weights are read from safetensors only. Pickled ones are converted first, by the user's word.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator

from pipeline import DATA
from pipeline.errors import InputError

WEIGHTS = ("*.safetensors",)
VOCABULARIES = ("tokenizer.json", "vocab.json", "vocab.txt", "*.model")
_FILES = (
    *WEIGHTS,
    *VOCABULARIES,
    "*.safetensors.index.json",
    "config.json",
    "merges.txt",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "preprocessor_config.json",
    "processor_config.json",
)
"""What belongs to a checkpoint; model cards, logs and other frameworks' weights do not."""

_PICKLED = "pytorch_model*.bin"

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


def checkpoint_fingerprint(folder: Path) -> str:
    """The SHA-256, in hexadecimal digits, over configuration, weights and tokenizer of a folder.

    Raises:
        InputError: The folder holds no checkpoint.
    """
    if (folder / "config.cfg").is_file():  # a spaCy pipeline, which has a folder for each part
        files = sorted(path for path in folder.rglob("*") if path.is_file())
    else:
        files = sorted({path for pattern in _FILES for path in folder.glob(pattern)})
    if not files:
        remedy = "Give the folder that holds config.json and the weights"
        raise InputError("there is no checkpoint in this folder", where=folder, remedy=remedy)
    digest = hashlib.sha256()
    for path in files:
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
        digest.update(f"{path.relative_to(folder).as_posix()} {content}\n".encode())
    return digest.hexdigest()


def locate(reference: CheckpointReference) -> Path:
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


def _from_hub(name: str, revision: str | None, weights: tuple[str, ...] = WEIGHTS) -> Path:
    """The local snapshot of a hub checkpoint; the hub is asked only where the cache lacks it."""
    from huggingface_hub import HfApi, constants, snapshot_download
    from huggingface_hub.errors import HTTPError, RepositoryNotFoundError

    wanted: dict[str, Any] = {"revision": revision, "allow_patterns": [*_FILES, *weights]}
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
    return cached if any(any(cached.glob(pattern)) for pattern in WEIGHTS) else None


def convert_weights(place: str, to: Path) -> None:
    """Copy a checkpoint whose weights are pickled (`pytorch_model*.bin`) with safetensors instead.

    The pickle is read by torch's restricted reader, which makes tensors and runs no code.

    Args:
        place: An existing folder, else a name on the hub.
        to: The folder to make.

    Raises:
        InputError: The checkpoint has no pickled weights or they cannot be read, or `to` is there.
    """
    import shutil

    import torch
    from safetensors.torch import save_file

    if to.exists():
        raise InputError("is there already", where=to, remedy="Choose another --to.")
    folder = Path(place) if Path(place).is_dir() else _from_hub(place, None, (_PICKLED,))
    pickled = sorted(folder.glob(_PICKLED))
    if not pickled:
        raise InputError(f"has no weights named {_PICKLED}", where=folder)
    weights: dict[str, Any] = {}
    for path in pickled:
        try:
            weights |= torch.load(path, map_location="cpu", weights_only=True)
        except Exception as error:
            # torch raises anything from EOFError to its own unpickling error.
            first_line = str(error).partition("\n")[0]
            raise InputError(f"cannot be read ({first_line})", where=path) from error
    to.mkdir(parents=True)
    for path in {path for pattern in _FILES for path in folder.glob(pattern)}:
        shutil.copyfile(path, to / path.name)
    # Tied weights share memory, which safetensors does not take.
    tensors = {name: tensor.clone().contiguous() for name, tensor in weights.items()}
    save_file(tensors, to / "model.safetensors", metadata={"format": "pt"})
