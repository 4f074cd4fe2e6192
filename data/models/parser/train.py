r"""Train the embedded parser: a small spaCy pipeline in the scheme of en_core_web_md.

    python train.py --treebank ud_ewt --work first --steps 1500
    python captions.py --treebank ud_ewt --pipeline first/pipeline \
        --captions captions.txt --to trees.jsonl
    python train.py --treebank ud_ewt --work second --to pipeline \
        --start first/pipeline --captions trees.jsonl --steps 3000

Seeded and resumable: run it again with the same --work and it goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from checkpoint import load_checkpoint, save_checkpoint
from conllu import Sentence, read_conllu
from convert_ud import convert
from corpus import batches, references, to_example
from lemmas import add_lemmatizer, add_space_rule

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.training import Example
    from thinc.optimizers import Optimizer

HERE = Path(__file__).resolve().parent

META = {
    "name": "captions_sm",
    "version": "1.0.0",
    "description": "English parser for image captions, in the scheme of spaCy's English models",
    "license": "CC BY-SA 4.0",
    "sources": [
        {"name": "UD English EWT", "license": "CC BY-SA 4.0"},
        {"name": "COCO captions", "license": "CC BY 4.0"},
        {"name": "lemminflect's dictionary (NIH SPECIALIST lexicon)", "license": "MIT"},
    ],
}


def main() -> None:
    """Read options, train, evaluate, save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--treebank", type=Path, required=True, help="folder of UD English EWT")
    parser.add_argument("--work", type=Path, required=True, help="folder for checkpoints and log")
    parser.add_argument("--to", type=Path, help="where the pipeline goes; else into --work")
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--words-per-batch", type=int, default=1000)
    parser.add_argument("--learning-rate", type=float, default=0.001)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--save-every", type=int, default=250)
    parser.add_argument("--start", type=Path, help="a trained pipeline to go on from")
    parser.add_argument("--captions", type=Path, help="trees of captions (JSON lines) to mix in")
    parser.add_argument("--caption-share", type=float, default=0.3)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    treebank = _converted(options.treebank / "en_ewt-ud-train.conllu")
    development = _converted(options.treebank / "en_ewt-ud-dev.conllu")
    captions = list(read_trees(options.captions)) if options.captions else []
    nlp, optimizer = _prepare(treebank, options)
    train(nlp, optimizer, treebank, captions, development, options)
    add_space_rule(nlp)
    add_lemmatizer(nlp, treebank)
    nlp.meta.update(META)
    figures = evaluate(nlp, [to_example(nlp, doc) for doc in references(nlp, development)])
    nlp.meta["performance"] = {name: value / 100 for name, value in figures.items()}
    nlp.to_disk(options.to or options.work / "pipeline")
    print(json.dumps(figures))


def _converted(path: Path) -> list[Sentence]:
    return [convert(sentence) for sentence in read_conllu(path)]


def read_trees(path: Path) -> Iterator[Sentence]:
    """Yield sentences that `captions.py` wrote."""
    from conllu import Word

    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield [Word(*fields) for fields in json.loads(line)]


def _prepare(treebank: list[Sentence], options: argparse.Namespace) -> tuple[Language, Optimizer]:
    import spacy
    from thinc.api import Adam, NumpyOps, fix_random_seed, set_current_ops
    from thinc.schedules import warmup_linear

    # numpy's matrix product is up to three times as fast as thinc's default on recent processors.
    set_current_ops(NumpyOps(use_blis=False))
    fix_random_seed(options.seed)
    config = spacy.util.load_config(HERE / "config.cfg")
    nlp = spacy.util.load_model_from_config(config, auto_fill=True)
    examples = [to_example(nlp, doc) for doc in references(nlp, treebank)]
    nlp.initialize(lambda: examples)
    if options.start:
        nlp.from_disk(options.start, exclude=["lemmatizer", "attribute_ruler"])
    rate = warmup_linear(options.learning_rate, options.steps // 50, options.steps)
    return nlp, Adam(learn_rate=rate, L2=0.01, L2_is_weight_decay=True, use_averages=False)


def train(
    nlp: Language,
    optimizer: Optimizer,
    treebank: list[Sentence],
    captions: list[Sentence],
    development: list[Sentence],
    options: argparse.Namespace,
) -> None:
    """Run the steps that are left; log figures on the development part at some checkpoints."""
    from thinc.api import fix_random_seed

    checkpoint = options.work / "checkpoint"
    step = load_checkpoint(checkpoint, nlp, optimizer) if checkpoint.is_dir() else 0
    # The optimizer's schedule counts its own steps.
    for _ in range(step):
        optimizer.step_schedules()
    held_out = [to_example(nlp, doc) for doc in references(nlp, development)]
    started, losses = time.monotonic(), {}
    for batch in _from_step(nlp, treebank, captions, step, options):
        # Dropout and the parser's cut of long sentences draw from the global generators.
        fix_random_seed(options.seed + step)
        nlp.update(batch, sgd=False, drop=options.dropout, losses=losses)  # type: ignore[arg-type]
        # Only now has every component handed its gradient down to the shared layers.
        for _, pipe in nlp.pipeline:
            pipe.finish_update(optimizer)  # type: ignore[attr-defined]
        optimizer.step_schedules()
        step += 1
        if step % options.save_every == 0 or step == options.steps:
            save_checkpoint(checkpoint, nlp, optimizer, step)
            figures = evaluate(nlp, held_out) if step % (4 * options.save_every) == 0 else {}
            _log(options.work / "log.jsonl", step, started, losses, figures)
            losses = {}


def _from_step(
    nlp: Language,
    treebank: list[Sentence],
    captions: list[Sentence],
    step: int,
    options: argparse.Namespace,
) -> Iterator[list[Example]]:
    """Yield the batches from a step on; each epoch is drawn from its own seed."""
    number, epoch = 0, 0
    while True:
        random = Random(options.seed * 1000 + epoch)
        sentences = list(treebank)
        if captions:
            share = options.caption_share / (1 - options.caption_share)
            wanted = sum(map(len, treebank)) * share / np.mean([len(c) for c in captions])
            sentences += random.sample(captions, min(len(captions), int(wanted)))
        for batch in batches(nlp, sentences, options.words_per_batch, random):
            if number == options.steps:
                return
            number += 1
            if number > step:
                yield batch
        epoch += 1


def evaluate(nlp: Language, examples: list[Example]) -> dict[str, float]:
    """Return tag, POS, morphology, UAS, LAS and sentence figures in percent."""
    from spacy.training import Example

    fresh = [
        Example(nlp.make_doc(example.reference.text), example.reference) for example in examples
    ]
    scores = nlp.evaluate(fresh)
    names = ("tag_acc", "pos_acc", "morph_acc", "dep_uas", "dep_las", "sents_f", "lemma_acc")
    return {name: round(100 * scores[name], 2) for name in names if scores.get(name) is not None}


def _log(
    path: Path, step: int, started: float, losses: dict[str, float], figures: dict[str, float]
) -> None:
    seconds = round(time.monotonic() - started)
    record = {"step": step, "seconds": seconds, **figures}
    record |= {f"loss_{name}": round(float(loss), 1) for name, loss in losses.items()}
    line = json.dumps(record)
    with path.open("a", encoding="utf-8") as log:
        log.write(line + "\n")
    print(line, flush=True)


if __name__ == "__main__":
    main()
