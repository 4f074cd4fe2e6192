"""Train the causal language model on captions.

    python train.py --data ../shared/data --work folder --to data/models/lm

A run that was stopped goes on where it was.
"""

import argparse
import sys
from pathlib import Path
from random import Random

_HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(_HERE.parent / "training")]

import numpy as np  # noqa: E402
import texts  # noqa: E402
import torch  # noqa: E402
from learning import Learner, Plan, add_arguments, save_halved  # noqa: E402
from masking import join_some  # noqa: E402
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers  # noqa: E402
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast  # noqa: E402

_PIECES = 6000
_END = "<|endoftext|>"
_PIECES_PER_BATCH = 1500
_LONGEST = 126


def main() -> None:
    """Parse the arguments and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser, steps=3000)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)

    learnt = sorted({*texts.captions(given.data), *texts.plain_captions(given.data)})
    tokenizer = _tokenizer(learnt, given.work)
    learnt += join_some(learnt, 0.03, Random(f"joined {given.seed}"))
    plan_of = _batches(learnt, tokenizer, given.seed)
    model = _build_model(tokenizer, given.seed).to(given.device)
    learner = Learner(model, Plan(given.steps), given.work / "lm.pt")

    def loss_of(step: int) -> torch.Tensor:
        pieces = plan_of(step).to(model.device)
        with torch.autocast(model.device.type, torch.bfloat16):
            scores = model(input_ids=pieces[:, :-1]).logits
        return torch.nn.functional.cross_entropy(
            scores.float().flatten(0, 1), pieces[:, 1:].flatten()
        )

    def export() -> None:
        save_halved(model, given.to)
        tokenizer.save_pretrained(given.to)

    learner.learn(loss_of, export)


def _batches(learnt: list[str], tokenizer, seed: int):
    """A function from a step to its batch: texts of one length, between two end marks."""
    end = tokenizer.eos_token_id
    by_length: dict[int, list[np.ndarray]] = {}
    for pieces in tokenizer(learnt, truncation=True, max_length=_LONGEST)["input_ids"]:
        whole = np.array([end, *pieces, end], dtype=np.int16)
        by_length.setdefault(len(whole), []).append(whole)

    def plan_epoch(epoch: int) -> list[np.ndarray]:
        rng = Random(f"order {seed} {epoch}")
        batches = []
        for length, rows in sorted(by_length.items()):
            shuffled = rng.sample(rows, len(rows))
            width = max(1, _PIECES_PER_BATCH // length)
            batches += [np.stack(shuffled[n : n + width]) for n in range(0, len(shuffled), width)]
        rng.shuffle(batches)
        return batches

    epochs: dict[int, list[np.ndarray]] = {0: plan_epoch(0)}
    per_epoch = len(epochs[0])

    def batch(step: int) -> torch.Tensor:
        epoch, number = divmod(step, per_epoch)
        if epoch not in epochs:
            epochs.clear()
            epochs[epoch] = plan_epoch(epoch)
        return torch.from_numpy(epochs[epoch][number]).long()

    return batch


def _build_model(tokenizer, seed: int) -> GPT2LMHeadModel:
    torch.manual_seed(seed)
    return GPT2LMHeadModel(
        GPT2Config(
            vocab_size=len(tokenizer),
            n_embd=192,
            n_layer=4,
            n_head=3,
            n_positions=128,
            resid_pdrop=0.0,
            embd_pdrop=0.0,
            attn_pdrop=0.0,
            bos_token_id=tokenizer.bos_token_id,
            eos_token_id=tokenizer.eos_token_id,
        )
    )


def _tokenizer(learnt: list[str], work: Path) -> PreTrainedTokenizerFast:
    """Byte-level pieces of the lower-cased text, with GPT-2's one mark for both ends."""
    work.mkdir(parents=True, exist_ok=True)
    if not (work / "tokenizer.json").exists():
        pieces = Tokenizer(models.BPE())
        pieces.normalizer = normalizers.Lowercase()
        pieces.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
        pieces.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(
            vocab_size=_PIECES,
            special_tokens=[_END],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        )
        pieces.train_from_iterator(learnt, trainer)
        PreTrainedTokenizerFast(
            tokenizer_object=pieces,
            bos_token=_END,
            eos_token=_END,
            unk_token=_END,
            pad_token=_END,
            model_max_length=128,
        ).save_pretrained(work)
    return PreTrainedTokenizerFast.from_pretrained(work)


if __name__ == "__main__":
    main()
