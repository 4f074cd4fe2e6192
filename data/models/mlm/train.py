"""Train the masked language model on captions.

    python train.py --data ../shared/data --work work_folder --to data/models/mlm

A run that was stopped goes on where it was. The tokenizer learnt here serves all the other
language checkpoints too.
"""

import argparse
import sys
from pathlib import Path
from random import Random

_HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(_HERE.parent / "training")]

import texts  # noqa: E402
import torch  # noqa: E402
from learning import Learner, Plan, add_arguments, save_halved  # noqa: E402
from masking import MaskedBatches, join_some, prepare  # noqa: E402
from numbers_of_phrases import state  # noqa: E402
from phrases import join, learn_nouns, split  # noqa: E402
from transformers import BertConfig, BertForMaskedLM, BertTokenizer  # noqa: E402
from vocabulary import learn_tokenizer  # noqa: E402

_PIECES = 7000
_JOINED = 0.03


def main() -> None:
    """Parse the arguments and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser, steps=3000)
    parser.add_argument("--start", type=Path, help="a finished model to go on from")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    given.work.mkdir(parents=True, exist_ok=True)

    captions = texts.captions(given.data)
    if given.start is None:
        sentences = texts.inference_sentences(given.data)
        grammatical = [good for _, good, _ in texts.blimp(given.data)]
        tokenizer = _tokenizer(captions + sentences + grammatical[::4], given.work)
    else:
        tokenizer = BertTokenizer.from_pretrained(given.start)
    flickr = sorted({text for pair in texts.snli(given.data) for text in pair[1:]})
    learnt = [*captions, *flickr]
    nouns = learn_nouns(captions)
    rng = Random(f"statements {given.seed}")
    stated = (state(split(text), nouns, rng) for text in rng.sample(captions, len(captions) // 5))
    learnt += [join(words) for words in stated if words]
    learnt += join_some(learnt, _JOINED, Random(f"joined {given.seed}"))
    batches = MaskedBatches(prepare(learnt, tokenizer), tokenizer, 1500, given.seed)
    print(f"{len(learnt)} texts, {batches.per_epoch} batches an epoch", flush=True)

    if given.start is None:
        model = build_model(len(tokenizer), given.seed)
    else:
        model = BertForMaskedLM.from_pretrained(given.start, dtype=torch.float32)
    model.to(given.device)
    learner = Learner(model, Plan(given.steps), given.work / "mlm.pt")

    def loss_of(step: int) -> torch.Tensor:
        batch = batches.batch(step)
        with torch.autocast(model.device.type, torch.bfloat16):
            hidden = model.bert(batch.inputs.to(model.device)).last_hidden_state
            # Only the masked places go through the head, which costs as much as the layers.
            scores = model.cls(hidden.flatten(0, 1)[batch.places.to(model.device)])
        return torch.nn.functional.cross_entropy(scores.float(), batch.answers.to(model.device))

    def export() -> None:
        save_halved(model, given.to)
        tokenizer.save_pretrained(given.to)

    learner.learn(loss_of, export)


def build_model(pieces: int, seed: int) -> BertForMaskedLM:
    """A small BERT with weights drawn from the seed."""
    torch.manual_seed(seed)
    return BertForMaskedLM(
        BertConfig(
            vocab_size=pieces,
            hidden_size=192,
            num_hidden_layers=4,
            num_attention_heads=3,
            intermediate_size=768,
            max_position_embeddings=128,
            # Few passes over the texts, with new masks each time: nothing to regularise.
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
    )


def _tokenizer(sources: list[str], work: Path) -> BertTokenizer:
    if not (work / "tokenizer.json").exists():
        learn_tokenizer(sources, _PIECES).save_pretrained(work)
    return BertTokenizer.from_pretrained(work)


if __name__ == "__main__":
    main()
