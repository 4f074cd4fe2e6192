"""Nouns: "A man feeding a horse." against "A man feeding a zebra." (FOIL-it; VALSE 3.7, A.7).

An object that caption and annotations agree on is replaced by another of the same supercategory
of COCO that the image does not show, where a language model finds both about equally likely.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from pipeline.errors import Refusal
from pipeline.foiling.named_objects import MASS_FOODS, NamedObject, Objects, objects_in
from pipeline.foiling.target import Target, instance_of
from pipeline.instance import Instance
from pipeline.language.articles import indefinite_article
from pipeline.language.coco_objects import vocabulary, words_of_kind
from pipeline.language.parse import parse
from pipeline.models import load
from pipeline.proposing import Proposal, propose
from pipeline.sources.records import AnnotatedCaption

VERSION = 1


def nouns(
    caption: AnnotatedCaption,
    rng: Random,
    target: Target,
    *,
    prepared: Objects,
    least_gain: float,
    most_gain: float,
    most: int,
) -> Iterator[Instance | Refusal]:
    """Yield foils of one object of a caption, drawn at random from those that are likely enough.

    Args:
        prepared: What `prepare_nouns` makes of the caption.
        least_gain: How much likelier than the object's own name another has to be at least, as a
            difference of natural logarithms; less than 0 where it may be less likely.
        most_gain: How much likelier it may be at most.
        most: How many foils to give at most.

    Raises:
        Refusal: "no object" where none is named in a plain word.
    """
    if not prepared.replaceable and not prepared.refused:
        raise Refusal("no object")
    yield from prepared.refused
    found: list[tuple[NamedObject, list[str]]] = []
    for thing in prepared.replaceable:
        if thing.category not in caption.objects:
            yield Refusal("not annotated", thing.category)
            continue
        gains = _absent(thing, caption, prepared)
        likely = [name for name, gain in gains.items() if least_gain <= gain <= most_gain]
        if likely:
            found.append((thing, likely))
        else:
            yield Refusal("no likely name", caption.text[thing.start : thing.end])
    if found:
        # One object, so that all foils of a caption replace the same class.
        thing, likely = rng.choice(found)
        for name in rng.sample(likely, min(most, len(likely))):
            yield _instance(caption, thing, name, target)


def prepare_nouns(
    records: Sequence[AnnotatedCaption], *, profile: str, survey: None = None
) -> list[Objects]:
    """Find the objects that captions name, and how likely other names are in their place."""
    found = [objects_in(doc) for doc in parse([record.text for record in records], profile)]
    places: dict[tuple[str, bool], list[tuple[int, int]]] = defaultdict(list)
    for number, objects in enumerate(found):
        for index, thing in enumerate(objects.replaceable):
            places[_kind(thing), thing.several].append((number, index))
    proposals: dict[tuple[int, int], list[Proposal]] = {}
    checkpoint = load("span_mlm", profile)
    for (kind, several), asked in sorted(places.items()):
        things = [found[number].replaceable[index] for number, index in asked]
        names = list(words_of_kind(kind, several=several))
        answers = propose(
            [records[number].text for number, _ in asked],
            [(thing.start, thing.end) for thing in things],
            names,
            checkpoint.model,
            checkpoint.tokenizer,
            top_k=len(names),
        )
        proposals |= zip(asked, answers, strict=True)
    return [
        replace(objects, replaceable=_with_proposals(objects, number, proposals))
        for number, objects in enumerate(found)
    ]


def replace_noun(caption: str, start: int, end: int, name: str) -> str:
    """The caption with another name in the place of the span; "a" and "an" follow it.

    >>> replace_noun("A horse in a field.", 2, 7, "elephant")
    'An elephant in a field.'
    """
    before, after = caption[:start], caption[end:]
    words = before.split()
    if words and words[-1].lower() in ("a", "an"):
        article = indefinite_article(name)
        kept = before.rstrip()[: -len(words[-1])]
        before = f"{kept}{article.capitalize() if words[-1][0].isupper() else article} "
    if not before.strip('"( '):
        name = name[0].upper() + name[1:]
    return before + name + after


def _with_proposals(
    objects: Objects, number: int, proposals: dict[tuple[int, int], list[Proposal]]
) -> tuple[NamedObject, ...]:
    return tuple(
        replace(thing, proposals=tuple(proposals[number, index]))
        for index, thing in enumerate(objects.replaceable)
    )


def _absent(thing: NamedObject, caption: AnnotatedCaption, objects: Objects) -> dict[str, float]:
    """Names of what the image does not show -> how much likelier than the own name they are.

    What may pass for something that is there counts as there.
    """
    listed = vocabulary()
    there = objects.named.union(caption.objects)
    there |= frozenset[str]().union(*(listed.near.get(name, frozenset()) for name in there))
    own = caption.text[thing.start : thing.end].lower()
    scores = {proposal.text: proposal.score for proposal in thing.proposals}
    own_score = next((score for name, score in scores.items() if name.lower() == own), None)
    if own_score is None:
        return {}
    category_of = words_of_kind(_kind(thing), several=thing.several)
    return {
        name: score - own_score
        for name, score in scores.items()
        if category_of[name] not in there and _fits(category_of[name], thing)
    }


def _fits(category: str, thing: NamedObject) -> bool:
    """Whether a category is spoken of as the thing is, as a mass or counted."""
    return category in MASS_FOODS if thing.uncounted else category != "broccoli"


def _kind(thing: NamedObject) -> str:
    return vocabulary().categories[thing.category].supercategory


def _instance(caption: AnnotatedCaption, thing: NamedObject, name: str, target: Target) -> Instance:
    return instance_of(
        target,
        caption,
        caption.text,
        replace_noun(caption.text, thing.start, thing.end, name),
        classes=(caption.text[thing.start : thing.end].lower(),),
        classes_foil=(name.lower(),),
        function="nouns",
        version=VERSION,
    )
