"""The sample in COCO's format: five captions a picture, and instances with boxes."""

from itertools import combinations
from random import Random
from typing import Any

from world.groups import Group, group_relation, groups_of, listed, relation, sentence, where
from world.kinds import places
from world.picture import Picture
from world.scene import SIDE, Scene

_CAPTIONS = 5
_LICENSE = {
    "url": "https://creativecommons.org/licenses/by/4.0/",
    "id": 1,
    "name": "Attribution License",
}
_FLYING = ("bird", "airplane", "helicopter", "kite", "butterfly")
_CATEGORIES = {
    "person": [(1, "person")],
    "vehicle": [
        (2, "bicycle"),
        (3, "car"),
        (4, "motorcycle"),
        (5, "airplane"),
        (6, "bus"),
        (7, "train"),
        (8, "truck"),
        (9, "boat"),
    ],
    "outdoor": [
        (10, "traffic light"),
        (11, "fire hydrant"),
        (13, "stop sign"),
        (14, "parking meter"),
        (15, "bench"),
    ],
    "animal": [
        (16, "bird"),
        (17, "cat"),
        (18, "dog"),
        (19, "horse"),
        (20, "sheep"),
        (21, "cow"),
        (22, "elephant"),
        (23, "bear"),
        (24, "zebra"),
        (25, "giraffe"),
    ],
    "accessory": [
        (27, "backpack"),
        (28, "umbrella"),
        (31, "handbag"),
        (32, "tie"),
        (33, "suitcase"),
    ],
    "sports": [
        (34, "frisbee"),
        (35, "skis"),
        (36, "snowboard"),
        (37, "sports ball"),
        (38, "kite"),
        (39, "baseball bat"),
        (40, "baseball glove"),
        (41, "skateboard"),
        (42, "surfboard"),
        (43, "tennis racket"),
    ],
    "kitchen": [
        (44, "bottle"),
        (46, "wine glass"),
        (47, "cup"),
        (48, "fork"),
        (49, "knife"),
        (50, "spoon"),
        (51, "bowl"),
    ],
    "food": [
        (52, "banana"),
        (53, "apple"),
        (54, "sandwich"),
        (55, "orange"),
        (56, "broccoli"),
        (57, "carrot"),
        (58, "hot dog"),
        (59, "pizza"),
        (60, "donut"),
        (61, "cake"),
    ],
    "furniture": [
        (62, "chair"),
        (63, "couch"),
        (64, "potted plant"),
        (65, "bed"),
        (67, "dining table"),
        (70, "toilet"),
    ],
    "electronic": [
        (72, "tv"),
        (73, "laptop"),
        (74, "mouse"),
        (75, "remote"),
        (76, "keyboard"),
        (77, "cell phone"),
    ],
    "appliance": [
        (78, "microwave"),
        (79, "oven"),
        (80, "toaster"),
        (81, "sink"),
        (82, "refrigerator"),
    ],
    "indoor": [
        (84, "book"),
        (85, "clock"),
        (86, "vase"),
        (87, "scissors"),
        (88, "teddy bear"),
        (89, "hair drier"),
        (90, "toothbrush"),
    ],
}


def captions_file(pictures: list[Picture]) -> dict[str, Any]:
    """The content of captions_val2017.json."""
    annotations = []
    for picture in pictures:
        for caption in _captions(picture.scene, picture.rng("captions")):
            annotations.append(
                {"image_id": picture.id, "id": len(annotations) + 1, "caption": caption}
            )
    return _head(pictures) | {"annotations": annotations}


def instances_file(pictures: list[Picture]) -> dict[str, Any]:
    """The content of instances_val2017.json; things without a COCO category are left out."""
    categories = [
        {"supercategory": wider, "id": number, "name": name}
        for wider, members in _CATEGORIES.items()
        for number, name in members
    ]
    ids = {category["name"]: category["id"] for category in categories}
    annotations: list[dict[str, Any]] = []
    for picture in pictures:
        for thing in picture.scene.things:
            if not thing.what.coco:
                continue
            x, y, width, height = thing.box
            corners = [x, y, x + width, y, x + width, y + height, x, y + height]
            annotations.append(
                {
                    "segmentation": [[float(corner) for corner in corners]],
                    "area": float(width * height),
                    "iscrowd": 0,
                    "image_id": picture.id,
                    "bbox": [float(part) for part in thing.box],
                    "category_id": ids[thing.what.coco],
                    "id": len(annotations) + 1,
                }
            )
    return _head(pictures) | {"annotations": annotations, "categories": categories}


def _head(pictures: list[Picture]) -> dict[str, Any]:
    info = {
        "description": "Sample world in the format of COCO 2017",
        "url": "",
        "version": "1.0",
        "year": 2026,
        "contributor": "valse-foils",
        "date_created": "2026/11/21",
    }
    images = [
        {
            "license": 1,
            "file_name": picture.file_name,
            "coco_url": "",
            "height": SIDE,
            "width": SIDE,
            "date_captured": "2026-11-21 00:00:00",
            "flickr_url": "",
            "id": picture.id,
        }
        for picture in pictures
    ]
    return {"info": info, "licenses": [_LICENSE], "images": images}


