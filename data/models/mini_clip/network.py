"""The network's shape, its tokenizer, and the heads that only training uses."""

import json
from collections.abc import Iterable
from pathlib import Path

import torch
from pictures import GRID, PATCH, PIXELS
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from torch import nn
from transformers import (
    CLIPConfig,
    CLIPImageProcessorPil,
    CLIPModel,
    CLIPProcessor,
    CLIPTokenizer,
)

VOCABULARY = 1600
WIDTH = 192
SHARED = 256
LONGEST = 77
MOST = 8
"""The highest count that the counting head tells apart."""

_BEGIN, _END = "<|startoftext|>", "<|endoftext|>"


def train_tokenizer(texts: Iterable[str]) -> CLIPTokenizer:
    """A byte-level BPE in CLIP's manner, which can spell any text and knows the texts' words."""
    bytes_ = sorted(pre_tokenizers.ByteLevel.alphabet())
    words = sorted({word for text in texts for word in _words(text)})
    learner = Tokenizer(models.BPE(end_of_word_suffix="</w>"))
    learner.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY - 2 * len(bytes_) - 2,
        min_frequency=1,
        end_of_word_suffix="</w>",
        show_progress=False,
    )
    # Each word once, so that rare words become whole tokens as well.
    learner.train_from_iterator(words, trainer)
    merges = [tuple(pair) for pair in _merges(learner)]
    tokens = [*bytes_, *(byte + "</w>" for byte in bytes_)]
    tokens += [one + other for one, other in merges]
    vocabulary = {token: index for index, token in enumerate(dict.fromkeys(tokens))}
    for special in (_BEGIN, _END):
        vocabulary[special] = len(vocabulary)
    return CLIPTokenizer(vocab=vocabulary, merges=merges, model_max_length=LONGEST)


def _words(text: str) -> list[str]:
    letters = "".join(letter if letter.isalpha() else " " for letter in text.lower())
    return letters.split()


def _merges(learner: Tokenizer) -> list[list[str]]:
    merges = json.loads(learner.to_str())["model"]["merges"]
    return [merge.split(" ") if isinstance(merge, str) else merge for merge in merges]


def build_model(tokenizer: CLIPTokenizer, seed: int) -> CLIPModel:
    """A freshly drawn mini CLIP for this tokenizer."""
    torch.manual_seed(seed)
    text = {
        "vocab_size": len(tokenizer),
        "hidden_size": 128,
        "intermediate_size": 512,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "max_position_embeddings": LONGEST,
        "bos_token_id": tokenizer.bos_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }
    vision = {
        "hidden_size": WIDTH,
        "intermediate_size": 4 * WIDTH,
        "num_hidden_layers": 4,
        "num_attention_heads": 6,
        "image_size": PIXELS,
        "patch_size": PATCH,
    }
    return CLIPModel(CLIPConfig(text_config=text, vision_config=vision, projection_dim=SHARED))


def save_processor(tokenizer: CLIPTokenizer, folder: Path) -> None:
    """Write tokenizer and image processor as `AutoProcessor` reads them."""
    images = CLIPImageProcessorPil(
        size={"shortest_edge": PIXELS}, crop_size={"height": PIXELS, "width": PIXELS}
    )
    for where_from in ("is_local", "local_files_only"):
        tokenizer.init_kwargs.pop(where_from, None)
    CLIPProcessor(images, tokenizer).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    images.save_pretrained(folder)


class Heads(nn.Module):
    """What the vision tower is also asked while it learns; thrown away afterwards.

    `patches` names the thing whose centre lies in a patch; `counts` says for each concept and
    each n up to 8 whether there are at least n.
    """

    def __init__(self, kinds: int, concepts: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(WIDTH)
        self.patches = nn.Linear(WIDTH, kinds + 1)
        self.counts = nn.Linear(SHARED, concepts * MOST)
        self.concepts = concepts
        nn.init.constant_(self.counts.bias, -5.0)  # most concepts are absent from most pictures

    def forward(
        self, layers: tuple[torch.Tensor, ...], embeddings: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Patch logits (batch, 49, kinds + 1) and count logits (batch, concepts, 8)."""
        patches = self.patches(self.norm(layers[-2][:, 1:]))
        counts = self.counts(16 * embeddings)
        assert patches.shape[1] == GRID * GRID
        return patches, counts.view(-1, self.concepts, MOST)
