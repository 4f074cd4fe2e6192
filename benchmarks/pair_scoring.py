"""How much faster pairs are scored than one at a time, with the same weights in the same run.

The plain loop does what VALSE's scripts do: open the image, call `CLIPProcessor` and `CLIPModel`
for one pair, and go on to the next. Ours scores the same pairs through `evaluate_instances`, from
image files to the table. The weights are those of a ViT-B/32 in size, drawn at random. Images and
texts repeat as often as in VALSE, where 15,404 pairs hold 6,226 images and 12,156 texts.

    python benchmarks/pair_scoring.py [--pairs 190] [--images FOLDER_OF_JPEG] [--threads 1]

Without a folder of photographs, pictures of their usual size are drawn. The loop runs one half of
the pairs before ours and the other half after, so that a machine that slows down is fair to both.
Where others use the machine too, the processor time of one thread tells more than the clock.
"""

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch
import transformers
from PIL import Image
from rich.console import Console
from rich.progress import Progress, track
from rich.table import Table

from pipeline.evaluating.images import images_in
from pipeline.evaluating.runner import evaluate_instances
from pipeline.evaluating.scorers import Settings, open_scorer
from pipeline.instance import ImageRef, Instance, Provenance, SourceRef, find_edit, instance_id

IMAGES_PER_PAIR = 6226 / 15404
TEXTS_PER_PAIR = 12156 / 15404
TARGETS = {"fp32": 3.0, "bf16": 7.0}
MOST_DIFFERENCE = 1e-4

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_QUALITIES = ("red", "old", "small", "wet", "wooden", "young", "striped", "empty", "tall")
_THINGS = ("dogs", "horses", "chairs", "people", "cars", "birds", "plates", "clocks", "sheep")
_DEEDS = ("standing", "lying", "waiting", "seen", "moving", "left", "gathered", "shown")
_PLACES = ("street", "table", "beach", "kitchen", "field", "window", "station", "garden", "snow")
_OTHERS = ("there", "are", "exactly", "the", "on", "near", "in", "front", "of", "behind", "a", ".")

console = Console(width=100)


@dataclass(frozen=True, slots=True)
class Timing:
    """What one way of scoring took and gave; scores of shape (pairs, 2), caption and foil."""

    name: str
    seconds: float
    processor_seconds: float
    scores: np.ndarray


