"""The sample in SWiG's format: verbs with roles, nouns by WordNet id, three frames, boxes.

Roles follow imSitu's; the sentences and definitions are our own.
"""

from random import Random
from typing import Any

from world.deeds import CHASING, FEEDING
from world.picture import Picture
from world.scene import SIDE, Scene, Thing

Box = list[int]
NO_BOX: Box = [-1, -1, -1, -1]

# Verb -> FrameNet frame, definition, sentence, roles in order with their FrameNet names.
_VERBS: dict[str, tuple[str, str, str, dict[str, str]]] = {
    "running": (
        "Self_motion",
        "to move fast on foot",
        "an AGENT runs in a PLACE",
        {"agent": "self_mover", "place": "place"},
    ),
    "walking": (
        "Self_motion",
        "to go on foot at an easy pace",
        "an AGENT walks in a PLACE",
        {"agent": "self_mover", "place": "place"},
    ),
    "surfing": (
        "Ride_vehicle",
        "to ride a wave on a board",
        "an AGENT surfs a PATH with a TOOL in a PLACE",
        {"agent": "theme", "path": "road", "place": "area", "tool": "manner"},
    ),
    "biking": (
        "Bringing",
        "to travel on a bicycle",
        "an AGENT bikes in a PLACE",
        {"agent": "agent", "place": "place"},
    ),
    "swimming": (
        "Self_motion",
        "to move through water with arms and legs",
        "an AGENT swims in a PLACE",
        {"agent": "self_mover", "place": "place"},
    ),
    "dancing": (
        "Self_motion",
        "to move to music",
        "an AGENT dances in a PLACE",
        {"agent": "self_mover", "place": "place"},
    ),
    "rowing": (
        "Operate_vehicle",
        "to drive a boat with oars",
        "an AGENT rows a VEHICLE in a PLACE",
        {"agent": "driver", "vehicle": "vehicle", "place": "place"},
    ),
    "juggling": (
        "Cause_motion",
        "to keep several objects in the air",
        "an AGENT juggles ITEMS in a PLACE",
        {"agent": "agent", "items": "theme", "place": "place"},
    ),
    "lifting": (
        "Cause_motion",
        "to raise something",
        "an AGENT lifts an ITEM from a START to an END in a PLACE",
        {"agent": "agent", "item": "theme", "start": "source", "end": "goal", "place": "place"},
    ),
    "kneeling": (
        "Posture",
        "to rest on one knee or both",
        "an AGENT kneels on a CONTACT in a PLACE",
        {"agent": "agent", "contact": "location", "place": "location"},
    ),
    "climbing": (
        "Self_motion",
        "to go up something with hands and feet",
        "an AGENT climbs an OBSTACLE with a TOOL in a PLACE",
        {"agent": "self_mover", "obstacle": "path", "tool": "means", "place": "place"},
    ),
    "skiing": (
        "Self_motion",
        "to glide over snow on skis",
        "an AGENT skis in a PLACE",
        {"agent": "self_mover", "place": "place"},
    ),
    CHASING: (
        "Cotheme",
        "to run after somebody",
        "an AGENT chases a CHASEE in a PLACE",
        {"agent": "theme", "chasee": "cotheme", "place": "place"},
    ),
    FEEDING: (
        "Ingestion",
        "to give food to somebody",
        "an AGENT feeds an EATER in a PLACE",
        {"agent": "agent", "eater": "ingestor", "place": "place"},
    ),
    "riding": (
        "Operate_vehicle",
        "to be carried by an animal or a vehicle",
        "an AGENT rides a VEHICLE in a PLACE",
        {"agent": "driver", "vehicle": "vehicle", "place": "place"},
    ),
    "cooking": (
        "Cooking_creation",
        "to prepare food with heat",
        "an AGENT cooks a FOOD in a CONTAINER over a HEATSOURCE with a TOOL in a PLACE",
        {
            "agent": "cook",
            "food": "produced_food",
            "container": "container",
            "heatsource": "heating_instrument",
            "tool": "manner",
            "place": "place",
        },
    ),
}

# WordNet 3.0 offset -> lemmas and gloss.
_NOUNS: dict[str, tuple[list[str], str]] = {
    "n00007846": (["person", "individual", "someone", "somebody"], "a human being"),
    "n10287213": (["man", "adult male"], "an adult person who is male"),
    "n10787470": (["woman", "adult female"], "an adult female person"),
    "n02084071": (["dog", "domestic dog"], "an animal that people keep and that barks"),
    "n02121620": (["cat", "true cat"], "an animal that people keep and that purrs"),
    "n04363559": (["surfboard"], "a narrow board for riding surf"),
    "n07352190": (["wave", "moving ridge"], "a ridge that moves across a body of water"),
    "n09376198": (["ocean"], "a large body of water"),
    "n09426788": (["sea"], "a division of an ocean"),
    "n07935504": (["water"], "the liquid that rivers and seas are made of"),
    "n04334599": (["street"], "a public road in a town with its sidewalks"),
    "n04096066": (["road", "route"], "an open way for travel"),
    "n08615149": (["park", "parkland"], "a large area of land kept in its natural state"),
    "n12102133": (["grass"], "low green plants that cover a lawn"),
    "n08613733": (["outdoors", "open air"], "where the air is not enclosed"),
    "n03472112": (["gymnasium", "gym"], "a hall for sports"),
    "n03365592": (["floor", "flooring"], "the lower surface of a room"),
    "n04571292": (["weight", "free weight"], "equipment that is lifted for exercise"),
    "n02790996": (["barbell"], "a bar with a heavy disc at each end"),
    "n02778669": (["ball"], "a round object used in games"),
    "n09359803": (["mountain", "mount"], "land that rises well above its surroundings"),
    "n15043763": (["snow"], "a layer of snowflakes on the ground"),
    "n02374451": (["horse"], "a large hoofed animal that people ride"),
    "n03199901": (["dinghy", "rowboat"], "a small boat that is rowed"),
    "n02858304": (["boat"], "a small vessel for travel on water"),
    "n13104059": (["tree"], "a tall woody plant with a trunk"),
    "n03619890": (["kitchen"], "a room where meals are made"),
    "n07840804": (["egg", "eggs"], "the egg of a hen as food"),
    "n00021265": (["food"], "what is eaten"),
    "n08569998": (["field"], "a piece of cleared land"),
    "n09217230": (["beach"], "sand that slopes down to the water"),
    "n15019030": (["sand"], "loose grains of rock"),
}

