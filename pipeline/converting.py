"""Checkpoints whose weights are pickled, made into ones with safetensors.

Pickles are read by torch's restricted reader, which makes tensors and runs no code.
"""

from __future__ import annotations

import json
import shutil
import tarfile
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pipeline.checkpoints import FILES, download
from pipeline.errors import InputError
from pipeline.spanbert_archive import (
    VOCABULARY,
    is_spanbert,
    spanbert_config,
    spanbert_weights,
)

_PICKLED = ("pytorch_model*.bin", "*.pt", "*.bin")
"""Names of weights, the usual first; the others are those of fairseq and of old archives."""


def convert_weights(place: str, to: Path, vocabulary: str | None = None) -> None:
    """Copy a checkpoint whose weights are pickled with safetensors instead.

    The authors' archive of SpanBERT gets the names, the configuration and the vocabulary that
    `BertForMaskedLM` needs (see `pipeline/spanbert_archive.py`). Old configurations of BERT are
    told what the weights show: the architecture, and whether the vocabulary is cased.

    Args:
        place: An existing folder, tar archive or file of weights, else a name on the hub.
        to: The folder to make.
        vocabulary: For SpanBERT: a folder with BERT's cased vocab.txt, else a name on the hub;
            by default the hub's.

    Raises:
        InputError: The checkpoint has no pickled weights or they cannot be read, they have no
            masked-LM head where they are SpanBERT's, or `to` is there.
    """
    if to.exists():
        raise InputError("is there already", where=to, remedy="Choose another --to.")
    to.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=to.parent, prefix=f".{to.name}-") as work:
        made = Path(work) / "checkpoint"
        made.mkdir()
        pickled = _find_pickled(place, Path(work) / "archive")
        weights = _read_weights(pickled)
        for path in {path for pattern in FILES for path in pickled[0].parent.glob(pattern)}:
            shutil.copyfile(path, made / path.name)
        if is_spanbert(weights):
            weights = spanbert_weights(weights, place)
            _describe_spanbert(made, weights, place, vocabulary or VOCABULARY)
        elif any(name.startswith("bert.") for name in weights):
            _complete_bert(made, weights)
        _save(weights, made / "model.safetensors")
        made.rename(to)


def _find_pickled(place: str, unpacked: Path) -> list[Path]:
    """The files of weights of a folder, archive, file or hub name; archives are unpacked."""
    path = Path(place)
    if path.is_file() and not tarfile.is_tarfile(path):
        return [path]
    if path.is_file():
        try:
            with tarfile.open(path) as archive:
                # The filter refuses members that would land outside.
                archive.extractall(unpacked, filter="data")
        except (tarfile.TarError, OSError, EOFError) as error:
            raise InputError(f"cannot be unpacked ({error})", where=path) from error
        folder = unpacked
    elif path.is_dir():
        folder = path
    else:
        folder = download(place, patterns=(*FILES, _PICKLED[0]), needed=_PICKLED[:1])
    for pattern in _PICKLED:
        found = sorted(folder.rglob(pattern) if folder == unpacked else folder.glob(pattern))
        found = [file for file in found if file.name != "training_args.bin"]
        if found and pattern != _PICKLED[0] and len(found) > 1:
            names = ", ".join(file.name for file in found)
            raise InputError(f"has several files of weights ({names})", where=place)
        if found:
            return found
    raise InputError(f"has no weights named {' or '.join(_PICKLED)}", where=place)


def _read_weights(paths: list[Path]) -> dict[str, Any]:
    """Names and tensors of all files; fairseq keeps them under "model", beside its options."""
    import torch

    weights: dict[str, Any] = {}
    for path in paths:
        try:
            with torch.serialization.safe_globals([Namespace]):
                state = torch.load(path, map_location="cpu", weights_only=True)
        except Exception as error:
            # torch raises anything from EOFError to its own unpickling error.
            first_line = str(error).partition("\n")[0]
            raise InputError(f"cannot be read ({first_line})", where=path) from error
        state = state.get("model", state) if isinstance(state, Mapping) else None
        if not state or not all(isinstance(tensor, torch.Tensor) for tensor in state.values()):
            raise InputError("holds something else than named weights", where=path)
        weights |= state
    return weights


def _describe_spanbert(
    folder: Path, weights: Mapping[str, Any], place: str, vocabulary: str
) -> None:
    """Write the configuration and tokenizer of SpanBERT, which its archive lacks."""
    config = spanbert_config(weights, place)
    _write_json(folder / "config.json", config | _read_json(folder / "config.json"))
    words = folder / "vocab.txt"
    if not words.is_file():
        source = Path(vocabulary)
        if not source.is_dir():
            source = download(
                vocabulary, size="0.2 MB", patterns=(words.name,), needed=(words.name,)
            )
        if not (source / words.name).is_file():
            raise InputError(f"has no {words.name}", where=source)
        shutil.copyfile(source / words.name, words)
    count = len(words.read_text(encoding="utf-8").splitlines())
    if count != config["vocab_size"]:
        problem = f"has {count} entries, and the weights are for {config['vocab_size']}"
        raise InputError(problem, where=f"{vocabulary}/{words.name}")
    _write_json(folder / "tokenizer_config.json", {**_BERT_TOKENIZER, "do_lower_case": False})


_BERT_TOKENIZER = {"tokenizer_class": "BertTokenizer", "model_max_length": 512}


def _complete_bert(folder: Path, weights: Mapping[str, Any]) -> None:
    """Add to an old configuration of BERT what newer ones say: architecture and casing."""
    config = _read_json(folder / "config.json")
    if config and "architectures" not in config:
        architecture = "BertModel"
        if "cls.predictions.bias" in weights:
            architecture = "BertForMaskedLM"
        elif "classifier.weight" in weights:
            architecture = "BertForSequenceClassification"
        _write_json(
            folder / "config.json",
            {**config, "model_type": "bert", "architectures": [architecture]},
        )
    words, described = folder / "vocab.txt", folder / "tokenizer_config.json"
    options = _read_json(described)
    if words.is_file() and "do_lower_case" not in options:
        special = ("[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]")
        entries = words.read_text(encoding="utf-8").splitlines()
        lowered = all(word == word.lower() for word in entries if word not in special)
        _write_json(described, {**_BERT_TOKENIZER, **options, "do_lower_case": lowered})


def _save(weights: Mapping[str, Any], path: Path) -> None:
    from safetensors.torch import save_file

    # Tied weights share memory, which safetensors does not take.
    tensors = {name: tensor.clone().contiguous() for name, tensor in weights.items()}
    save_file(tensors, path, metadata={"format": "pt"})


def _read_json(path: Path) -> dict[str, Any]:
    """What a file of settings says; nothing where it is missing. Damage shows on opening."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def _write_json(path: Path, content: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
