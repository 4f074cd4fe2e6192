"""How a checkpoint is opened that `transformers` reads, for texts or for images.

Checkpoints are opened strictly. A weight that the checkpoint lacks would be drawn at random and
every figure after it would be noise, so it is refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pipeline.checkpoints import VOCABULARIES, Checkpoint, has_weights
from pipeline.errors import InputError
from pipeline.labels import acceptable_index, entailment_order


@dataclass(frozen=True, slots=True)
class VisionLanguageModel:
    """A model of images and texts (a `transformers` model, in fp32, on the CPU, for inference)."""

    checkpoint: Checkpoint
    model: Any
    tokenizer: Any
    image_processor: Any


@dataclass(frozen=True, slots=True)
class TextModel:
    """A model of texts (a `transformers` model, in fp32, on the CPU, for inference)."""

    checkpoint: Checkpoint
    model: Any
    tokenizer: Any


@dataclass(frozen=True, slots=True)
class Task:
    """What a text model must be able to do.

    Attributes:
        name: In words, for messages.
        heads: How the names of suitable architectures end.
        check: Raises InputError where the configuration does not suit.
    """

    name: str
    heads: tuple[str, ...]
    check: Callable[[Any], Any] = id


MASKED_LM = Task("a masked language model", ("ForMaskedLM",))
CAUSAL_LM = Task("a causal language model", ("LMHeadModel", "ForCausalLM"))
ACCEPTABILITY = Task(
    "a classifier of acceptability", ("ForSequenceClassification",), acceptable_index
)
ENTAILMENT = Task("a classifier of entailment", ("ForSequenceClassification",), entailment_order)


def open_vision_language(checkpoint: Checkpoint) -> VisionLanguageModel:
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


def open_text_model(checkpoint: Checkpoint, task: Task) -> TextModel:
    """Open model and tokenizer of one folder.

    Raises:
        InputError: The checkpoint is not whole, or was not made for the task.
    """
    folder = checkpoint.folder
    architecture = _architecture(folder).__name__
    if not architecture.endswith(task.heads):
        wanted = " or ".join(f"*{head}" for head in task.heads)
        raise InputError(
            f"{task.name} is needed, and the checkpoint is a {architecture}",
            where=folder,
            remedy=f"Give one whose config.json names a {wanted}",
        )
    model = _open_model(folder)
    task.check(model.config)
    tokenizer = _open_tokenizer(folder)
    _check_case(tokenizer, folder)
    if getattr(model.config, "type_vocab_size", 0) > 1:
        # ALBERT's tokenizer leaves out which text of a pair a piece is from, unless it is asked.
        names = ["input_ids", "token_type_ids", "attention_mask"]
        tokenizer.model_input_names = names
    return TextModel(checkpoint, model, tokenizer)


def _check_case(tokenizer: Any, folder: Path) -> None:
    """Refuse a tokenizer that lowers what its vocabulary has in upper case.

    Old checkpoints of BERT leave the casing to the reader, and `transformers` lowers by default.
    """
    pieces = type(tokenizer.backend_tokenizer.model).__name__
    if pieces != "WordPiece" or tokenizer.tokenize("A") != tokenizer.tokenize("a"):
        return
    special = set(tokenizer.all_special_tokens)
    if any(word != word.lower() for word in tokenizer.get_vocab() if word not in special):
        raise InputError(
            "the tokenizer turns texts to lower case, but its vocabulary has upper case",
            where=folder,
            remedy='Write "do_lower_case": false into its tokenizer_config.json',
        )


def _open_model(folder: Path) -> Any:
    """Open weights by the class that the configuration names, refusing any that are missing."""
    import torch

    model_class = _architecture(folder)
    if not has_weights(folder):
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
    missing = [name for name in ("sentencepiece", "google.protobuf") if not _is_installed(name)]
    readable = [name for name in VOCABULARIES if name != "*.model"]
    if missing and not any(any(folder.glob(name)) for name in readable):
        problem = "reading its SentencePiece vocabulary needs two more packages"
        remedy = "`pip install sentencepiece protobuf` (8 MB) gives them"
        raise InputError(problem, where=folder, remedy=remedy)
    with _reading(folder, "the tokenizer"):
        return AutoTokenizer.from_pretrained(folder, local_files_only=True)


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # the package that it would be a part of
        return False


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
