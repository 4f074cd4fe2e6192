"""Measure the causal language model: perplexity of captions that it was not trained on.

python measure.py --data ../shared/data --model data/models/lm
"""

import argparse
import json
import math
import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(_HERE.parent / "training")]

import texts  # noqa: E402
import torch  # noqa: E402
from transformers import AutoTokenizer, GPT2LMHeadModel  # noqa: E402


def main() -> None:
    """Print perplexities, and how often published foils are less likely than their captions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--model", required=True, type=Path)
    given = parser.parse_args()
    torch.set_num_threads(1)
    model = GPT2LMHeadModel.from_pretrained(given.model, dtype=torch.float32).eval()
    tokenizer = AutoTokenizer.from_pretrained(given.model)
    captions = [caption for _, caption in texts.coco_val2017(given.data)[::25]]
    losses = [_losses(model, tokenizer, caption) for caption in captions]
    words = sum(len(caption.split()) for caption in captions)
    pieces = sum(len(row) for row in losses)
    total = float(sum(row.sum() for row in losses))
    print(f"val2017, {len(captions)} captions: {math.exp(total / pieces):.1f} a piece", end=", ")
    print(f"{math.exp(total / words):.1f} a word, end mark included")
    for piece in ("relations", "plurals"):
        entries = json.loads((given.data / f"valse/{piece}.json").read_text("utf-8")).values()
        less = sum(
            float(_losses(model, tokenizer, entry["caption"]).mean())
            < float(_losses(model, tokenizer, entry["foil"]).mean())
            for entry in entries
        )
        print(f"VALSE {piece}: caption more likely than foil in {less / len(entries):.3f}")


def _losses(model, tokenizer, text: str) -> torch.Tensor:
    """The loss of every piece and of the end mark."""
    end = tokenizer.eos_token_id
    pieces = torch.tensor([[end, *tokenizer(text)["input_ids"], end]])
    with torch.inference_mode():
        scores = model(input_ids=pieces[:, :-1]).logits[0]
    return torch.nn.functional.cross_entropy(scores, pieces[0, 1:], reduction="none")


if __name__ == "__main__":
    main()
