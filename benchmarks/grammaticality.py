r"""GRUEN's component: batched, against loops that take one sentence at a time.

Both loops ask the same two checkpoints with as many threads. The one pads every sentence to 128
pieces for the classifier, as GRUEN's released code does; the other pads nothing.

python benchmarks/grammaticality.py --captions ../shared/data/coco/captions_val2014_text.txt \
        --language-model data/models/mlm --acceptability data/models/acceptability
"""

import argparse
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoModelForMaskedLM, AutoModelForSequenceClassification, AutoTokenizer

from pipeline.filtering.grammaticality import grammaticality
from pipeline.labels import acceptable_index


def main() -> None:
    """Time all three in turn, several times, and compare what they answer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--captions", required=True, type=Path, help="one caption a line")
    parser.add_argument("--language-model", required=True)
    parser.add_argument("--acceptability", required=True)
    parser.add_argument("--wanted", type=int, default=300)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    captions = _sentences(given.captions, given.wanted)
    loops = Loops(given.language_model, given.acceptability)
    ways: dict[str, Callable[[list[str]], Any]] = {
        "batched": lambda texts: grammaticality(
            texts, language_model=given.language_model, acceptability=given.acceptability
        ),
        "loop of GRUEN's code": lambda texts: [loops.score(text, padded=True) for text in texts],
        "loop without padding": lambda texts: [loops.score(text, padded=False) for text in texts],
    }
    for way in ways.values():
        way(captions[:8])
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    answers = {}
    for _ in range(given.repeats):
        for name, way in ways.items():
            clock, processor = time.perf_counter(), time.process_time()
            answers[name] = np.asarray(way(captions))
            seconds[name].append((time.perf_counter() - clock, time.process_time() - processor))
    print(f"{len(captions)} captions, {given.threads} threads, best of {given.repeats}")
    clock, processor = np.min(seconds["batched"], axis=0)
    for name, taken in seconds.items():
        own_clock, own_processor = np.min(taken, axis=0)
        apart = np.abs(answers[name] - answers["batched"]).max()
        print(
            f"{name:21} {own_clock:7.2f} s, {own_clock / clock:5.1f} times batched; "
            f"processor {own_processor:7.2f} s, {own_processor / processor:5.1f} times; "
            f"apart by at most {apart:.1e}"
        )


class Loops:
    """One sentence at a time."""

    def __init__(self, language_model: str, acceptability: str) -> None:
        float32 = {"dtype": torch.float32}
        self.lm = AutoModelForMaskedLM.from_pretrained(language_model, **float32).eval()
        self.classifier = AutoModelForSequenceClassification.from_pretrained(
            acceptability, **float32
        ).eval()
        self.lm_tokenizer = AutoTokenizer.from_pretrained(language_model)
        self.tokenizer = AutoTokenizer.from_pretrained(acceptability)
        self.column = acceptable_index(self.classifier.config)

    def score(self, sentence: str, *, padded: bool) -> float:
        """GRUEN's component of one sentence."""
        padding = {"padding": "max_length", "max_length": 128} if padded else {}
        inputs = self.lm_tokenizer(sentence, return_tensors="pt")
        with torch.no_grad():
            loss = self.lm(input_ids=inputs["input_ids"], labels=inputs["input_ids"]).loss
            shown = self.tokenizer(sentence, return_tensors="pt", truncation=padded, **padding)
            logit = self.classifier(**shown).logits[0, self.column]
        return max(0.0, (math.exp(-0.5 * math.exp(loss.item())) + logit.item()) / 8 + 0.5)


def _sentences(path: Path, wanted: int) -> list[str]:
    """The first captions of one sentence each."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    single = (line for line in lines if len(line.split()) > 1 and not set(".!?") & set(line[:-1]))
    return [caption for caption, _ in zip(dict.fromkeys(single), range(wanted), strict=False)]


if __name__ == "__main__":
    main()
