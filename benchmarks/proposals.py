r"""Proposals for preposition spans: batched, against one `fill-mask` call for each mask.

python benchmarks/proposals.py --captions ../shared/data/coco/captions_val2014_text.txt \
        --checkpoint data/models/mlm
"""

import argparse
import re
import time
from pathlib import Path

import torch
from transformers import AutoModelForMaskedLM, AutoTokenizer, pipeline

from pipeline.proposing import propose

LISTED = ["on", "in", "at", "with", "under", "over", "behind", "near", "by", "beside", "above"]


def main() -> None:
    """Time both and compare what they answer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--captions", required=True, type=Path, help="one caption a line")
    parser.add_argument("--checkpoint", required=True, help="a masked language model")
    parser.add_argument("--spans", type=int, default=400)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    model = AutoModelForMaskedLM.from_pretrained(given.checkpoint, dtype=torch.float32).eval()
    tokenizer = AutoTokenizer.from_pretrained(given.checkpoint)
    captions, spans = _draw(given.captions, given.spans)

    begun = time.perf_counter()
    batched = propose(captions, spans, LISTED, model, tokenizer, top_k=1)
    batched_seconds = time.perf_counter() - begun

    fill = pipeline("fill-mask", model=model, tokenizer=tokenizer, device="cpu")
    begun = time.perf_counter()
    answers = [
        fill(caption[:start] + tokenizer.mask_token + caption[end:], targets=LISTED)[0]["token_str"]
        for caption, (start, end) in zip(captions, spans, strict=True)
    ]
    single_seconds = time.perf_counter() - begun

    alike = sum(best[0].text == answer for best, answer in zip(batched, answers, strict=True))
    print(f"batched      {batched_seconds:7.2f} s")
    print(f"one by one   {single_seconds:7.2f} s")
    print(f"times faster {single_seconds / batched_seconds:7.1f}")
    print(f"same answer  {alike} of {len(captions)}")


def _draw(path: Path, wanted: int) -> tuple[list[str], list[tuple[int, int]]]:
    """The first captions with a listed preposition, and where the first one stands."""
    word = re.compile(rf"\b({'|'.join(LISTED)})\b")
    captions, spans = [], []
    for caption in path.read_text(encoding="utf-8").splitlines():
        found = word.search(caption)
        if found and len(captions) < wanted:
            captions.append(caption)
            spans.append(found.span())
    return captions, spans


if __name__ == "__main__":
    main()
