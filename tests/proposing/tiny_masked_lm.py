"""A random BERT with a real tokenizer, made on the spot."""

from pathlib import Path

import torch
from transformers import BertConfig, BertForMaskedLM, BertTokenizerFast

WORDS = ["a", "man", "dog", "sits", "stands", "on", "in", "under", "up", "of", "the", "out"]
WORDS += ["front", "bench", "next", "to", ".", "skate", "##board"]


def tiny_masked_lm(folder: Path) -> tuple[BertForMaskedLM, BertTokenizerFast]:
    """A masked language model of a few words, with weights that differ between words."""
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]))
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=5 + len(WORDS),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=24,
        initializer_range=0.5,
    )
    return BertForMaskedLM(config).eval(), BertTokenizerFast(str(vocabulary))
