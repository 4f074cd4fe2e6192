"""Measure the entailment classifier on pairs that it was not trained on.

python measure.py --data ../shared/data --model data/models/nli
"""

import argparse
import json
import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(_HERE), str(_HERE.parent / "training")]

import numpy as np  # noqa: E402
import texts  # noqa: E402
import torch  # noqa: E402
from classifying import Example, all_logits  # noqa: E402
from derived import PairMaker  # noqa: E402
from examples import LABELS, PUBLISHED, derived, published  # noqa: E402
from phrases import learn_nouns  # noqa: E402
from transformers import AutoTokenizer, BertForSequenceClassification  # noqa: E402

_INSTRUMENTS = ("plurals", "relations", "existence", "counting-small-quant", "action-replacement")


def main() -> None:
    """Print accuracies, and what is called a contradiction."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--model", required=True, type=Path)
    given = parser.parse_args()
    torch.set_num_threads(1)
    tokenizer = AutoTokenizer.from_pretrained(given.model)
    model = BertForSequenceClassification.from_pretrained(given.model, dtype=torch.float32).eval()

    def answers(examples: list[Example]) -> np.ndarray:
        return all_logits(model, tokenizer, examples).argmax(axis=1)

    for name in PUBLISHED:
        examples = published(given.data, name, held_out=True)
        right = np.mean(answers(examples) == [example.label for example in examples])
        print(f"{name}: {right:.3f} of {len(examples)} held-out pairs")
    for name in _INSTRUMENTS:
        entries = json.loads((given.data / f"valse/{name}.json").read_text("utf-8")).values()
        pairs = [Example(entry["caption"], 2, entry["foil"]) for entry in entries]
        shares = np.bincount(answers(pairs), minlength=3) / len(pairs)
        named = ", ".join(f"{n} {s:.3f}" for n, s in zip(LABELS, shares, strict=True))
        print(f"VALSE {name}, {len(pairs)} foils: {named}")
        same = [Example(entry["caption"], 0, entry["caption"]) for entry in entries]
        print(f"  captions with themselves called contradiction: {np.mean(answers(same) == 2):.3f}")
    learnt = texts.plain_captions(given.data)
    captions = [text for _, text in texts.coco_val2017(given.data)[::25]]
    made = derived(captions, PairMaker(learnt, learn_nouns(learnt)), 7)
    for kind in dict.fromkeys(kind for _, kind in made):
        examples = [example for example, of_kind in made if of_kind == kind]
        found = answers(examples)
        right = np.mean(found == [example.label for example in examples])
        against = np.mean(found == 2)
        print(f"{kind:20} n {len(examples):4}  right {right:.3f}  contradiction {against:.3f}")


if __name__ == "__main__":
    main()
