"""Where checkpoints are: in a folder, on the model hub, or an installed package of spaCy's.

And what makes two of them the same. Weights are read from safetensors only; pickled ones are
converted first, by the user's word (`pipeline/converting.py`).
"""

import hashlib
import json
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pipeline.errors import InputError

WEIGHTS = ("*.safetensors",)
VOCABULARIES = ("tokenizer.json", "vocab.json", "vocab.txt", "*.model")
FILES = (
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

_ANSWER_SECONDS = 5.0
"""How long the hub may take to answer at all."""


class CheckpointReference(BaseModel):
    """Where a checkpoint is.

    Attributes:
        path: A folder.
        hub: A name on the model hub ("owner/name").
        package: An installed Python package that is a spaCy pipeline ("en_core_web_md").
        revision: Which version of the hub's (a commit, tag or branch); the newest without it.
        size: How much there is to download ("1.3 GB"), for messages.
        coreferee: Whether coreferee is added to a spaCy pipeline.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: Path | None = None
    hub: str | None = None
    package: str | None = Field(default=None, pattern=r"^[A-Za-z_]\w*$")
    revision: str | None = None
    size: str = ""
    coreferee: bool = False

    @model_validator(mode="after")
    def _has_one_place(self) -> "CheckpointReference":
        if sum(place is not None for place in (self.path, self.hub, self.package)) != 1:
            raise ValueError("give either a path, a hub name or a package")
        if self.revision and not self.hub:
            raise ValueError("only a hub name has revisions")
        return self


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A checkpoint on this machine.

    Attributes:
        name: The name on the hub, of the spaCy pipeline or of the folder.
        fingerprint: See `checkpoint_fingerprint`.
        revision: The hub's commit or the package's version; empty for a folder.
        coreferee: Whether coreferee belongs to the pipeline.
    """

    name: str
    folder: Path
    fingerprint: str
    revision: str = ""
    coreferee: bool = False

    @property
    def label(self) -> str:
        """What scores are signed with: name and revision, or else the fingerprint's beginning."""
        added = "+coreferee" if self.coreferee else ""
        return f"{self.name}@{(self.revision or self.fingerprint)[:8]}{added}"


def checkpoint_fingerprint(folder: Path) -> str:
    """The SHA-256, in hexadecimal digits, over configuration, weights and tokenizer of a folder.

    Raises:
        InputError: The folder holds no checkpoint.
    """
    if (folder / "config.cfg").is_file():  # a spaCy pipeline, which has a folder for each part
        files = sorted(path for path in folder.rglob("*") if path.is_file())
    else:
        files = sorted({path for pattern in FILES for path in folder.glob(pattern)})
    if not files:
        remedy = "Give the folder that holds config.json and the weights"
        raise InputError("there is no checkpoint in this folder", where=folder, remedy=remedy)
    digest = hashlib.sha256()
    for path in files:
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
        digest.update(f"{path.relative_to(folder).as_posix()} {content}\n".encode())
    return digest.hexdigest()


def locate(reference: CheckpointReference) -> Checkpoint:
    """Find a checkpoint, which is downloaded first where it is only on the hub.

    Raises:
        InputError: It cannot be had; the message says what to install or download.
    """
    revision = ""
    if reference.hub is not None:
        folder = _from_hub(reference)
        name, revision = reference.hub, folder.name
    elif reference.package is not None:
        folder = _from_package(reference.package, reference.size)
        name, revision = reference.package, str(_pipeline_meta(folder).get("version", ""))
    else:
        folder = reference.path or Path()
        if not folder.is_dir():
            raise InputError(
                "there is no checkpoint folder here",
                where=folder,
                remedy="Fetch the project's files again, or give a folder or hub name of your own",
            )
        meta = _pipeline_meta(folder)
        name = f"{meta.get('lang')}_{meta['name']}" if meta.get("name") else folder.name
    fingerprint = checkpoint_fingerprint(folder)
    if reference.coreferee:
        fingerprint = hashlib.sha256(f"{fingerprint} {_coreferee()}".encode()).hexdigest()
    return Checkpoint(name, folder, fingerprint, revision, reference.coreferee)


def _pipeline_meta(folder: Path) -> dict[str, Any]:
    """What a spaCy pipeline says of itself; nothing for other folders and damaged files."""
    try:
        meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return meta if isinstance(meta, dict) else {}


def _from_package(name: str, size: str) -> Path:
    """The folder of an installed spaCy pipeline, inside its package ("en_core_web_md-3.8.0")."""
    weight = f" ({size})" if size else ""
    remedy = f"`python -m spacy download {name}` installs it{weight}"
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise InputError("this spaCy pipeline is not installed", where=name, remedy=remedy)
    package = Path(spec.origin).parent
    for folder in (package, *sorted(package.glob(f"{name}-*"))):
        if (folder / "config.cfg").is_file():
            return folder
    raise InputError("this package holds no spaCy pipeline", where=name, remedy=remedy)


def _coreferee() -> str:
    """Version of coreferee and of its own English model, which lies in a package beside it."""
    spec = find_spec("coreferee_model_en")
    digest = hashlib.sha256()
    for place in (spec.submodule_search_locations or ()) if spec else ():
        for path in sorted(Path(place).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(path.relative_to(place).as_posix().encode() + path.read_bytes())
    return f"coreferee {version('coreferee')} {digest.hexdigest()}"


def _from_hub(reference: CheckpointReference) -> Path:
    """The local snapshot of a hub checkpoint, which must have weights as safetensors."""
    name = str(reference.hub)
    folder = download(name, revision=reference.revision, size=reference.size)
    if not has_weights(folder):
        problem = "the hub has no weights of this checkpoint as safetensors"
        remedy = f"Run `foils convert {name} --to FOLDER` and give that folder instead"
        raise InputError(problem, where=name, remedy=remedy)
    return folder


def has_weights(folder: Path) -> bool:
    """Whether a folder has weights as safetensors."""
    return any(any(folder.glob(pattern)) for pattern in WEIGHTS)


def download(
    name: str,
    *,
    revision: str | None = None,
    size: str = "",
    patterns: tuple[str, ...] = FILES,
    needed: tuple[str, ...] = WEIGHTS,
) -> Path:
    """The local snapshot of something on the hub, which is asked only where the cache lacks it.

    Args:
        size: How much there is to download, for messages.
        patterns: Which of its files are wanted.
        needed: Without one of these the cached snapshot is not taken for whole.

    Raises:
        InputError: The name is none, or the hub has or gives no such checkpoint.
    """
    from huggingface_hub import HfApi, constants, snapshot_download
    from huggingface_hub.errors import HTTPError, RepositoryNotFoundError

    wanted: dict[str, Any] = {"revision": revision, "allow_patterns": list(patterns)}
    remedy = (
        f"Download it{f' ({size})' if size else ''} where there is a network "
        f"(`hf download {name} --local-dir FOLDER`) and give the path of its folder instead"
    )
    cached = _from_cache(name, wanted, needed)
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


def _from_cache(name: str, wanted: dict[str, Any], needed: tuple[str, ...]) -> Path | None:
    """The snapshot in the hub's local cache, if there is one and it has what is needed."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError

    try:
        cached = Path(snapshot_download(name, local_files_only=True, **wanted))
    except HFValidationError as error:
        raise InputError("this is neither a folder nor a name on the hub", where=name) from error
    except OSError:
        return None
    return cached if any(any(cached.glob(pattern)) for pattern in needed) else None
