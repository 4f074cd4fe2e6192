r"""Train the classifier of acceptable and broken captions, from the masked language model.

    python train.py --data ../shared/data --mlm data/models/mlm --work folder \
        --to data/models/acceptability

A run that was stopped goes on where it was.
"""

import argparse
import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(_HERE), str(_HERE.parent / "training")]

import texts  # noqa: E402
import torch  # noqa: E402
from calibration import calibrate  # noqa: E402
from classifying import LabelledBatches, label_loss  # noqa: E402
from errors import ErrorMaker  # noqa: E402
from examples import training_examples  # noqa: E402
from learning import Learner, Plan, add_arguments, save_halved  # noqa: E402
from phrases import learn_nouns  # noqa: E402
from transformers import AutoTokenizer, BertForMaskedLM, BertForSequenceClassification  # noqa: E402
from words import attested_runs  # noqa: E402


def main() -> None:
    """Parse the arguments, train and calibrate."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser, steps=1500)
    parser.add_argument("--mlm", required=True, type=Path, help="the trained masked language model")
    parser.add_argument("--blimp", type=int, default=450, help="training pairs of each paradigm")
    parser.add_argument("--start", type=Path, help="a finished classifier to go on from")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)

    tokenizer = AutoTokenizer.from_pretrained(given.mlm)
    captions = texts.plain_captions(given.data)
    maker = ErrorMaker(learn_nouns(captions), frozenset(attested_runs(captions, at_least=1)))
    examples = training_examples(captions, given.data, maker, given.blimp, given.seed)
    batches = LabelledBatches(examples, tokenizer, 2000, given.seed)
    print(f"{len(examples)} examples, {batches.per_epoch} batches an epoch", flush=True)

    torch.manual_seed(given.seed)
    model = BertForSequenceClassification.from_pretrained(
        given.start or given.mlm,
        dtype=torch.float32,
        id2label={0: "unacceptable", 1: "acceptable"},
        label2id={"unacceptable": 0, "acceptable": 1},
    )
    model.to(given.device)
    plan = Plan(given.steps, rate=5e-4, matrix_rate=5e-3, cooling=0.6)
    learner = Learner(model, plan, given.work / "acceptability.pt")

    def export() -> None:
        save_halved(model, given.to)
        tokenizer.save_pretrained(given.to)

    learner.learn(lambda step: label_loss(model, batches.batch(step)), export)
    mlm = BertForMaskedLM.from_pretrained(given.mlm, dtype=torch.float32).eval()
    tuning = [caption for image, caption in texts.coco_val2017(given.data) if image % 2]
    kept = calibrate(model.cpu().eval(), mlm, tokenizer, tuning[:2500])
    print(f"{kept:.3f} of the tuning captions pass")
    export()


if __name__ == "__main__":
    main()
