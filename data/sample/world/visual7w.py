"""The sample in the format of Visual7W's telling task: counting questions, and some others."""

from random import Random
from typing import Any

from world.concepts import Concept, concepts
from world.groups import NUMBER_WORDS, Group, groups_of, where, with_article
from world.kinds import kinds, places
from world.picture import Picture
from world.scene import Scene

_SPLITS = ("train", "train", "val", "test", "test")
_EXISTING = (
    "How many {} are there?",
    "How many {} are there?",
    "How many {} are there?",
    "How many {} are in the picture?",
    "How many {} are in the picture?",
    "How many {} are in the photo?",
    "How many {} are shown?",
    "How many {} are visible?",
    "How many {} are pictured?",
    "How many {} can be seen?",
    "How many {} do you see?",
    "How many {} can you see?",
    "How many {} are in this picture?",
    "How many {} are in the image?",
    "How many {} are there in the picture?",
    "How many {} are in the scene?",
    "How many {} can be seen in the photo?",
    "How many {}?",
    "How many {} in the picture?",
)
_DOING = (
    "How many {} are {}?",
    "How many {} are {}?",
    "How many {} are {} in the picture?",
    "How many {} can be seen {}?",
)
_VAGUE = ("Many.", "Several.", "Lots.", "A lot.", "About {}.", "At least {}.", "Too many to count.")
_OTHER_PEOPLE = ("A dog.", "A boy.", "A farmer.", "Nobody.", "A police officer.", "Two children.")
_COLOURS = ("Red.", "Blue.", "Green.", "Yellow.", "White.", "Black.")


def telling_file(pictures: list[Picture]) -> dict[str, Any]:
    """The content of dataset_v7w_telling.json."""
    return {"dataset": "visual7w-telling", "images": [_image(picture) for picture in pictures]}


def _image(picture: Picture) -> dict[str, Any]:
    rng = picture.rng("visual7w")
    asked = _counting_questions(picture.scene, rng) + _other_questions(picture.scene, rng)
    pairs = [
        {
            "qa_id": picture.id * 10 + number,
            "image_id": picture.id,
            "question": question,
            "answer": answer,
            "multiple_choices": choices,
            "type": question.split()[0].lower(),
        }
        for number, (question, answer, choices) in enumerate(asked)
    ]
    return {
        "image_id": picture.id,
        "filename": picture.file_name,
        "split": _SPLITS[picture.id % len(_SPLITS)],
        "qa_pairs": pairs,
    }


Asked = tuple[str, str, list[str]]


def _counting_questions(scene: Scene, rng: Random) -> list[Asked]:
    """One question about something absent, one or two about what is there; some stay vague."""
    counts = {name: concept.count(scene) for name, concept in concepts().items()}
    present = [concepts()[name] for name, count in counts.items() if count]
    many = [concept for concept in present if (counts[concept.name] or 0) > 3]
    chosen = [_absent(scene, counts, rng)]
    chosen += [rng.choice(many)] if many and rng.random() < 0.85 else []
    rest = [concept for concept in present if concept not in chosen]
    chosen += [rng.choice(rest)] if rest else []
    asked = []
    for concept in chosen:
        number = counts[concept.name] or 0
        vague = number > 3 and rng.random() < 0.08
        answer, choices = _vague(number, rng) if vague else _exact(number, rng)
        asked.append((_how_many(concept, scene, rng), answer, choices))
    rng.shuffle(asked)
    return asked


def _absent(scene: Scene, counts: dict[str, int | None], rng: Random) -> Concept:
    """Something that could be in such a place but is not there."""
    none = [concepts()[name] for name, count in counts.items() if count == 0]
    families = {family for zone in places()[scene.place].zones for family in zone.families}
    wide = [concept for concept in none if concept.name in ("person", "animal", "vehicle")]
    at_home = [
        concept
        for concept in none
        if any(kinds()[kind].family in families for kind in sorted(concept.kind_ids))
    ]
    draw = rng.random()
    if wide and draw < 0.3:
        return rng.choice(wide)
    return rng.choice(at_home if at_home and draw < 0.75 else none)


