r"""Plurality's rules with their parse, against the parse alone, over the same captions.

python benchmarks/plurality.py --captions ../shared/data/coco/annotations/captions_val2017.json
"""

import argparse
import itertools
import time
from pathlib import Path
from random import Random

from pipeline.errors import Refusal
from pipeline.foiling.plurality import plurality, prepare
from pipeline.foiling.target import Target
from pipeline.language.parse import parse
from pipeline.sources.coco import read
from pipeline.sources.records import Caption


def main() -> None:
    """Time both in turn, three times each, and print the least processor time of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--captions", required=True, type=Path, help="COCO's captions_*.json")
    parser.add_argument("--number", type=int, default=2000)
    given = parser.parse_args()
    captions = list(itertools.islice(read(given.captions), given.number))
    _foil(captions[:100])  # opens the parser, WordNet and CheckList
    alone, whole = [], []
    for _ in range(3):
        begun = time.process_time()
        for _ in parse(caption.text for caption in captions):
            pass
        alone.append(time.process_time() - begun)
        begun = time.process_time()
        candidates = _foil(captions)
        whole.append(time.process_time() - begun)
    print(f"captions         {len(captions):7d}, {candidates} candidates")
    print(f"parser alone     {min(alone):7.2f} s")
    print(f"parser and rules {min(whole):7.2f} s")
    print(f"times as long    {min(whole) / min(alone):7.2f}")


def _foil(captions: list[Caption]) -> int:
    """How many candidates there are."""
    target, made = Target("plurality", "plurality", 0), 0
    for caption, prepared in zip(captions, prepare(captions, profile="embedded"), strict=True):
        try:
            foiled = list(plurality(caption, Random(0), target, prepared=prepared))
        except Refusal:
            continue
        made += sum(not isinstance(one, Refusal) for one in foiled)
    return made


if __name__ == "__main__":
    main()
