"""Batches of labelled texts or pairs of texts, of about one length each, and their loss."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
import torch


@dataclass(frozen=True, slots=True)
class Example:
    """A text, or a premise with its hypothesis, and the number of its label."""

    text: str
    label: int
    second: str | None = None


class LabelledBatches:
    """The batches of a run; what a batch has follows from its step alone."""

    def __init__(
        self, examples: Sequence[Example], tokenizer, pieces_per_batch: int, seed: int
    ) -> None:
        self.tokenizer, self.size, self.seed = tokenizer, pieces_per_batch, seed
        seconds = [example.second for example in examples]
        encoded = tokenizer(
            [example.text for example in examples],
            None if seconds[0] is None else seconds,
            truncation=True,
            max_length=126,
        )
        self._pieces = [np.array(pieces, dtype=np.int16) for pieces in encoded["input_ids"]]
        self._types = [np.array(types, dtype=np.int8) for types in encoded["token_type_ids"]]
        self._labels = [example.label for example in examples]
        self._epoch, self._plan = -1, self._plan_epoch(0)
        self.per_epoch = len(self._plan)

    def _plan_epoch(self, epoch: int) -> list[list[int]]:
        rng = Random(f"order {self.seed} {epoch}")
        order = sorted(range(len(self._pieces)), key=lambda n: (len(self._pieces[n]), rng.random()))
        batches, batch = [], []
        for number in order:
            if batch and len(self._pieces[number]) * (len(batch) + 1) > self.size:
                batches.append(batch)
                batch = []
            batch.append(number)
        batches.append(batch)
        # Every epoch has as many batches, so that steps name them.
        rng.shuffle(batches)
        return batches

    def batch(self, step: int) -> tuple[dict[str, torch.Tensor], torch.Tensor]:
        """The model's inputs and the labels (texts) of a step."""
        epoch, number = divmod(step, self.per_epoch)
        if epoch != self._epoch:
            self._epoch, self._plan = epoch, self._plan_epoch(epoch)
        chosen = self._plan[number]
        longest = max(len(self._pieces[n]) for n in chosen)
        shape = (len(chosen), longest)
        pieces, types, seen = (np.zeros(shape, dtype=np.int64) for _ in range(3))
        for row, n in enumerate(chosen):
            length = len(self._pieces[n])
            pieces[row, :length] = self._pieces[n]
            types[row, :length] = self._types[n]
            seen[row, :length] = 1
        inputs = {
            "input_ids": torch.from_numpy(pieces),
            "token_type_ids": torch.from_numpy(types),
        }
        if not seen.all():
            inputs["attention_mask"] = torch.from_numpy(seen)
        return inputs, torch.tensor([self._labels[n] for n in chosen])


def label_loss(
    model, batch: tuple[dict[str, torch.Tensor], torch.Tensor], smoothing: float = 0.0
) -> torch.Tensor:
    """Cross-entropy of a batch, computed in bf16 inside the encoder."""
    inputs, labels = batch
    device = model.device
    with torch.autocast(device.type, torch.bfloat16):
        logits = model(**{name: tensor.to(device) for name, tensor in inputs.items()}).logits
    return torch.nn.functional.cross_entropy(
        logits.float(), labels.to(device), label_smoothing=smoothing
    )


def all_logits(model, tokenizer, examples: Sequence[Example], size: int = 64) -> np.ndarray:
    """The logits (texts, labels) in fp32, in the order of the examples."""
    order = sorted(
        range(len(examples)), key=lambda n: len(examples[n].text) + len(examples[n].second or "")
    )
    logits = np.zeros((len(examples), model.config.num_labels))
    for at in range(0, len(order), size):
        chosen = order[at : at + size]
        texts = [examples[n].text for n in chosen]
        seconds = [examples[n].second for n in chosen]
        inputs = tokenizer(
            texts,
            None if seconds[0] is None else seconds,
            padding=True,
            truncation=True,
            max_length=126,
            return_tensors="pt",
        )
        with torch.inference_mode():
            logits[chosen] = model(**inputs).logits.float().numpy()
    return logits