def main() -> None:
    """Run the loop and ours on the same pairs and print both."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=190)
    parser.add_argument("--images", type=Path, help="a folder of JPEG photographs")
    parser.add_argument("--threads", type=int, help="of torch; as many as it likes if not given")
    arguments = parser.parse_args()
    if arguments.pairs < 2:
        parser.error("--pairs must be at least 2")
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    transformers.utils.logging.disable_progress_bar()
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        console.print("saving a ViT-B/32 with random weights ...")
        checkpoint = save_checkpoint(work / "vit-b-32")
        photographs = choose_photographs(
            arguments.images, work / "images", round(arguments.pairs * IMAGES_PER_PAIR)
        )
        pairs = make_pairs(photographs, arguments.pairs)
        precisions = ["fp32", "bf16"] if _has_bf16() else ["fp32"]
        timings = compare(checkpoint, photographs[0].parent, pairs, precisions)
    print_facts(pairs, drawn=arguments.images is None)
    print_comparison(timings)


def compare(
    checkpoint: Path, folder: Path, pairs: Sequence[Instance], precisions: Sequence[str]
) -> list[Timing]:
    """Time the loop and then ours in each precision; opening the checkpoint is not timed."""
    score_pair = plain_scorer(checkpoint, folder)
    half = len(pairs) // 2
    score_pair(pairs[0])
    before = run_plain(score_pair, pairs[:half], "plain loop, first half")
    ours = [run_ours(checkpoint, folder, pairs, precision) for precision in precisions]
    after = run_plain(score_pair, pairs[half:], "plain loop, second half")
    plain = Timing(
        "plain loop, fp32",
        before.seconds + after.seconds,
        before.processor_seconds + after.processor_seconds,
        np.concatenate([before.scores, after.scores]),
    )
    return [plain, *ours]


def plain_scorer(checkpoint: Path, folder: Path) -> Callable[[Instance], list[float]]:
    """The plain way: one image and its two texts through processor and model."""
    from transformers import AutoTokenizer, CLIPImageProcessorPil, CLIPModel, CLIPProcessor

    model = CLIPModel.from_pretrained(checkpoint).eval()
    processor = CLIPProcessor(
        CLIPImageProcessorPil.from_pretrained(checkpoint), AutoTokenizer.from_pretrained(checkpoint)
    )

    def score(pair: Instance) -> list[float]:
        image = Image.open(folder / pair.image.file_name)
        texts = [pair.caption, pair.foil]
        inputs = processor(text=texts, images=image, return_tensors="pt", padding=True)
        with torch.no_grad():
            return model(**inputs).logits_per_image[0].tolist()

    return score


def run_plain(
    score_pair: Callable[[Instance], list[float]], pairs: Sequence[Instance], name: str
) -> Timing:
    """Time the loop."""
    clock, processor = time.perf_counter(), time.process_time()
    scores = [score_pair(pair) for pair in track(pairs, name, console=console, transient=True)]
    seconds, processor_seconds = time.perf_counter() - clock, time.process_time() - processor
    return Timing(name, seconds, processor_seconds, np.array(scores))


def run_ours(checkpoint: Path, folder: Path, pairs: Sequence[Instance], precision: Any) -> Timing:
    """Time `evaluate_instances`, after one small run that lets torch choose its kernels."""
    scorer = open_scorer(str(checkpoint), Settings(precision=precision))
    evaluate_instances(pairs[:2], scorer, images_in(folder))
    with Progress(console=console, transient=True) as bars:
        tasks: dict[str, Any] = {}

        def show(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(f"every {what[:-1]} once, {precision}", total=total)
            bars.update(tasks[what], completed=done)

        clock, processor = time.perf_counter(), time.process_time()
        table = evaluate_instances(pairs, scorer, images_in(folder), show)
        seconds, processor_seconds = time.perf_counter() - clock, time.process_time() - processor
    columns = [table[name].to_numpy() for name in ("caption_score", "foil_score")]
    scores = np.stack(columns, axis=1)
    return Timing(f"ours, {precision}", seconds, processor_seconds, scores)


def save_checkpoint(folder: Path) -> Path:
    """A ViT-B/32 with random weights, and a tokenizer with one token a word of ours."""
    from transformers import CLIPConfig, CLIPImageProcessorPil, CLIPModel, CLIPTokenizer

    folder.mkdir()
    words = [*_COUNTS, *_QUALITIES, *_THINGS, *_DEEDS, *_PLACES, *_OTHERS]
    letters = sorted(set("".join(words)))
    merges = list(dict.fromkeys(merge for word in words for merge in _merges(word)))
    tokens = [*letters, *(f"{letter}</w>" for letter in letters), *map("".join, merges)]
    vocabulary = {token: number for number, token in enumerate(dict.fromkeys(tokens))}
    vocabulary |= {"<|startoftext|>": 49406, "<|endoftext|>": 49407}
    (folder / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    lines = ["#version: 0.2", *map(" ".join, merges), ""]
    (folder / "merges.txt").write_text("\n".join(lines), encoding="utf-8")
    CLIPTokenizer(str(folder / "vocab.json"), str(folder / "merges.txt")).save_pretrained(folder)
    CLIPImageProcessorPil().save_pretrained(folder)
    torch.manual_seed(0)
    CLIPModel(CLIPConfig()).save_pretrained(folder)
    return folder


def _merges(word: str) -> Iterator[tuple[str, str]]:
    """The merges that build a word from its letters, from left to right."""
    pieces = [*word[:-1], f"{word[-1]}</w>"]
    built = pieces[0]
    for piece in pieces[1:]:
        yield built, piece
        built += piece


def choose_photographs(given: Path | None, drawn: Path, count: int) -> list[Path]:
    """So many JPEG files of one folder: those given, or drawn ones of 640 x 480 pixels."""
    if given is not None:
        photographs = sorted(given.glob("*.jpg"))[:count]
        if len(photographs) < count:
            needed = f"{count} photographs are needed for this many pairs"
            raise SystemExit(f"{given} holds {len(photographs)} JPEG files; {needed}")
        return photographs
    drawn.mkdir()
    generator = np.random.default_rng(0)
    for number in range(count):
        coarse = generator.integers(0, 256, (48, 64, 3), dtype=np.uint8)
        picture = Image.fromarray(coarse).resize((640, 480), Image.Resampling.BICUBIC)
        picture.save(drawn / f"{number:05}.jpg", quality=90)
    return sorted(drawn.glob("*.jpg"))


def make_pairs(photographs: Sequence[Path], count: int) -> list[Instance]:
    """Pairs whose images and texts repeat as in VALSE, in an order of no pattern."""
    random = Random(0)
    texts: dict[str, None] = {}
    while len(texts) < round(count * TEXTS_PER_PAIR):
        texts[_statement(random)] = None
    pool = list(texts)
    pairs = [
        _pair(number, photographs[number % len(photographs)], pool[place], pool[place - 1])
        for number, place in enumerate(number % len(pool) for number in range(count))
    ]
    random.shuffle(pairs)
    return pairs


def _statement(random: Random) -> str:
    quality = random.choice([[], [random.choice(_QUALITIES)]])
    where = random.choice(["on the", "near the", "in front of the", "behind a"])
    words = ["there are", *random.choice([[], ["exactly"]]), random.choice(_COUNTS), *quality]
    words += [random.choice(_THINGS), random.choice(_DEEDS), where, random.choice(_PLACES), "."]
    return " ".join(words)


def _pair(number: int, photograph: Path, caption: str, foil: str) -> Instance:
    source, edit = SourceRef("drawn", "test", str(number), caption), find_edit(caption, foil)
    return Instance(
        id=instance_id(source, "benchmark", caption, foil, edit),
        piece="benchmark",
        instrument="benchmark",
        image=ImageRef("drawn", photograph.name, "test"),
        caption=caption,
        foil=foil,
        edit=edit,
        source=source,
        provenance=Provenance("benchmark", 1, 0),
    )


def _has_bf16() -> bool:
    capabilities = torch.cpu.get_capabilities()
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16"))


def print_facts(pairs: Sequence[Instance], drawn: bool) -> None:
    """What was scored, on what."""
    images = len({pair.image for pair in pairs})
    texts = len({text for pair in pairs for text in (pair.caption, pair.foil)})
    capabilities = torch.cpu.get_capabilities()
    bf16 = [name for name in ("amx_bf16", "avx512_bf16") if capabilities.get(name)]
    load = os.getloadavg()[0]
    console.print(
        f"{len(pairs)} pairs of {images} {'drawn pictures' if drawn else 'photographs'} "
        f"and {texts} texts; {capabilities.get('cpu_name', 'unknown processor')}, "
        f"{os.cpu_count()} processors, {torch.get_num_threads()} torch threads, "
        f"bf16: {', '.join(bf16) or 'no'}; torch {torch.__version__}, "
        f"transformers {transformers.__version__}; load average {load:.1f}"
    )


def print_comparison(timings: Sequence[Timing]) -> None:
    """Speeds beside that of the first, targets, and how far the scores are from its scores."""
    table = Table()
    headings = ("s", "cpu s", "pairs/s", "ratio", "cpu ratio", "target", "difference")
    for name in ("way", *headings):
        table.add_column(name, justify="left" if name == "way" else "right", no_wrap=True)
    plain = timings[0]
    for timing in timings:
        difference = np.abs(timing.scores - plain.scores).max()
        table.add_row(
            timing.name,
            f"{timing.seconds:.1f}",
            f"{timing.processor_seconds:.1f}",
            f"{len(timing.scores) / timing.seconds:.1f}",
            f"{plain.seconds / timing.seconds:.2f}",
            f"{plain.processor_seconds / timing.processor_seconds:.2f}",
            "" if timing is plain else f"{TARGETS[timing.name[-4:]]:.0f}",
            "" if timing is plain else f"{difference:.1e}",
        )
    console.print(table)
    exact = np.abs(timings[1].scores - plain.scores).max() <= MOST_DIFFERENCE
    verdict = "equal" if exact else "NOT equal"
    console.print(f"fp32 scores are {verdict} to the plain loop's within {MOST_DIFFERENCE:g}")


if __name__ == "__main__":
    main()
