"""One picture of the sample: its scene, its number and its file name."""

from dataclasses import dataclass
from random import Random

from world.scene import Scene


@dataclass(frozen=True, slots=True)
class Picture:
    """A scene of the sample.

    Attributes:
        id: The image id in all four formats.
        file_name: Named after the strictest format that describes it: imSitu's "<verb>_<n>.jpg",
            VisDial's "VisualDialog_val2018_<id>.jpg" or "COCO_train2014_<id>.jpg", else COCO's
            twelve digits.
        verb: The imSitu verb, empty for pictures outside the SWiG files.
        seed: The seed of the whole sample.
        visdial_split: "train" or "val", empty for pictures outside VisDial's files.
    """

    id: int
    file_name: str
    scene: Scene
    seed: int
    verb: str = ""
    visdial_split: str = ""

    def rng(self, purpose: str) -> Random:
        """A source of chance that depends on the seed, the picture and the purpose only."""
        return Random(f"sample {self.seed} {self.id} {purpose}")
