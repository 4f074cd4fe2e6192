"""Measure how often the masked language model gives back a masked run of prepositions.

python measure.py --data ../shared/data --model data/models/mlm
"""

import argparse
import json
import re
import sys
from collections import Counter
from pathlib import Path
from random import Random

_HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(_HERE.parent / "training")]

import texts  # noqa: E402
import torch  # noqa: E402
from transformers import AutoTokenizer, BertForMaskedLM  # noqa: E402
from words import attested_runs, preposition_runs  # noqa: E402

from pipeline.proposing import Manner, propose  # noqa: E402

_WORD = re.compile(r"[\w'-]+|[^\w\s]")
Item = tuple[str, tuple[int, int], str]


def main() -> None:
    """Print the share of runs that come first and among the first five, per test set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--model", required=True, type=Path)
    parser.add_argument("--captions", type=int, default=1000, help="how many of val2017 to draw")
    given = parser.parse_args()
    torch.set_num_threads(1)
    model = BertForMaskedLM.from_pretrained(given.model, dtype=torch.float32).eval()
    tokenizer = AutoTokenizer.from_pretrained(given.model)
    counts = attested_runs(texts.captions(given.data), at_least=20)
    published = _published(given.data)
    of_valse = sorted({answer for _, _, answer in published} | _foil_runs(given.data))
    natural = _natural(given.data, counts, given.captions)
    for name, items, listed in (
        ("VALSE relations, VALSE's list", published, of_valse),
        ("VALSE relations, corpus list", published, list(counts)),
        ("val2017 runs, VALSE's list", [i for i in natural if i[2] in of_valse], of_valse),
        ("val2017 runs, corpus list", natural, list(counts)),
    ):
        prior = sorted(listed, key=lambda run: -counts[run])
        print(f"{name}: {len(items)} runs, {len(listed)} listed")
        print(f"  prior  {_shares([prior] * len(items), items)}")
        for mean in (False, True):
            best = propose(
                [caption for caption, _, _ in items],
                [span for _, span, _ in items],
                listed,
                model,
                tokenizer,
                top_k=len(listed),
                manner=Manner.JOINT,
                mean=mean,
            )
            ranked = [[proposal.text for proposal in row] for row in best]
            print(f"  {'mean ' if mean else 'joint'}  {_shares(ranked, items)}")


def _shares(ranked: list[list[str]], items: list[Item]) -> str:
    first = sum(row[0] == answer for row, (_, _, answer) in zip(ranked, items, strict=True))
    five = sum(answer in row[:5] for row, (_, _, answer) in zip(ranked, items, strict=True))
    return f"first {first / len(items):.3f}  first five {five / len(items):.3f}"


def _published(data: Path) -> list[Item]:
    """The changed preposition of each published relation caption."""
    items = []
    for entry in json.loads((data / "valse/relations.json").read_text("utf-8")).values():
        caption, answer = entry["caption"].lower(), entry["classes"].lower()
        places = [m.span() for m in re.finditer(rf"\b{re.escape(answer)}\b", caption)]
        # Where the word stands twice, the foil tells which one was changed.
        words = re.findall(r"\w+", entry["foil"].lower())
        for start, end in places:
            changed = caption[:start] + entry["classes_foil"].lower() + caption[end:]
            if re.findall(r"\w+", changed) == words:
                items.append((caption, (start, end), answer))
                break
    return items


def _foil_runs(data: Path) -> set[str]:
    entries = json.loads((data / "valse/relations.json").read_text("utf-8")).values()
    return {entry["classes_foil"].lower() for entry in entries}


def _natural(data: Path, counts: Counter[str], wanted: int) -> list[Item]:
    """One attested run of each drawn caption of val2017, none of which was trained on."""
    rng = Random("captions to measure on")
    items = []
    for _, caption in rng.sample(texts.coco_val2017(data), wanted):
        words = list(_WORD.finditer(caption))
        runs = [
            (caption, (words[start].start(), words[end - 1].end()))
            for start, end in preposition_runs([word.group() for word in words])
        ]
        found = [(text, span, text[slice(*span)]) for text, span in runs]
        found = [item for item in found if item[2] in counts]
        if found:
            items.append(rng.choice(found))
    return items


if __name__ == "__main__":
    main()
