"""A CLIP checkpoint of a few thousand random weights, with its tokenizer and image processor."""

import json
from pathlib import Path

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,'"
LONGEST_TEXT = 32


def save_tiny_clip(folder: Path, seed: int = 0) -> Path:
    """Save a whole checkpoint that reads text letter by letter and pictures of 32 x 32 pixels."""
    import torch
    from transformers import CLIPConfig, CLIPImageProcessorPil, CLIPModel, CLIPTokenizer

    folder.mkdir(parents=True, exist_ok=True)
    words = ["<|startoftext|>", "<|endoftext|>", *LETTERS, *(f"{c}</w>" for c in LETTERS)]
    vocabulary = {word: number for number, word in enumerate(words)}
    (folder / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    (folder / "merges.txt").write_text("#version: 0.2\n", encoding="utf-8")
    CLIPTokenizer(str(folder / "vocab.json"), str(folder / "merges.txt")).save_pretrained(folder)
    square = {"height": 32, "width": 32}
    CLIPImageProcessorPil(size={"shortest_edge": 32}, crop_size=square).save_pretrained(folder)
    small = {"hidden_size": 16, "intermediate_size": 32, "num_attention_heads": 2}
    small |= {"num_hidden_layers": 2, "projection_dim": 8}
    text = {"vocab_size": len(words), "max_position_embeddings": LONGEST_TEXT}
    text |= {"bos_token_id": 0, "eos_token_id": 1, "pad_token_id": 1}
    config = CLIPConfig(
        text_config=small | text,
        vision_config=small | {"image_size": 32, "patch_size": 8},
        projection_dim=8,
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        CLIPModel(config).save_pretrained(folder)
    return folder
