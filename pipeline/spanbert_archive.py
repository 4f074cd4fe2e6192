"""SpanBERT with its masked-LM head, from the authors' archive (Joshi et al., TACL 2020).

`SpanBERT/spanbert-*` on the hub lack the head. The authors published a checkpoint that has it
(facebookresearch/SpanBERT, issues 38 and 53): the state of a fairseq model whose decoder is a BERT
with the parameter names of its time, so that

    decoder.bert.embeddings.LayerNorm.gamma     is  bert.embeddings.LayerNorm.weight
    decoder.cls.predictions.transform.dense.*   is  cls.predictions.transform.dense.*

The head of the span boundary objective (`cls.pair_target_predictions`) has no place in
`BertForMaskedLM` and is left out. The archive has neither configuration nor vocabulary: sizes are
those of the weights, and the vocabulary is that of BERT, cased (issues 16 and 54).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pipeline.errors import InputError

PREFIX = "decoder."
VOCABULARY = "google-bert/bert-large-cased"
"""Where the vocabulary is; SpanBERT was trained with it."""

_ARCHIVE = "https://dl.fbaipublicfiles.com/fairseq/models/spanbert_large_with_head.tar.gz"
_HEAD_WIDTH = 64
"""Of one attention head, in every BERT; the number of heads cannot be seen in the weights."""

_OTHER_HEADS = ("cls.pair_target_predictions.", "cls.seq_relationship.", "bert.pooler.")


def refuse_headless(name: str) -> None:
    """Refuse SpanBERT's checkpoints on the hub where a masked language model is needed.

    Raises:
        InputError: The name is one of them.
    """
    if name.startswith("SpanBERT/"):
        raise InputError(
            "the hub's checkpoints of SpanBERT have no masked-LM head, and a random one would "
            "propose at random",
            where=name,
            remedy=f"Download {_ARCHIVE} (about 1.3 GB), run `foils convert "
            "spanbert_large_with_head.tar.gz --to spanbert`, and give that folder to this role in "
            "a profile of your own: README, Checkpoints",
        )


def is_spanbert(weights: Mapping[str, Any]) -> bool:
    """Whether these are the weights of the authors' archive."""
    return any(name.startswith(f"{PREFIX}bert.") for name in weights)


def spanbert_weights(weights: Mapping[str, Any], where: object) -> dict[str, Any]:
    """The weights under the names of `BertForMaskedLM`.

    Raises:
        InputError: The masked-LM head is not among them, or something unknown is.
    """
    renamed = {
        re.sub(r"\.gamma$", ".weight", re.sub(r"\.beta$", ".bias", name.removeprefix(PREFIX))): (
            tensor.float()
        )
        for name, tensor in weights.items()
        if name.startswith(PREFIX)
    }
    kept = {name: t for name, t in renamed.items() if not name.startswith(_OTHER_HEADS)}
    if "cls.predictions.transform.dense.weight" not in kept or "cls.predictions.bias" not in kept:
        problem = "these weights of SpanBERT have no masked-LM head"
        raise InputError(problem, where=str(where), remedy=f"Take {_ARCHIVE}, which has it")
    return kept


def spanbert_config(weights: Mapping[str, Any], where: object) -> dict[str, Any]:
    """A configuration for `BertForMaskedLM`, its sizes read from the weights."""
    embeddings, layer = "bert.embeddings.", "bert.encoder.layer."
    try:
        vocabulary, width = weights[f"{embeddings}word_embeddings.weight"].shape
        positions = weights[f"{embeddings}position_embeddings.weight"].shape[0]
        segments = weights[f"{embeddings}token_type_embeddings.weight"].shape[0]
        intermediate = weights[f"{layer}0.intermediate.dense.weight"].shape[0]
    except KeyError as error:
        raise InputError(f"the weights lack {error.args[0]}", where=str(where)) from None
    if width % _HEAD_WIDTH:
        problem = f"the hidden size {width} is no multiple of {_HEAD_WIDTH}"
        raise InputError(problem, where=str(where))
    layers = {name.split(".")[3] for name in weights if name.startswith(layer)}
    return {
        "architectures": ["BertForMaskedLM"],
        "model_type": "bert",
        "vocab_size": vocabulary,
        "hidden_size": width,
        "num_hidden_layers": len(layers),
        "num_attention_heads": width // _HEAD_WIDTH,
        "intermediate_size": intermediate,
        "max_position_embeddings": positions,
        "type_vocab_size": segments,
        "hidden_act": "gelu",
        "layer_norm_eps": 1e-12,
    }
