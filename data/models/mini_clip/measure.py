"""Measure the mini CLIP on the sample world's questions: existence and counting pairs.

    python measure.py [MODEL_FOLDER] [--split val]

Statements and foils are made by the pipeline's own functions, before filters and balancing.
"""

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from transformers import CLIPImageProcessorPil, CLIPModel, CLIPTokenizer

from pipeline.errors import Refusal
from pipeline.foiling.counting import exactly, renumber
from pipeline.foiling.existence import existence_caption, flip_existence
from pipeline.language.declarative import declare
from pipeline.sources.records import Question, Reject
from pipeline.sources.visual7w import read

_HERE = Path(__file__).resolve().parent
_SAMPLE = _HERE.parents[1] / "sample"
_DRAWS = 2000


def main() -> None:
    """Print one line per sort of pair."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model", nargs="?", type=Path, default=_HERE)
    parser.add_argument("--split", help="train, val or test; all by default")
    given = parser.parse_args()
    questions = list(read(_SAMPLE / "visual7w/dataset_v7w_telling.json", given.split, _leave))
    print(f"{len(questions)} counting questions")
    prefer = Preference(given.model)
    for sort, pairs in {
        "existence, absent": list(_existence(q for q in questions if q.number == 0)),
        "existence, present": list(_existence(q for q in questions if q.number)),
        "counting, any numbers": list(_counting(questions, (0, 10))),
        "counting, both 0-3": list(_counting([q for q in questions if q.number < 4], (0, 3))),
        "counting, 4 and more against 0-3": list(
            _counting([q for q in questions if q.number > 3], (0, 3))
        ),
    }.items():
        print(f"{sort}: {_figure(np.array([prefer(*pair) for pair in pairs]))}")


class Preference:
    """Cosine of the caption less that of the foil, each picture encoded once."""

    def __init__(self, folder: Path) -> None:
        self._model = CLIPModel.from_pretrained(folder, dtype=torch.float32).eval()
        self._tokenizer = CLIPTokenizer.from_pretrained(folder)
        self._processor = CLIPImageProcessorPil.from_pretrained(folder)
        self._seen: dict[str, torch.Tensor] = {}

    @torch.inference_mode()
    def __call__(self, file_name: str, caption: str, foil: str) -> float:
        """The margin of one pair, between -2 and 2."""
        if file_name not in self._seen:
            with Image.open(_SAMPLE / "images" / file_name) as picture:
                pixels = self._processor(picture, return_tensors="pt").pixel_values
            image = self._model.visual_projection(
                self._model.vision_model(pixel_values=pixels).pooler_output
            )
            self._seen[file_name] = torch.nn.functional.normalize(image, dim=-1)[0]
        tokens = self._tokenizer(
            [caption, foil], padding=True, truncation=True, return_tensors="pt"
        )
        texts = self._model.text_projection(self._model.text_model(**tokens).pooler_output)
        texts = torch.nn.functional.normalize(texts, dim=-1)
        return float((texts[0] - texts[1]) @ self._seen[file_name])


Pair = tuple[str, str, str]


def _existence(questions: Iterator[Question]) -> Iterator[Pair]:
    for question in questions:
        try:
            caption = existence_caption(declare(question.question, question.number))
            yield question.image.file_name, caption, flip_existence(caption)
        except Refusal:
            continue


def _counting(questions: list[Question], foils: tuple[int, int]) -> Iterator[Pair]:
    """Pairs whose foil numbers are drawn from the numbers of the captions where they can be."""
    rng = random.Random(1)
    numbers = [q.number for q in questions if foils[0] <= q.number <= foils[1]]
    for question in questions:
        pool = [n for n in numbers or range(foils[0], foils[1] + 1) if n != question.number]
        try:
            caption = exactly(declare(question.question, question.number))
            yield question.image.file_name, caption, renumber(caption, rng.choice(pool))
        except Refusal:
            continue


def _figure(margins: np.ndarray) -> str:
    """The share of positive margins with a 95 % interval by bootstrap."""
    better = margins > 0
    draws = np.random.default_rng(1).choice(better, (_DRAWS, len(better))).mean(1)
    low, high = np.quantile(draws, (0.025, 0.975))
    return f"acc_r {better.mean():.3f} [{low:.3f}, {high:.3f}], n {len(better)}"


def _leave(reject: Reject) -> None:
    """Questions that do not count are of no use here."""


if __name__ == "__main__":
    main()
