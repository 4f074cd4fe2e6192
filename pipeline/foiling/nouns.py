"""Nouns: "A man feeding a horse." against "A man feeding a zebra." (FOIL-it; VALSE 3.7, A.7).

An object that caption and annotations agree on is replaced by another of the same supercategory
of COCO that the image does not show, where a language model finds both about equally likely.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from pipeline.errors import Refusal
from pipeline.foiling.target import Target, instance_of
from pipeline.instance import Instance
from pipeline.language.articles import indefinite_article
from pipeline.language.coco_objects import Naming, namings, vocabulary, words_of_kind
from pipeline.language.inflection import grammatical_number
from pipeline.language.noun_phrases import number_of
from pipeline.language.parse import parse
from pipeline.models import load
from pipeline.proposing import Proposal, propose
from pipeline.sources.records import AnnotatedCaption

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

VERSION = 1

_NOUN_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_DETERMINERS = frozenset({"det", "poss", "nummod", "predet", "quantmod"})
_UNCOUNTED = frozenset({"some", "much", "more", "any", "no", "the", "this", "that"})
# "A slice of cake", "some broccoli"; other foods are counted.
_MASS_FOODS = frozenset({"pizza", "cake", "broccoli"})
_ALL = 1000


@dataclass(frozen=True, slots=True)
class NamedObject:
    """An object that a caption names, and what might be named in its place.

    Attributes:
        start: Where its name begins, in characters.
        end: Where it ends (exclusive).
        category: Its category in COCO.
        several: Whether the name is plural.
        uncounted: Whether it is food spoken of as a mass ("a slice of pizza").
        proposals: All names of its supercategory in this number, its own too, best first.
    """

    start: int
    end: int
    category: str
    several: bool
    uncounted: bool
    proposals: tuple[Proposal, ...] = ()


@dataclass(frozen=True, slots=True)
class Objects:
    """What a caption says of objects.

    Attributes:
        named: All categories that any of its words may mean.
        replaceable: Those named once, by the head of a noun phrase, in a plain word.
        refused: Why the others are left as they are.
    """

    named: frozenset[str]
    replaceable: tuple[NamedObject, ...]
    refused: tuple[Refusal, ...]


def nouns(
    caption: AnnotatedCaption,
    rng: Random,
    target: Target,
    *,
    prepared: Objects,
    margin: float,
    most: int,
) -> Iterator[Instance | Refusal]:
    """Yield foils of a caption, those first that are about as likely as the caption.

    Args:
        margin: How much less or more likely than the object's own name another may be, as a
            difference of natural logarithms.
        most: How many foils to give at most.

    Raises:
        Refusal: "no object" where none is named in a way that can be replaced.
    """
    yield from prepared.refused
    found: list[tuple[float, NamedObject, str]] = []
    for thing in prepared.replaceable:
        if thing.category not in caption.objects:
            yield Refusal("not annotated", thing.category)
            continue
        near = [(d, thing, name) for d, name in _absent(thing, caption, prepared) if d <= margin]
        if not near:
            yield Refusal("no likely name", caption.text[thing.start : thing.end])
        found += near
    if not found and not prepared.refused and not prepared.replaceable:
        raise Refusal("no object")
    rng.shuffle(found)
    found.sort(key=lambda candidate: int(candidate[0] / margin * 2))
    for _, thing, name in found[:most]:
        yield _instance(caption, thing, name, target)


def prepare_nouns(
    records: Sequence[AnnotatedCaption], *, profile: str, survey: object = None
) -> list[Objects]:
    """Find the objects that captions name, and how likely other names are in their place."""
    found = [objects_in(doc) for doc in parse([record.text for record in records], profile)]
    places: dict[tuple[str, bool], list[tuple[int, int]]] = defaultdict(list)
    for number, objects in enumerate(found):
        for index, thing in enumerate(objects.replaceable):
            kind = vocabulary().categories[thing.category].supercategory
            places[kind, thing.several].append((number, index))
    proposals: dict[tuple[int, int], tuple[Proposal, ...]] = {}
    checkpoint = load("span_mlm", profile)
    for (kind, several), wanted in sorted(places.items()):
        things = [found[number].replaceable[index] for number, index in wanted]
        answers = propose(
            [records[number].text for number, _ in wanted],
            [(thing.start, thing.end) for thing in things],
            list(words_of_kind(kind, several=several)),
            checkpoint.model,
            checkpoint.tokenizer,
            top_k=_ALL,
        )
        proposals |= {place: tuple(a) for place, a in zip(wanted, answers, strict=True)}
    return [
        replace(
            objects,
            replaceable=tuple(
                replace(thing, proposals=proposals[number, index])
                for index, thing in enumerate(objects.replaceable)
            ),
        )
        for number, objects in enumerate(found)
    ]


def objects_in(doc: Doc) -> Objects:
    """What a parsed caption says of objects; without proposals."""
    names = list(namings([token.lower_ for token in doc]))
    replaceable, refused = [], []
    for name in names:
        if not name.plain:
            continue
        others = (other for other in names if other is not name)
        try:
            if any(name.categories & other.categories for other in others):
                raise Refusal("named twice", doc[name.start : name.end].text)
            replaceable.append(_named_object(doc, name))
        except Refusal as refusal:
            refused.append(refusal)
    named = frozenset().union(*(name.categories for name in names))
    return Objects(named, tuple(replaceable), tuple(refused))


def replace_noun(caption: str, start: int, end: int, name: str) -> str:
    """The caption with another name in the place of the span; "a" and "an" follow it."""
    before, after = caption[:start], caption[end:]
    words = before.split()
    if words and words[-1].lower() in ("a", "an"):
        article = indefinite_article(name)
        cut = before.rstrip()[: -len(words[-1])]
        before = f"{cut}{article.capitalize() if words[-1][0].isupper() else article} "
    if not before.strip(' "'):
        name = name[0].upper() + name[1:]
    return before + name + after


def _named_object(doc: Doc, name: Naming) -> NamedObject:
    """The object that a name stands for.

    Raises:
        Refusal: The name is not the head of a noun phrase, or something ties it to its words.
    """
    head, first = doc[name.end - 1], doc[name.start]
    text = doc[name.start : name.end].text
    (category,) = name.categories
    if head.tag_ not in _NOUN_TAGS or _modifies(head):
        raise Refusal("not a head", text)
    if _is_modified_by_kind(first):
        raise Refusal("a kind of its own", doc[max(0, name.start - 2) : name.end].text)
    several = _is_plural(head)
    left = [child for child in head.lefts if child.i < name.start]
    bare = not several and not any(child.dep_ in _DETERMINERS for child in left)
    food = vocabulary().categories[category].supercategory == "food"
    uncounted = food and (bare or (not several and _has_mass_determiner(left, head)))
    if bare and not food and name.start and doc[name.start - 1].tag_ in ("IN", "TO", "RP"):
        raise Refusal("fixed phrase", doc[name.start - 1 : name.end].text)
    if bare and uncounted and category not in _MASS_FOODS:
        raise Refusal("without article", text)
    return NamedObject(
        first.idx, head.idx + len(head), category, several, uncounted and category in _MASS_FOODS
    )


def _modifies(head: Token) -> bool:
    """Whether a noun stands before another that it belongs to ("dog house", "dog-shaped")."""
    if head.i + 1 == len(head.doc):
        return False
    following = head.nbor()
    ties = following.tag_ in _NOUN_TAGS or following.text in ("-", "/", "and/or")
    colour = head.lower_ == "orange" and (following.lower_ in ("and", ",") or not head.i)
    return ties or colour or (head.dep_ in ("compound", "amod") and head.head.i > head.i)


def _is_modified_by_kind(first: Token) -> bool:
    """Whether what stands before a name says of which kind it is ("polar bear", "cable car")."""
    if not first.i:
        return False
    before = first.nbor(-1)
    if before.tag_ in _NOUN_TAGS or before.text in ("-", "/"):
        return True
    while before.tag_ in ("JJ", "JJR", "JJS", "VBN", "VBG", "NN", ",", "HYPH"):
        if before.lower_ in vocabulary().particular:
            return True
        if not before.i:
            return False
        before = before.nbor(-1)
    return before.lower_ in vocabulary().particular


def _is_plural(head: Token) -> bool:
    number = grammatical_number(head.lower_)
    return number_of(head) == "plural" if number == "either" else number == "plural"


def _has_mass_determiner(left: list[Token], head: Token) -> bool:
    mass = grammatical_number(head.lower_) == "mass"
    return mass or any(child.lower_ in ("some", "much", "more", "any") for child in left)


def _absent(
    thing: NamedObject, caption: AnnotatedCaption, objects: Objects
) -> Iterator[tuple[float, str]]:
    """Names of what the image does not show, with how far from the own name's likelihood."""
    listed = vocabulary()
    there = objects.named | frozenset(caption.objects)
    shut = there.union(*(listed.near.get(name, frozenset()) for name in there))
    kind = listed.categories[thing.category].supercategory
    category_of = words_of_kind(kind, several=thing.several)
    scores = {proposal.text: proposal.score for proposal in thing.proposals}
    own = caption.text[thing.start : thing.end]
    own_score = next((s for text, s in scores.items() if text.lower() == own.lower()), None)
    if own_score is None:
        return
    for text, score in scores.items():
        other = category_of[text]
        if other not in shut and thing.uncounted <= (other in _MASS_FOODS):
            if other == "broccoli" and not thing.uncounted:
                continue
            yield abs(score - own_score), text


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
