r"""Train the mini CLIP on freshly drawn scenes of the sample world.

    python train.py --font /usr/share/fonts/truetype/noto/NotoColorEmoji.ttf \
        --work work_folder --to data/models/mini_clip

Every round draws one new shard of pictures and learns from it and an older one. The state is
kept after every round, so a run that was stopped goes on where it was.
"""

import argparse
import math
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random

_HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(_HERE), str(_HERE.parents[1] / "sample")]

import numpy as np  # noqa: E402
import torch  # noqa: E402
from captions import caption_scene  # noqa: E402
from network import Heads, build_model, save_processor, train_tokenizer  # noqa: E402
from objectives import (  # noqa: E402
    Batch,
    Losses,
    caption_loss,
    count_loss,
    pair_loss,
    patch_loss,
    to_pixels,
)
from pictures import SHARD, Shard, load_shard, make_shard  # noqa: E402
from statements import draw_pairs  # noqa: E402
from transformers import CLIPModel, CLIPTokenizer  # noqa: E402
from world.concepts import concepts  # noqa: E402
from world.kinds import kinds, places  # noqa: E402
from world.scene import draw_scene  # noqa: E402

_OLD_SHARDS = 1
_REPORT = 32
_PAIRS = 2  # drawn for each picture, of which a share is used: every pair is judged on all
_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how fast to learn; `looking` is the share of rounds without texts."""

    rounds: int
    looking: float = 0.3
    batch: int = 128
    rate: float = 6e-4
    warm_up: int = 300
    cooling: float = 0.16
    decay: float = 0.05

    @property
    def steps_per_round(self) -> int:
        """Batches in a round."""
        return SHARD * (1 + _OLD_SHARDS) // self.batch

    def rate_at(self, step: int) -> float:
        """Linear warm-up, a plateau, and a linear way down over the last steps."""
        left = self.rounds * self.steps_per_round - step
        cooling = self.cooling * self.rounds * self.steps_per_round
        return self.rate * min(step / self.warm_up, 1, left / cooling)


def main() -> None:
    """Parse the arguments and train."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--font", required=True, help="the colour emoji font that draws the glyphs")
    parser.add_argument("--work", required=True, type=Path, help="folder for pictures and state")
    parser.add_argument("--to", required=True, type=Path, help="folder for the finished model")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    given.work.mkdir(parents=True, exist_ok=True)
    learner = Learner(Plan(given.rounds), given.work, given.seed)
    with ProcessPoolExecutor(1) as worker:

        def order(number: int) -> Future[Path]:
            return worker.submit(make_shard, given.work, number, given.seed, given.font)

        coming = order(learner.round)
        while learner.round < given.rounds:
            coming.result()
            if learner.round + 1 < given.rounds:
                coming = order(learner.round + 1)
            learner.learn_round()
            learner.save_state()
            learner.export(given.to)