_AGENTS = {
    "man": "n10287213",
    "woman": "n10787470",
    "person": "n00007846",
    "dog": "n02084071",
    "cat": "n02121620",
}
_PLACES = {
    "street": ("n04334599", "n04096066", "n08613733"),
    "park": ("n08615149", "n12102133", "n08613733"),
    "farm": ("n08569998", "n08613733"),
    "beach": ("n09217230", "n08613733"),
    "sea": ("n09426788", "n09376198", "n07935504"),
    "snow": ("n09359803", "n15043763", "n08613733"),
    "gym": ("n03472112",),
    "kitchen": ("n03619890",),
    "station": ("n08613733",),
}
_DONE_TO = ("chasee", "eater")
_IN_WATER = ("surfing", "swimming", "rowing")
# What fills the other roles; "" where the picture does not show it.
_FILLERS: dict[str, dict[str, tuple[str, ...]]] = {
    "surfing": {"path": ("n07352190", "n07935504"), "tool": ("n04363559",)},
    "rowing": {"vehicle": ("n03199901", "n02858304")},
    "juggling": {"items": ("n02778669",)},
    "lifting": {"item": ("n04571292", "n02790996"), "start": ("n03365592", ""), "end": ("",)},
    "kneeling": {"contact": ("n12102133",)},
    "climbing": {"obstacle": ("n13104059",), "tool": ("",)},
    "riding": {"vehicle": ("n02374451",)},
    "cooking": {
        "food": ("n07840804", "n00021265"),
        "container": ("",),
        "heatsource": ("",),
        "tool": ("",),
    },
}
_IN_THE_GLYPH = ("tool", "vehicle", "items", "item", "obstacle", "food")


def verbs() -> tuple[str, ...]:
    """The verbs that a picture of the sample can show."""
    return tuple(_VERBS)


def space_file() -> dict[str, Any]:
    """The content of imsitu_space.json."""
    described = {}
    for verb, (frame, definition, abstract, roles) in _VERBS.items():
        described[verb] = {
            "framenet": frame,
            "abstract": abstract,
            "def": definition,
            "order": list(roles),
            "roles": {
                role: {"framenet": name, "def": f"the {role} of {verb}"}
                for role, name in roles.items()
            },
        }
    nouns = {key: {"gloss": gloss, "def": text} for key, (gloss, text) in _NOUNS.items()}
    return {"verbs": described, "nouns": nouns}


def frames_file(pictures: list[Picture]) -> dict[str, Any]:
    """The content of train.json, dev.json or test.json: file name -> frames and boxes."""
    return {picture.file_name: _entry(picture) for picture in pictures}


def _entry(picture: Picture) -> dict[str, Any]:
    rng = picture.rng("swig")
    roles = list(_VERBS[picture.verb][3])
    actors = _actors(picture)
    return {
        "bb": {role: _box(role, picture, actors) for role in roles},
        "height": SIDE,
        "width": SIDE,
        "verb": picture.verb,
        "frames": [
            {role: _fill(role, picture.verb, picture.scene, actors, rng) for role in roles}
            for _ in range(3)
        ],
    }


def _actors(picture: Picture) -> list[Thing]:
    """Those who do it; where it is done to somebody, the one with whom the scene begins."""
    things = picture.scene.things
    if picture.verb in (CHASING, FEEDING):
        return [things[0]]
    return [thing for thing in things if thing.what.family == picture.verb]


def _fill(role: str, verb: str, scene: Scene, actors: list[Thing], rng: Random) -> str:
    if role == "agent":
        nouns = {thing.what.noun for thing in actors}
        return _AGENTS[nouns.pop() if len(nouns) == 1 else "person"]
    if role in _DONE_TO:
        return _AGENTS[scene.things[1].what.noun]
    if role == "place":
        place = "sea" if verb in _IN_WATER else scene.place
        return rng.choice(_PLACES[place])
    if verb == "kneeling" and scene.place == "gym":
        return "n03365592"
    return rng.choice(_FILLERS[verb][role])


def _box(role: str, picture: Picture, actors: list[Thing]) -> Box:
    """The corners of the first actor for what its glyph shows, none for places and the unseen."""
    verb = picture.verb
    if role in _DONE_TO:
        actors = [picture.scene.things[1]]
    elif role != "agent" and (role not in _IN_THE_GLYPH or not any(_FILLERS[verb][role])):
        return NO_BOX
    x, y, width, height = actors[0].box
    return [x, y, x + width, y + height]
