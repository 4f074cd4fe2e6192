"""Pictures to learn from: fresh scenes, drawn in shards by a worker and kept on disk.

Picture i of a run depends on the seed and on i only, so a shard can be made again at any time.
"""

import io
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
from captions import caption_scene
from PIL import Image
from world.concepts import concepts
from world.draw import Painter, to_jpeg
from world.kinds import kinds
from world.scene import SIDE, Scene, Thing, draw_scene

PIXELS = 112
PATCH = 16
GRID = PIXELS // PATCH
SHARD = 4096


@dataclass(frozen=True, slots=True)
class Shard:
    """Pictures (n, 112, 112, 3) bytes, counts (n, concepts), patches (n, 49), texts, places.

    A patch's label is 1 + the index of the kind whose centre lies in it, or 0.
    """

    pictures: np.ndarray
    counts: np.ndarray
    patches: np.ndarray
    captions: list[str]
    places: list[str]


def make_shard(folder: Path, number: int, seed: int, font: str) -> Path:
    """Draw shard `number` into the folder unless it is there; its path."""
    path = folder / f"shard_{number:03d}.npz"
    if path.exists():
        return path
    painter = Painter(font)
    pictures = np.empty((SHARD, PIXELS, PIXELS, 3), np.uint8)
    counts = np.empty((SHARD, len(concepts())), np.int8)
    patches = np.zeros((SHARD, GRID * GRID), np.uint8)
    captions, places = [], []
    for row in range(SHARD):
        rng = Random(f"mini clip {seed} {number * SHARD + row}")
        scene = draw_scene(rng)
        pictures[row] = prepare(painter, scene)
        counts[row] = count_concepts(scene)
        patches[row] = label_patches(scene)
        captions.append(caption_scene(scene, rng))
        places.append(scene.place)
    partial = path.with_suffix(".partial.npz")
    texts = np.frombuffer(json.dumps([captions, places]).encode(), np.uint8)
    np.savez(partial, pictures=pictures, counts=counts, patches=patches, texts=texts)
    partial.rename(path)
    return path


def load_shard(path: Path) -> Shard:
    """Read a shard back."""
    with np.load(path) as file:
        captions, places = json.loads(file["texts"].tobytes())
        return Shard(file["pictures"], file["counts"], file["patches"], captions, places)


def prepare(painter: Painter, scene: Scene) -> np.ndarray:
    """Paint, compress as the sample is compressed, and scale as the image processor does."""
    with Image.open(io.BytesIO(to_jpeg(painter.paint(scene)))) as picture:
        return np.asarray(picture.resize((PIXELS, PIXELS), Image.Resampling.BICUBIC))


def count_concepts(scene: Scene) -> np.ndarray:
    """How many of each concept there are; -1 where the picture leaves it open."""
    member, in_doubt = _kind_table()
    order = {name: index for index, name in enumerate(kinds())}
    present = np.bincount([order[thing.kind] for thing in scene.things], minlength=len(order))
    return np.where(in_doubt @ present > 0, -1, member @ present).astype(np.int8)


@cache
def _kind_table() -> tuple[np.ndarray, np.ndarray]:
    """For each concept and kind: whether the kind counts, and whether it leaves the count open."""
    alone = [Scene("park", 0, (Thing(kind, (0, 0, 8, 8), "grass"),)) for kind in kinds()]
    counts = [[concept.count(scene) for scene in alone] for concept in concepts().values()]
    member = np.array([[count or 0 for count in row] for row in counts])
    in_doubt = np.array([[count is None for count in row] for row in counts], int)
    return member, in_doubt


def label_patches(scene: Scene) -> np.ndarray:
    """The label of every patch, row by row."""
    order = {name: index + 1 for index, name in enumerate(kinds())}
    labels = np.zeros(GRID * GRID, np.uint8)
    for thing in scene.things:
        x, y, width, height = thing.box
        column = int((x + width / 2) * GRID / SIDE)
        row = int((y + height / 2) * GRID / SIDE)
        labels[row * GRID + column] = order[thing.kind]
    return labels
