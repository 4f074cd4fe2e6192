"""The sample in VisDial's format: dialogues of ten rounds, in lower case and without full stops."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from world.concepts import Concept, concepts
from world.groups import NUMBER_WORDS, Group, group_relation, groups_of, where
from world.picture import Picture
from world.scene import Scene

_ROUNDS = 10
_OPTIONS = 100
_INDOORS = ("room", "table", "gym", "kitchen")
_POOL_SEED = "visdial pools"
_SPLITS = {"train": "train", "val": "val2018"}


@dataclass(frozen=True, slots=True)
class Turn:
    """One question with its answer."""

    question: str
    answer: str


def dialogues_file(pictures: list[Picture], split: str) -> dict[str, Any]:
    """The content of visdial_1.0_<split>.json, with the pools that its indices point into."""
    spoken = [(picture, *_dialogue(picture)) for picture in pictures]
    turns = [turn for _, _, turns in spoken for turn in turns]
    questions = sorted({turn.question for turn in turns})
    answers = sorted({turn.answer for turn in turns} | set(_fillers()))
    rng = Random(_POOL_SEED)
    rng.shuffle(questions)
    rng.shuffle(answers)
    question_at = {text: index for index, text in enumerate(questions)}
    answer_at = {text: index for index, text in enumerate(answers)}
    dialogs = []
    for picture, caption, dialogue in spoken:
        rounds = []
        lots = picture.rng("visdial options")
        for turn in dialogue:
            right = answer_at[turn.answer]
            others = lots.sample([i for i in range(len(answers)) if i != right], _OPTIONS - 1)
            place = lots.randrange(_OPTIONS)
            rounds.append(
                {
                    "answer": right,
                    "gt_index": place,
                    "question": question_at[turn.question],
                    "answer_options": [*others[:place], right, *others[place:]],
                }
            )
        dialogs.append({"image_id": picture.id, "dialog": rounds, "caption": caption})
    data = {"questions": questions, "answers": answers, "dialogs": dialogs}
    return {"version": "1.0", "split": _SPLITS[split], "data": data}


def _fillers() -> Iterator[str]:
    """Answers that no dialogue needs, so that a hundred options can always be offered."""
    for concept in concepts().values():
        if concept.sort == "noun" and concept.noun != "person":
            yield f"just {concept.plural}"
    for word in NUMBER_WORDS[1:]:
        yield f"i think {word}"


def _dialogue(picture: Picture) -> tuple[str, list[Turn]]:
    rng = picture.rng("visdial")
    scene = picture.scene
    group = groups_of(scene)[0]
    caption = f"{group.named(rng)} {group.kind.doing}".strip() + f" {where(scene, group, rng)}"
    turns: list[Turn] = []
    for maker in _makers(scene, group, rng):
        turn = maker()
        if turn and all(turn.question != earlier.question for earlier in turns):
            turns.append(turn)
        if len(turns) == _ROUNDS:
            return caption, turns
    raise ValueError(f"picture {picture.id} gives only {len(turns)} turns")


Maker = Callable[[], Turn | None]


def _makers(scene: Scene, group: Group, rng: Random) -> Iterator[Maker]:
    """What is asked, the pronouns' questions about the caption's group first."""
    about = [
        lambda: _how_many(group, rng),
        lambda: _place(scene, group, rng),
        lambda: _colour(group, rng),
        lambda: _sex(group, rng),
        lambda: _near(scene, group, rng),
        lambda: _doing(group, rng),
        lambda: _together(group, rng),
    ]
    yield from rng.sample(about, len(about))
    around = [
        lambda: _indoors(scene, rng),
        lambda: _anything_else(scene, group, rng),
        lambda: Turn("is the photo in color", rng.choice(("yes", "yes it is"))),
        lambda: _time(scene, rng),
    ]
    yield from rng.sample(around, len(around))
    while True:
        yield lambda: _existence(scene, rng)


def _they(group: Group) -> str:
    if group.number > 1:
        return "they"
    return {"man": "he", "woman": "she"}.get(group.kind.noun, "it")


def _be_they(group: Group) -> str:
    return f"{group.be} {_they(group)}"


def _yes_no(holds: bool, group: Group, rng: Random) -> str:
    they = _they(group)
    if holds:
        return rng.choice(("yes", "yes", f"yes, {they} {group.be}", f"yes {they} {group.be}"))
    not_ = "isn't" if group.number == 1 else "aren't"
    return rng.choice(("no", "no", f"no, {they} {group.be} not", f"no {they} {not_}"))


def _how_many(group: Group, rng: Random) -> Turn | None:
    if group.number == 1:
        return Turn(f"is there only 1 {group.kind.noun}", rng.choice(("yes", "yes, only 1")))
    answer = rng.choice((str(group.number), NUMBER_WORDS[group.number]))
    return Turn(f"how many {group.kind.plural} are there", answer)


def _place(scene: Scene, group: Group, rng: Random) -> Turn | None:
    if group.zone == "seat":
        return None
    true = where(scene, group, rng)
    if rng.random() < 0.5:
        return Turn(f"{_be_they(group)} {true}", _yes_no(True, group, rng))
    wrong = rng.choice(("on a boat", "behind a fence", "in a cage", "under a bridge"))
    return Turn(f"{_be_they(group)} {wrong}", _yes_no(False, group, rng))


def _colour(group: Group, rng: Random) -> Turn | None:
    if not group.colour:
        return None
    if rng.random() < 0.5:
        return Turn(f"what color {_be_they(group)}", group.colour)
    asked = rng.choice(("red", "blue", "green"))
    return Turn(f"{_be_they(group)} {asked}", _yes_no(asked == group.colour, group, rng))


def _sex(group: Group, rng: Random) -> Turn | None:
    if group.kind.noun not in ("man", "woman") or group.number == 1:
        return None
    asked = rng.choice(("men", "women"))
    return Turn(f"are they {asked}", _yes_no(asked == group.kind.plural, group, rng))


def _near(scene: Scene, group: Group, rng: Random) -> Turn | None:
    others = [
        (other, how)
        for other in groups_of(scene)
        if other != group and (how := group_relation(group, other))
    ]
    if not others:
        return None
    other, how = rng.choice(others)
    holds = rng.random() < 0.5
    opposite = {"to the left of": "to the right of", "above": "below", "next to": "above"}
    opposite |= {wrong: right for right, wrong in list(opposite.items())[:2]}
    asked = how if holds else opposite[how]
    return Turn(f"{_be_they(group)} {asked} {other.definite()}", _yes_no(holds, group, rng))


def _doing(group: Group, rng: Random) -> Turn | None:
    if not group.kind.doing or group.kind.doing in ("standing", "walking"):
        return None
    they = _they(group)
    if rng.random() < 0.5:
        return Turn(f"what {_be_they(group)} doing", group.kind.doing)
    asked = rng.choice((group.kind.doing, "sleeping", "eating"))
    return Turn(f"{group.be} {they} {asked}", _yes_no(asked == group.kind.doing, group, rng))


def _together(group: Group, rng: Random) -> Turn | None:
    if group.number == 1:
        return None
    return Turn("can you see all of them", rng.choice(("yes", "yes, all of them", "yes i can")))


def _indoors(scene: Scene, rng: Random) -> Turn:
    inside = scene.place in _INDOORS
    if rng.random() < 0.4:
        return Turn("is this inside or outside", "inside" if inside else "outside")
    asked = rng.choice(("indoors", "outdoors"))
    holds = (asked == "indoors") == inside
    return Turn(
        f"is it {asked}", rng.choice(("yes", "yes it is") if holds else ("no", "no it isn't"))
    )


def _time(scene: Scene, rng: Random) -> Turn | None:
    if scene.place in _INDOORS:
        return None
    return Turn("is it daytime", rng.choice(("yes", "yes it is", "yes, it is")))


def _anything_else(scene: Scene, group: Group, rng: Random) -> Turn:
    others = [other for other in groups_of(scene) if other != group]
    if not others:
        return Turn("is there anything else in the picture", rng.choice(("no", "no, that's all")))
    named = rng.choice(others).named(rng)
    return Turn("is there anything else in the picture", f"yes, {named}")


def _existence(scene: Scene, rng: Random) -> Turn | None:
    """Ask for something that may be there or not, each about equally often."""
    counts = {name: concept.count(scene) for name, concept in concepts().items()}
    want = rng.random() < 0.4
    options = [
        concepts()[name]
        for name, count in counts.items()
        if count is not None and bool(count) == want and concepts()[name].sort in ("noun", "wider")
    ]
    concept = rng.choice(options)
    question = rng.choice((f"are there any {concept.plural}", f"do you see any {concept.plural}"))
    return Turn(question, _found(concept, counts[concept.name] or 0, rng))


def _found(concept: Concept, number: int, rng: Random) -> str:
    if number == 0:
        return rng.choice(("no", "no", f"no {concept.plural}", "none that i can see"))
    word = NUMBER_WORDS[min(number, 10)]
    return rng.choice(("yes", "yes", f"yes, {word}" if number < 10 else "yes, many"))
