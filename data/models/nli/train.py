r"""Train the three-way classifier of premises and hypotheses, from the masked language model.

    python train.py --data ../shared/data --mlm data/models/mlm --work folder \
        --to data/models/nli

A run that was stopped goes on where it was.
"""

import argparse
import sys
from pathlib import Path
from random import Random

_HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(_HERE), str(_HERE.parent / "training")]

import texts  # noqa: E402
import torch  # noqa: E402
from classifying import LabelledBatches, label_loss  # noqa: E402
from derived import PairMaker  # noqa: E402
from examples import LABELS, training_examples  # noqa: E402
from learning import Learner, Plan, add_arguments, save_halved  # noqa: E402
from phrases import learn_nouns  # noqa: E402
from transformers import AutoTokenizer, BertForSequenceClassification  # noqa: E402


def main() -> None:
    """Parse the arguments and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser, steps=1500)
    parser.add_argument("--mlm", required=True, type=Path, help="the trained masked language model")
    parser.add_argument("--captions", type=int, default=14000, help="how many to make pairs of")
    parser.add_argument("--start", type=Path, help="a finished classifier to go on from")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)

    tokenizer = AutoTokenizer.from_pretrained(given.mlm)
    captions = texts.plain_captions(given.data)
    maker = PairMaker(captions, learn_nouns(captions))
    chosen = Random(f"captions {given.seed}").sample(captions, given.captions)
    examples = training_examples(chosen, given.data, maker, given.seed)
    batches = LabelledBatches(examples, tokenizer, 2400, given.seed)
    print(f"{len(examples)} examples, {batches.per_epoch} batches an epoch", flush=True)

    torch.manual_seed(given.seed)
    model = BertForSequenceClassification.from_pretrained(
        given.start or given.mlm,
        dtype=torch.float32,
        id2label=dict(enumerate(LABELS)),
        label2id={label: number for number, label in enumerate(LABELS)},
    )
    model.to(given.device)
    plan = Plan(given.steps, rate=5e-4, matrix_rate=1e-2, cooling=0.6)
    learner = Learner(model, plan, given.work / "nli.pt")

    def export() -> None:
        save_halved(model, given.to)
        tokenizer.save_pretrained(given.to)

    learner.learn(lambda step: label_loss(model, batches.batch(step), smoothing=0.05), export)


if __name__ == "__main__":
    main()
