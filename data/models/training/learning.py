"""One training loop for all language checkpoints: seeded, and it goes on where it was stopped."""

import signal
import time
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how fast to learn.

    Attributes:
        rate: Highest learning rate of AdamW, for embeddings, norms, biases and heads.
        matrix_rate: Highest learning rate of Muon, for the matrices between hidden layers.
        cooling: Share of the steps, at the end, over which the rates fall to nothing.
    """

    steps: int
    rate: float = 2e-3
    matrix_rate: float = 2e-2
    warm_up: int = 50
    cooling: float = 0.4
    decay: float = 0.05
    save_seconds: float = 180.0

    def share_at(self, step: int) -> float:
        """The share of the highest rate: up, level, and down to nothing."""
        left = (self.steps - step) / (self.cooling * self.steps)
        return min((step + 1) / self.warm_up, 1.0, max(left, 0.0))


class Learner:
    """A model with everything that a stopped run needs to go on."""

    def __init__(self, model: torch.nn.Module, plan: Plan, state_file: Path) -> None:
        self.model, self.plan, self.state_file = model, plan, state_file
        self.step = 0
        self.optimizers = _optimizers(model, plan)
        if state_file.exists():
            state = torch.load(state_file, map_location=_device_of(model))
            self.step = state["step"]
            model.load_state_dict(state["model"])
            for optimizer, kept in zip(self.optimizers, state["optimizers"], strict=True):
                optimizer.load_state_dict(kept)
            torch.set_rng_state(state["random"].cpu())

    def learn(self, loss_of: Callable[[int], torch.Tensor], after_save: Callable[[], None]) -> None:
        """Take all steps that are left, or until the process is asked to end (SIGTERM).

        Args:
            loss_of: The loss of a step's batch, which must follow from the step alone.
            after_save: What to do whenever the state was kept.
        """
        self.model.train()
        asked_to_stop: list[int] = []
        signal.signal(signal.SIGTERM, lambda number, _: asked_to_stop.append(number))
        saved, begun, seen, count = time.monotonic(), time.process_time(), 0.0, 0
        while self.step < self.plan.steps:
            loss = loss_of(self.step)
            self._take_step(loss)
            seen, count = seen + float(loss.detach()), count + 1
            if self.step % 100 == 0:
                seconds = time.process_time() - begun
                print(f"step {self.step} loss {seen / count:.3f} cpu {seconds:.0f} s", flush=True)
                seen, count = 0.0, 0
            if asked_to_stop:
                break
            if time.monotonic() - saved > self.plan.save_seconds:
                self.save()
                after_save()
                saved = time.monotonic()
        self.save()
        after_save()

    def _take_step(self, loss: torch.Tensor) -> None:
        share = self.plan.share_at(self.step)
        for optimizer in self.optimizers:
            for group in optimizer.param_groups:
                group["lr"] = group["highest"] * share
            optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        for optimizer in self.optimizers:
            optimizer.step()
        self.step += 1

    def save(self) -> None:
        """Keep the state for a later start."""
        state = {
            "step": self.step,
            "model": self.model.state_dict(),
            "optimizers": [optimizer.state_dict() for optimizer in self.optimizers],
            "random": torch.get_rng_state(),
        }
        self.state_file.parent.mkdir(parents=True, exist_ok=True)
        partial = self.state_file.with_suffix(".partial")
        torch.save(state, partial)
        partial.rename(self.state_file)


def _device_of(model: torch.nn.Module) -> torch.device:
    return next(model.parameters()).device


def add_arguments(parser: ArgumentParser, steps: int) -> None:
    """The arguments that all training scripts share."""
    parser.add_argument("--data", required=True, type=Path, help="folder of published data")
    parser.add_argument("--work", required=True, type=Path, help="folder for the state of the run")
    parser.add_argument("--to", required=True, type=Path, help="folder for the finished model")
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu", help='"cuda" where there is a GPU')


def save_halved(model: Any, folder: Path) -> None:
    """Write the weights with 16 bits each, which halves the file and costs no accuracy."""
    halves: dict[int, torch.Tensor] = {}
    # Tied weights must stay one tensor, or they would be written twice.
    halved = {
        name: halves.setdefault(weight.data_ptr(), weight.half().cpu())
        for name, weight in model.state_dict().items()
    }
    folder.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(folder, state_dict=halved)


def _optimizers(model: torch.nn.Module, plan: Plan) -> list[torch.optim.Optimizer]:
    """Muon for the square-like matrices inside, AdamW for the rest."""
    matrices, decayed, free = [], [], []
    for name, weight in model.named_parameters():
        inside = "layer." in name or ".h." in name
        if weight.ndim == 2 and inside and plan.matrix_rate > 0:
            matrices.append(weight)
        elif weight.ndim == 2:
            decayed.append(weight)
        else:
            free.append(weight)
    groups = [
        {"params": decayed, "weight_decay": plan.decay, "highest": plan.rate},
        {"params": free, "weight_decay": 0.0, "highest": plan.rate},
    ]
    optimizers: list[torch.optim.Optimizer] = [
        torch.optim.AdamW(groups, lr=plan.rate, betas=(0.9, 0.98), fused=True)
    ]
    if matrices:
        group = {"params": matrices, "highest": plan.matrix_rate}
        optimizers.append(
            torch.optim.Muon(
                [group], lr=plan.matrix_rate, weight_decay=plan.decay, ns_steps=5, nesterov=True
            )
        )
    return optimizers
