r"""Measure the acceptability classifier on captions and BLiMP items that it was not trained on.

python measure.py --data ../shared/data --mlm data/models/mlm \
        --model data/models/acceptability
"""

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path

_HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(_HERE), str(_HERE.parent / "training")]

import numpy as np  # noqa: E402
import texts  # noqa: E402
import torch  # noqa: E402
from calibration import component, fluency_terms  # noqa: E402
from classifying import Example, all_logits  # noqa: E402
from errors import ErrorMaker  # noqa: E402
from examples import blimp_part, broken  # noqa: E402
from phrases import learn_nouns  # noqa: E402
from transformers import (  # noqa: E402
    AutoTokenizer,
    BertForMaskedLM,
    BertForSequenceClassification,
)
from words import attested_runs  # noqa: E402

_INSTRUMENTS = ("plurals", "relations", "existence", "counting-small-quant", "action-replacement")


def main() -> None:
    """Print AUROC and share kept per kind of error, and the accuracy on BLiMP."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--mlm", required=True, type=Path)
    parser.add_argument("--model", required=True, type=Path)
    parser.add_argument("--wanted", type=int, default=300, help="broken captions of each kind")
    given = parser.parse_args()
    torch.set_num_threads(1)
    tokenizer = AutoTokenizer.from_pretrained(given.model)
    mlm = BertForMaskedLM.from_pretrained(given.mlm, dtype=torch.float32).eval()
    model = BertForSequenceClassification.from_pretrained(given.model, dtype=torch.float32).eval()

    learnt = texts.plain_captions(given.data)
    maker = ErrorMaker(learn_nouns(learnt), frozenset(attested_runs(learnt, at_least=1)))
    # The odd images served to fit the threshold.
    captions = [text for image, text in texts.coco_val2017(given.data) if image % 2 == 0][::3]
    real = captions[:1000]
    real_logits = _logits(model, tokenizer, real)
    kept = component(fluency_terms(mlm, tokenizer, real), real_logits) >= 0.8
    print(f"real captions kept by the threshold 0.8: {kept.mean():.3f}")
    for kind in maker.kinds:
        pairs = broken(captions, kind, maker, given.wanted, 7)
        wrong = [bad for _, bad in pairs]
        logits = _logits(model, tokenizer, wrong)
        kept = component(fluency_terms(mlm, tokenizer, wrong), logits) >= 0.8
        own = _logits(model, tokenizer, [good for good, _ in pairs])
        print(
            f"{kind:22} n {len(pairs):4}  AUROC {_auroc(real_logits, logits):.3f}  "
            f"pairs {np.mean(own > logits):.3f}  kept {kept.mean():.3f}"
        )
    for name in _INSTRUMENTS:
        entries = json.loads((given.data / f"valse/{name}.json").read_text("utf-8")).values()
        for side in ("caption", "foil"):
            sentences = [texts.clean(entry[side]) for entry in entries]
            logits = _logits(model, tokenizer, sentences)
            kept = component(fluency_terms(mlm, tokenizer, sentences), logits) >= 0.8
            print(f"VALSE {name}: {side}s kept {kept.mean():.3f}")
    _measure_blimp(model, tokenizer, given.data)


def _logits(model, tokenizer, sentences: list[str]) -> np.ndarray:
    return all_logits(model, tokenizer, [Example(text, 1) for text in sentences])[:, 1]


def _auroc(above: np.ndarray, below: np.ndarray) -> float:
    """The chance that one of the first outranks one of the second, ties one half."""
    differences = above[:, None] - below[None, :]
    return float(np.mean(differences > 0) + np.mean(differences == 0) / 2)


def _measure_blimp(model, tokenizer, data: Path) -> None:
    right = defaultdict(list)
    pairs = list(blimp_part(data, held_out=True, wanted=0))
    good = _logits(model, tokenizer, [good for _, good, _ in pairs])
    bad = _logits(model, tokenizer, [bad for _, _, bad in pairs])
    for (paradigm, _, _), is_right in zip(pairs, good > bad, strict=True):
        right["all"].append(is_right)
        if "agreement" in paradigm:
            right[paradigm].append(is_right)
    for paradigm, answers in right.items():
        print(f"BLiMP {paradigm}: {np.mean(answers):.3f} of {len(answers)} pairs")


if __name__ == "__main__":
    main()