class Learner:
    """The model with everything that a stopped run needs to go on."""

    def __init__(self, plan: Plan, work: Path, seed: int) -> None:
        self.plan, self.work, self.seed, self.round = plan, work, seed, 0
        self.tokenizer: CLIPTokenizer = _keep_tokenizer(work / "tokenizer", seed)
        self.model: CLIPModel = build_model(self.tokenizer, seed)
        self.heads = Heads(len(kinds()), len(concepts()))
        groups = _decay_groups([*self.model.named_parameters(), *self.heads.named_parameters()])
        groups[0]["weight_decay"] = plan.decay
        self.optimizer = torch.optim.AdamW(groups, lr=plan.rate, betas=(0.9, 0.98))
        if self._state_file.exists():
            state = torch.load(self._state_file)
            self.round = state["round"]
            self.model.load_state_dict(state["model"])
            self.heads.load_state_dict(state["heads"])
            self.optimizer.load_state_dict(state["optimizer"])

    @property
    def _state_file(self) -> Path:
        return self.work / "state.pt"

    def learn_round(self) -> None:
        """One pass over a new shard and an older one."""
        rng = Random(f"round {self.seed} {self.round}")
        old = rng.sample(range(self.round), min(_OLD_SHARDS, self.round))
        shards = [load_shard(self.work / f"shard_{n:03d}.npz") for n in (self.round, *old)]
        with_texts = self.round >= self.plan.looking * self.plan.rounds
        step = self.round * self.plan.steps_per_round
        begun, seen = time.monotonic(), Losses()
        for batch in _batches(shards, self.plan.batch, rng):
            step += 1
            if step % _REPORT == 0:
                print(f"step {step} after {time.monotonic() - begun:.0f} s: {seen}", flush=True)
            for group in self.optimizer.param_groups:
                group["lr"] = self.plan.rate_at(step)
            seen = seen.plus(self._learn_batch(batch, with_texts, rng))
        self.round += 1
        seconds = time.monotonic() - begun
        print(f"round {self.round}/{self.plan.rounds} {seconds:.0f} s {seen}", flush=True)

    def _learn_batch(self, batch: Batch, with_texts: bool, rng: Random) -> Losses:
        with torch.autocast("cpu", torch.bfloat16):
            seen = self.model.vision_model(
                pixel_values=to_pixels(batch.pictures), output_hidden_states=True
            )
            images = self.model.visual_projection(seen.pooler_output)
        images = torch.nn.functional.normalize(images.float(), dim=-1)
        patches, counts = self.heads([layer.float() for layer in seen.hidden_states], images)
        losses = [patch_loss(patches, batch.patches), count_loss(counts, batch.counts)]
        if with_texts:
            losses += self._text_losses(images, batch, rng)
        self.optimizer.zero_grad()
        torch.stack([loss.weighted for loss in losses]).sum().backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        with torch.no_grad():
            self.model.logit_scale.clamp_(0, math.log(100))
        return Losses.of(losses)

    def _text_losses(self, images: torch.Tensor, batch: Batch, rng: Random) -> list:
        pairs = []
        for counts, place in zip(batch.counts, batch.places, strict=True):
            pairs += draw_pairs(counts.tolist(), place, _PAIRS, rng)
        pairs = rng.sample(pairs, round(_SHARE * len(pairs)))
        captioned = batch.captions[: len(batch.captions) // 2]
        texts = [pair.true for pair in pairs] + [pair.false for pair in pairs] + captioned
        embeddings = self._embed_texts(texts)
        true, false, captions = embeddings.split([len(pairs), len(pairs), len(captioned)])
        scale = self.model.logit_scale.exp()
        return [
            pair_loss(images, true, false, scale, pairs, batch),
            caption_loss(images[: len(captions)], captions, scale),
        ]

    def _embed_texts(self, texts: list[str]) -> torch.Tensor:
        tokens = self.tokenizer(texts, padding=True, truncation=True, return_tensors="pt")
        with torch.autocast("cpu", torch.bfloat16):
            pooled = self.model.text_model(**tokens).pooler_output
            embeddings = self.model.text_projection(pooled)
        return torch.nn.functional.normalize(embeddings.float(), dim=-1)

    def save_state(self) -> None:
        """Keep everything for a later start."""
        state = {
            "round": self.round,
            "model": self.model.state_dict(),
            "heads": self.heads.state_dict(),
            "optimizer": self.optimizer.state_dict(),
        }
        partial = self._state_file.with_suffix(".partial")
        torch.save(state, partial)
        partial.rename(self._state_file)

    def export(self, folder: Path) -> None:
        """Write the model as `CLIPModel.from_pretrained` reads it."""
        self.model.save_pretrained(folder)
        save_processor(self.tokenizer, folder)


def _keep_tokenizer(folder: Path, seed: int) -> CLIPTokenizer:
    """The tokenizer of this run, learned at its first start."""
    if not folder.exists():
        train_tokenizer(_sample_texts(seed)).save_pretrained(folder)
    return CLIPTokenizer.from_pretrained(folder)


def _sample_texts(seed: int) -> Iterator[str]:
    """Texts with every word that training uses."""
    rng = Random(f"texts {seed}")
    for concept in concepts().values():
        yield f"{concept.singular} {concept.plural} {concept.doing}"
    for place in places().values():
        yield f"{place.at} {place.inside} {place.noun}"
    for _ in range(4000):
        scene = draw_scene(rng)
        yield caption_scene(scene, rng)
        counts = [
            -1 if (n := concept.count(scene)) is None else n for concept in concepts().values()
        ]
        for pair in draw_pairs(counts, scene.place, 3, rng):
            yield f"{pair.true} {pair.false}"


def _decay_groups(parameters: list[tuple[str, torch.nn.Parameter]]) -> list[dict]:
    """Weight matrices with decay, all the rest without."""
    matrices = [p for name, p in parameters if p.ndim > 1 and "embedding" not in name]
    others = [p for name, p in parameters if p.ndim <= 1 or "embedding" in name]
    return [{"params": matrices}, {"params": others, "weight_decay": 0.0}]


def _batches(shards: list[Shard], size: int, rng: Random) -> Iterator[Batch]:
    places = [(shard, row) for shard in range(len(shards)) for row in range(SHARD)]
    rng.shuffle(places)
    for start in range(0, len(places) - size + 1, size):
        chosen = [(shards[shard], row) for shard, row in places[start : start + size]]
        yield Batch(
            np.stack([shard.pictures[row] for shard, row in chosen]),
            np.stack([shard.counts[row] for shard, row in chosen]),
            np.stack([shard.patches[row] for shard, row in chosen]),
            [shard.captions[row] for shard, row in chosen],
            [shard.places[row] for shard, row in chosen],
        )


if __name__ == "__main__":
    main()