def _how_many(concept: Concept, scene: Scene, rng: Random) -> str:
    if concept.doing:
        return rng.choice(_DOING).format(concept.plural, concept.doing)
    place = places()[scene.place]
    zones = {thing.zone for thing in concept.things(scene)}
    last = place.zones[-1].name
    if rng.random() < 0.25 and zones <= {last}:
        return f"How many {concept.plural} are {rng.choice((place.at, place.inside))}?"
    if zones == {"sky"} and rng.random() < 0.5:
        return f"How many {concept.plural} are in the sky?"
    return rng.choice(_EXISTING).format(concept.plural)


def _exact(number: int, rng: Random) -> tuple[str, list[str]]:
    """The answer, in figures or words, with three other numbers near it."""
    near = [other for other in range(max(0, number - 4), number + 5) if other != number]
    others = rng.sample(near, 3)
    if rng.random() < 0.5:
        others.sort()
    in_words = rng.random() < 0.4
    return _numeral(number, in_words, rng), [_numeral(other, in_words, rng) for other in others]


def _numeral(number: int, in_words: bool, rng: Random) -> str:
    if number == 0:
        return rng.choice(("None.", "Zero.", "0.")) if in_words else "0."
    if in_words and number < len(NUMBER_WORDS):
        return f"{NUMBER_WORDS[number].capitalize()}."
    return f"{number}."


def _vague(number: int, rng: Random) -> tuple[str, list[str]]:
    answer = rng.choice(_VAGUE).format(number)
    return answer, [_numeral(other, False, rng) for other in (0, 1, 2)]


def _other_questions(scene: Scene, rng: Random) -> list[Asked]:
    """One or two questions that do not count, so that a reader has something to leave aside."""
    groups = groups_of(scene)
    makers = [_ask_where, _ask_who, _ask_colour, _ask_what, _ask_why]
    found = []
    for maker in rng.sample(makers, len(makers)):
        asked = maker(scene, rng.choice(groups), rng)
        if asked:
            found.append(asked)
    return found[: rng.choice((1, 1, 2))]


def _ask_where(scene: Scene, group: Group, rng: Random) -> Asked:
    be = group.be
    answer = _phrase(where(scene, group, rng))
    other = [_phrase(place.at) for name, place in places().items() if name != scene.place]
    choices = rng.sample([choice for choice in other if choice != answer], 3)
    return f"Where {be} {group.definite()}?", answer, choices


def _ask_who(scene: Scene, group: Group, rng: Random) -> Asked | None:
    if not group.kind.doing:
        return None
    same = [other for other in groups_of(scene) if other.kind.doing == group.kind.doing]
    if len(same) > 1:
        return None
    who = group.singular if group.number == 1 else group.plural
    number = NUMBER_WORDS[group.number] if group.number > 1 else with_article(who).split()[0]
    return f"Who is {group.kind.doing}?", _phrase(f"{number} {who}"), rng.sample(_OTHER_PEOPLE, 3)


def _ask_colour(scene: Scene, group: Group, rng: Random) -> Asked | None:
    colours = {
        thing.what.colour for thing in scene.things if thing.what.family == group.kind.family
    }
    if not group.colour or len(colours) > 1:
        return None
    noun = group.kind.noun if group.number == 1 else group.kind.plural
    answer = _phrase(group.colour)
    choices = rng.sample([colour for colour in _COLOURS if colour != answer], 3)
    return f"What color {group.be} the {noun}?", answer, choices


def _ask_what(scene: Scene, group: Group, rng: Random) -> Asked | None:
    if group.kind.doing or group.zone == "seat" or len(groups_of(scene)) > 1:
        return None
    place = places()[scene.place]
    others = [c.plural for c in concepts().values() if c.sort == "noun" and c.noun != "person"]
    named = with_article(group.singular) if group.number == 1 else group.plural
    choices = [_phrase(noun) for noun in rng.sample(sorted(set(others) - {named}), 3)]
    at = "in the sky" if group.zone == "sky" else place.at
    return f"What is {at}?", _phrase(named), choices


def _ask_why(scene: Scene, group: Group, rng: Random) -> Asked | None:
    if group.kind.family not in ("surfing", "swimming", "rowing"):
        return None
    they = "They are" if group.number > 1 else {"man": "He is", "woman": "She is"}[group.kind.noun]
    choices = [f"{they} working.", f"{they} sleeping.", f"{they} lost."]
    question = f"Why {group.be} {group.definite()} in the water?"
    return question, f"{they} {group.kind.doing}.", choices


def _phrase(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