def _captions(scene: Scene, rng: Random) -> list[str]:
    """Five captions, different where the scene gives enough to say."""
    groups = groups_of(scene)
    makers = [_statement, _relation, _there, _view, _listing, _relation, _statement]
    found: list[str] = []
    for attempt in range(40):
        maker = makers[attempt % len(makers)]
        text = sentence(maker(scene, groups, rng))
        if text not in found or attempt >= 30:
            found.append(text)
        if len(found) == _CAPTIONS:
            break
    return found


def _statement(scene: Scene, groups: list[Group], rng: Random) -> str:
    """Say what one group does where: "Three cows are standing in the field"."""
    group = groups[0] if rng.random() < 0.6 else rng.choice(groups)
    return f"{group.named(rng)} {_pose(group, rng)} {where(scene, group, rng)}".replace("  ", " ")


def _pose(group: Group, rng: Random) -> str:
    """A predicate that fits the kind of thing; a bare participle or a full verb."""
    be = rng.choice((group.be, group.be, ""))
    if group.kind.doing:
        return f"{be} {group.kind.doing}".strip()
    if group.zone == "sky":
        flying = "flying" if group.kind.family in _FLYING else "floating"
        return f"{be} {flying}".strip()
    if group.zone == "seat":
        return f"{be} sitting".strip()
    if "vehicle" in group.kind.is_a and group.zone in ("road", "platform"):
        return f"{be} {rng.choice(('parked', 'stopped', 'waiting'))}".strip()
    if "animal" in group.kind.is_a and group.zone not in ("water", "sea"):
        stands = "stands" if group.number == 1 else "stand"
        return rng.choice((f"{be} standing".strip(), f"{be} waiting".strip(), stands, group.be))
    if group.zone == "table":
        lies = "sits" if group.number == 1 else "sit"
        return rng.choice((f"{be} sitting".strip(), f"{be} placed".strip(), lies, group.be))
    return rng.choice((group.be, "that can be seen", f"{group.be} shown", "seen"))


def _relation(scene: Scene, groups: list[Group], rng: Random) -> str:
    """Say how two groups stand to each other: "A dog is next to two trees"."""
    options = []
    for one, other in [*combinations(groups, 2), *combinations(groups[::-1], 2)]:
        how = group_relation(one, other) or _beside(one, other)
        if scene.things.index(other.things[0]) == one.things[0].on:
            how = "on"
        if how and one.kind.noun != other.kind.noun:
            options.append((one, how, other))
    if not options:
        return _statement(scene, groups, rng)
    one, how, other = rng.choice(options)
    doing = one.kind.doing if rng.random() < 0.5 else ""
    be = rng.choice((one.be, ""))
    against = other.definite() if rng.random() < 0.25 else other.named(rng)
    middle = " ".join(part for part in (be, doing, how) if part)
    tail = f" {where(scene, other, rng)}" if rng.random() < 0.35 and how != "on" else ""
    return f"{one.named(rng)} {middle} {against}{tail}"


def _beside(one: Group, other: Group) -> str:
    """Whether a single thing stands next to one of several."""
    if one.number > 1:
        return ""
    return "next to" if any(relation(one.things[0], t) == "next to" for t in other.things) else ""


def _there(scene: Scene, groups: list[Group], rng: Random) -> str:
    """Say that something is there: "There are two cats and a dog in the park"."""
    zone = groups[0].zone
    together = [group for group in groups if group.zone == zone][: rng.choice((1, 2, 2))]
    what = listed([_doing(group, rng) for group in together])
    place = where(scene, groups[0], rng)
    if rng.random() < 0.3:
        return f"{place} there {groups[0].be} {what}"
    return f"there {groups[0].be} {what} {place}"


def _view(scene: Scene, groups: list[Group], rng: Random) -> str:
    """Name the place first: "A street with two cars and a bus"."""
    place = places()[scene.place]
    opening = rng.choice((f"a {place.noun} with", f"a view of a {place.noun} with"))
    chosen = groups[: rng.choice((1, 2, 3))]
    return f"{opening} {listed([_doing(group, rng) for group in chosen])}"


def _listing(scene: Scene, groups: list[Group], rng: Random) -> str:
    """List what there is: "A picture of three men running and a dog"."""
    chosen = groups[: rng.choice((2, 3))]
    opening = rng.choice(("", "", "a picture of ", "a photo of "))
    tail = f" {where(scene, chosen[-1], rng)}" if len({g.zone for g in chosen}) == 1 else ""
    return f"{opening}{listed([_doing(group, rng) for group in chosen])}{tail}"


def _doing(group: Group, rng: Random) -> str:
    return f"{group.named(rng)} {group.kind.doing}".strip()
