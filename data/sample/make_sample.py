"""Draw the sample world: pictures, the scenes behind them, and the five official formats.

    python make_sample.py --font /usr/share/fonts/truetype/noto/NotoColorEmoji.ttf

Equal seed and font (and Pillow) give equal bytes.
"""

import argparse
import json
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

_HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(_HERE))

from world import coco, foilit, swig, visdial, visual7w  # noqa: E402
from world.deeds import deeds  # noqa: E402
from world.draw import Painter, to_jpeg  # noqa: E402
from world.kinds import families, places  # noqa: E402
from world.picture import Picture  # noqa: E402
from world.scene import Scene, draw_scene  # noqa: E402

PICTURES = 288
SEED = 7
_FIRST_ID = 900001
_IN_SWIG = 84
_IN_VISDIAL = 60
_VISDIAL_PREFIXES = {"train": "COCO_train2014_", "val": "VisualDialog_val2018_"}
_SWIG_SPLITS = {"train": 3, "dev": 1, "test": 1}


def main() -> None:
    """Parse the arguments and write everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--font", required=True, help="the colour emoji font that draws the glyphs")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=Path, default=_HERE, help="folder to write into")
    given = parser.parse_args()
    pictures = draw_pictures(given.seed)
    for name, content in describe(pictures, given.seed).items():
        _write_json(given.out / name, content)
    painter = Painter(given.font)
    images = given.out / "images"
    images.mkdir(parents=True, exist_ok=True)
    for old in images.glob("*.jpg"):
        old.unlink()
    for picture in pictures:
        (images / picture.file_name).write_bytes(to_jpeg(painter.paint(picture.scene)))
    print(f"{len(pictures)} pictures in {images}")


def draw_pictures(seed: int = SEED) -> list[Picture]:
    """Draw the scenes and give each its name."""
    scenes = [_scene(index, seed) for index in range(PICTURES)]
    verbs = [_verb(scene) for scene in scenes]
    rng = Random(f"sample {seed} names")
    in_swig = {index for index in range(PICTURES) if verbs[index]}
    in_swig = set(rng.sample(sorted(in_swig), min(_IN_SWIG, len(in_swig))))
    in_visdial = dict.fromkeys(
        rng.sample(sorted(set(range(PICTURES)) - in_swig), _IN_VISDIAL), "val"
    )
    left = sorted(set(range(PICTURES)) - in_swig - in_visdial.keys())
    in_visdial |= dict.fromkeys(rng.sample(left, _IN_VISDIAL), "train")
    numbers = dict.fromkeys(swig.verbs(), 0)
    pictures = []
    for index, scene in enumerate(scenes):
        number = _FIRST_ID + index
        verb = verbs[index] if index in in_swig else ""
        if verb:
            numbers[verb] += 1
        name = f"{verb}_{numbers[verb]}.jpg" if verb else f"{number:012d}.jpg"
        split = in_visdial.get(index, "")
        name = _VISDIAL_PREFIXES.get(split, "") + name
        pictures.append(Picture(number, name, scene, seed, verb, split))
    return pictures + _deeds(seed)


def _deeds(seed: int) -> list[Picture]:
    numbers: Counter[str] = Counter()
    pictures = []
    for index, (verb, scene) in enumerate(deeds(seed)):
        numbers[verb] += 1
        number = _FIRST_ID + PICTURES + index
        pictures.append(Picture(number, f"{verb}_{numbers[verb]}.jpg", scene, seed, verb))
    return pictures


def describe(pictures: list[Picture], seed: int = SEED) -> dict[str, Any]:
    """The content of every JSON file by its path."""
    acted = [picture for picture in pictures if picture.verb]
    captions, instances = coco.captions_file(pictures), coco.instances_file(pictures)
    foils = foilit.foil_file(captions, instances, seed)
    files = {
        "scenes.json": {"seed": seed, "scenes": [_scene_record(picture) for picture in pictures]},
        "visual7w/dataset_v7w_telling.json": visual7w.telling_file(pictures),
        "coco/captions_val2017.json": captions,
        "coco/instances_val2017.json": instances,
        "foilit/foilv1.0_test_2017.json": foils,
        "foilit/captions_val2014.json": foilit.captions_beside(captions, foils),
        "swig/imsitu_space.json": swig.space_file(),
    }
    for split in _VISDIAL_PREFIXES:
        chosen = [picture for picture in pictures if picture.visdial_split == split]
        files[f"visdial/visdial_1.0_{split}.json"] = visdial.dialogues_file(chosen, split)
    cycle = [split for split, share in _SWIG_SPLITS.items() for _ in range(share)]
    for split in _SWIG_SPLITS:
        chosen = [p for place, p in enumerate(acted) if cycle[place % len(cycle)] == split]
        files[f"swig/{split}.json"] = swig.frames_file(chosen)
    return files


def _scene(index: int, seed: int) -> Scene:
    """A scene with at least one thing, led by a family whose turn it is."""
    names = sorted(families())
    family = names[index % len(names)]
    homes = [
        name
        for name, place in sorted(places().items())
        if any(family in zone.families for zone in place.zones)
    ]
    rng = Random(f"sample {seed} scene {index}")
    while True:
        scene = draw_scene(rng, rng.choice(homes), family)
        if scene.things:
            return scene


def _verb(scene: Scene) -> str:
    """The activity of the scene's first people, if imSitu's verbs have it."""
    doing = [thing.what.family for thing in scene.things if thing.what.family in swig.verbs()]
    return doing[0] if doing and len(set(doing)) == 1 else ""


def _scene_record(picture: Picture) -> dict[str, Any]:
    things = [
        {"kind": thing.kind, "noun": thing.what.noun, "box": list(thing.box), "zone": thing.zone}
        | ({"on": thing.on} if thing.on >= 0 else {})
        for thing in picture.scene.things
    ]
    scene = asdict(picture.scene) | {"things": things}
    return {"image_id": picture.id, "file_name": picture.file_name} | scene


def _write_json(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    indent = 1 if path.name in ("imsitu_space.json",) else None
    text = json.dumps(content, indent=indent, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
