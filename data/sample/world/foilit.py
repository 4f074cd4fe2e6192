"""The sample in FOIL-it's format: captions with one noun replaced, and the captions beside them."""

import re
from collections import defaultdict
from random import Random
from typing import Any

_FOILS = 240
_WORD = re.compile(r"[a-z]+")


def foil_file(captions: dict[str, Any], instances: dict[str, Any], seed: int) -> dict[str, Any]:
    """The content of foilv1.0_test_2017.json, made of the sample's own captions and instances.

    As in the official file each foil stands after its original, with the words "ORIG". A few foils
    say more than that, so that a reader has some to refuse.
    """
    rng = Random(f"sample {seed} foil-it")
    wider = {entry["name"]: entry["supercategory"] for entry in instances["categories"]}
    kinds = defaultdict(list)
    for name, kind in wider.items():
        if name != "person" and " " not in name:
            kinds[kind].append(name)
    named = {entry["id"]: entry["name"] for entry in instances["categories"]}
    shown = defaultdict(set)
    for entry in instances["annotations"]:
        shown[entry["image_id"]].add(named[entry["category_id"]])
    annotations: list[dict[str, Any]] = []
    for caption in rng.sample(captions["annotations"], len(captions["annotations"])):
        there = shown[caption["image_id"]]
        targets = [w for w in _WORD.findall(caption["caption"]) if w in there and w in wider]
        others = [o for o in kinds[wider[targets[0]]] if o not in there] if targets else []
        if not others or len(annotations) >= 2 * _FOILS:
            continue
        annotations += _pair(caption, targets[0], rng.choice(others), len(annotations))
    images = {entry["image_id"] for entry in annotations}
    return {
        "info": captions["info"],
        "licenses": captions["licenses"],
        "type": "captions",
        "images": [entry for entry in captions["images"] if entry["id"] in images],
        "annotations": annotations,
    }


def captions_beside(captions: dict[str, Any], foils: dict[str, Any]) -> dict[str, Any]:
    """The content of captions_val2014.json: all captions of the images that foils are about."""
    images = {entry["id"] for entry in foils["images"]}
    chosen = [entry for entry in captions["annotations"] if entry["image_id"] in images]
    return captions | {"images": foils["images"], "annotations": chosen}


def _pair(caption: dict[str, Any], target: str, other: str, place: int) -> list[dict[str, Any]]:
    """The original and its foil."""
    text = caption["caption"]
    shared = {"id": caption["id"], "image_id": caption["image_id"]}
    foil = re.sub(rf"\b{target}\b", other, text, count=1)
    if place % 40 == 0:
        foil = f"{foil[:-1]} today."
    return [
        shared
        | {"caption": text, "foil": False, "foil_id": 1_000_001 + place}
        | {"target_word": "ORIG", "foil_word": "ORIG"},
        shared
        | {"caption": foil, "foil": True, "foil_id": 1_000_002 + place}
        | {"target_word": target, "foil_word": other},
    ]
