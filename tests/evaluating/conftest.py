"""Pairs about a few drawn pictures, and a tiny checkpoint to score them with."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from pipeline.instance import ImageRef, Instance, Provenance, SourceRef, find_edit, instance_id
from tests.tiny_clip import save_tiny_clip

SIZES = [(64, 48), (48, 64), (32, 32), (33, 90), (100, 31), (32, 40), (57, 57)]


def _instance(number: int, image: str, caption: str, foil: str, instrument: str) -> Instance:
    source = SourceRef("drawn", "test", str(number), caption)
    edit = find_edit(caption, foil)
    return Instance(
        id=instance_id(source, instrument, caption, foil, edit),
        piece=instrument,
        instrument=instrument,
        image=ImageRef("drawn", image, "test"),
        caption=caption,
        foil=foil,
        edit=edit,
        source=source,
        provenance=Provenance("drawn", 1, 0),
    )


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory) -> Path:
    return save_tiny_clip(tmp_path_factory.mktemp("checkpoint") / "tiny")


@pytest.fixture(scope="session")
def pictures(tmp_path_factory) -> Path:
    """Noise in several shapes: `0.jpg`, `1.jpg` and so on."""
    folder = tmp_path_factory.mktemp("pictures")
    generator = np.random.default_rng(0)
    for number, (width, height) in enumerate(SIZES):
        noise = generator.integers(0, 256, (height, width, 3), dtype=np.uint8)
        Image.fromarray(noise).save(folder / f"{number}.jpg")
    return folder


@pytest.fixture(scope="session")
def pairs() -> list[Instance]:
    """Twenty pairs of two instruments, with images and texts that stand in several of them."""
    return [
        _instance(
            number,
            image=f"{number % len(SIZES)}.jpg",
            caption=f"there are {number % 4} dogs{' in a house' * (number % 3)}.",
            foil=f"there are {number % 5 + 4} dogs.",
            instrument="counting" if number % 2 else "existence",
        )
        for number in range(20)
    ]
