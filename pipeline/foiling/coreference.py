"""Coreference: "A man on a bench. Is he asleep? Yes." against "No." (VALSE 3.6 and A.6).

Caption and foil are a caption, a question of a dialog with a pronoun that refers to something in
the caption or to the image, and its answer cut to yes or no; the foil has the other answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from pipeline.errors import Refusal
from pipeline.foiling.dialogue_rounds import (
    DEMONSTRATIVES,
    check_question,
    cut_answer,
    plain_answer,
)
from pipeline.foiling.target import Target, instance_of
from pipeline.instance import Instance
from pipeline.language import lexicons
from pipeline.language.antecedents import nominals
from pipeline.language.coref import Chain, resolve
from pipeline.language.pronouns import (
    PRONOUNS,
    is_image_word,
    is_of_animates,
    is_pleonastic,
    kind_of,
    suitability,
)
from pipeline.sources.cleaning import clean
from pipeline.sources.records import Dialogue, Round

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

FUNCTION, VERSION = "coreference", 1
_OPPOSITE = {"yes": "no", "no": "yes"}
_ANSWER_AT_END = re.compile(r"\b(yes|no)\b(?=\W*$)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?][\"')]*$")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_ACRONYM = re.compile(r"\b(?:tv|dvd|suv|atv|usa|bmw)(?=s?\b)")
# The dialogs were cut into tokens here and there ("the man 's hat", "is n't").
_LOOSE = re.compile(r"\s+(?=[,;:.!]|'(?:s|re|ve|ll|d|m)\b|n't\b)")
_PERSONAL = frozenset({"he", "she"})


@dataclass(frozen=True, slots=True)
class Reference:
    """What the pronoun of a question refers to.

    Attributes:
        to_image: Whether it is the image or what is shown as a whole ("is this outdoors").
        noun: Else the noun of the caption.
    """

    to_image: bool
    noun: str = ""


Prepared = tuple[Reference | Refusal, ...]
"""For each round of a dialog what its question refers to, or why it cannot be used."""


def coreference(
    dialogue: Dialogue, rng: Random, target: Target, *, prepared: Prepared, to_image: bool = True
) -> Iterator[Instance | Refusal]:
    """Yield an instance for each usable round.

    Args:
        prepared: What `prepare` found for this dialog.
        to_image: Whether pronouns may refer to the image, as in VALSE, in dialogs where none refers
            to the caption; it takes the image, but no coreference, to answer "is it sunny".
    """
    linked = any(isinstance(found, Reference) and not found.to_image for found in prepared)
    for turn, found in zip(dialogue.rounds, prepared, strict=True):
        if isinstance(found, Refusal):
            yield found
            continue
        if found.to_image and (linked or not to_image):
            yield Refusal("refers to the image", turn.question)
            continue
        answer = plain_answer(turn.answer)
        caption = assemble(clean(_tidy(dialogue.caption)), _tidy(turn.question), answer)
        yield instance_of(
            target,
            dialogue,
            caption,
            flip_answer(caption),
            classes=(answer,),
            classes_foil=(_OPPOSITE[answer],),
            function=FUNCTION,
            version=VERSION,
        )


def assemble(caption: str, question: str, answer: str) -> str:
    """Caption, question and answer as three sentences: "A cat on a bed. Is it asleep? Yes."

    Each begins with a capital; nothing but case, space and final marks is changed. The answer is
    cut to yes or no.

    Raises:
        Refusal: "not yes or no", if the answer begins with neither.
    """
    answer = cut_answer(answer)
    return f"{_sentence(caption, '.')} {_sentence(question, '?')} {answer.capitalize()}."


def flip_answer(text: str) -> str:
    """The text with "no" for the "yes" at its end, or "yes" for the "no".

    Raises:
        Refusal: "no answer", where it ends in neither.
    """
    found = _ANSWER_AT_END.search(text)
    if found is None:
        raise Refusal("no answer", text)
    other = _OPPOSITE[found[0].lower()]
    other = other.capitalize() if found[0][0].isupper() else other
    return text[: found.start()] + other + text[found.end() :]


def prepare(records: Sequence[Dialogue], *, profile: str, survey: None = None) -> list[Prepared]:
    """Resolve the pronouns of all rounds that have a usable question and answer.

    A pronoun must come to the same noun of the caption twice: in the dialog as it was held, and
    with the caption alone before it, which is all that the instance keeps.
    """
    plans = [[_problem(turn) for turn in dialogue.rounds] for dialogue in records]
    texts, places = [], []
    for dialogue, plan in zip(records, plans, strict=True):
        usable = [number for number, problem in enumerate(plan) if problem is None]
        for turns in [[n] for n in usable] + [list(range(max(usable, default=-1) + 1))]:
            text, starts = _spoken(dialogue, turns)
            texts.append(text)
            places.append(starts)
    resolved = zip(resolve(texts, profile), places, strict=True)
    prepared = []
    for dialogue, plan in zip(records, plans, strict=True):
        alone = {n: next(resolved) for n, problem in enumerate(plan) if problem is None}
        (doc, chains), starts = next(resolved)
        found = []
        for number, problem in enumerate(plan):
            if problem is None:
                (own_doc, own_chains), own_starts = alone[number]
                held = _View(doc, chains, starts[0], starts[number + 1])
                kept = _View(own_doc, own_chains, own_starts[0], own_starts[1])
                found.append(_referred(dialogue.rounds[number].question, kept, held))
            else:
                found.append(problem)
        prepared.append(tuple(found))
    return prepared


@dataclass(frozen=True, slots=True)
class _View:
    """A resolved text: where its caption ends and where a question stands, in characters."""

    doc: Doc
    chains: list[Chain]
    caption_end: int
    question: int


def _problem(turn: Round) -> Refusal | None:
    try:
        plain_answer(turn.answer)
        check_question(turn.question)
    except Refusal as refusal:
        return refusal
    return None


def _spoken(dialogue: Dialogue, turns: Sequence[int]) -> tuple[str, list[int]]:
    """The caption with some rounds as running text; where the caption ends and questions begin.

    The last round is there with its question only.
    """
    text = _sentence(clean(_tidy(dialogue.caption)), ".")
    starts = [len(text)]
    for number in turns:
        turn = dialogue.rounds[number]
        starts.append(len(text) + 1)
        text += " " + _sentence(_tidy(turn.question), "?")
        if number != turns[-1]:
            text += " " + _sentence(_tidy(turn.answer), ".")
    return text, starts


def _sentence(text: str, mark: str) -> str:
    """A text with its first letter raised and a mark at its end."""
    text = " ".join(text.split())
    text = text.rstrip("?.! ") + mark if mark == "?" else text
    start = next((place for place, letter in enumerate(text) if letter.isalnum()), 0)
    text = text[:start] + text[start : start + 1].upper() + text[start + 1 :]
    text = _ACRONYM.sub(lambda acronym: acronym[0].upper(), _WORD.sub(_capitalised, text))
    return text if _SENTENCE_END.search(text) else text + mark


def _capitalised(word: re.Match[str]) -> str:
    always = lexicons.words("capitalised_words")
    is_name = word[0] in always or word[0].removesuffix("'s") in always
    return word[0].capitalize() if is_name or word[0] in ("i", "i'm", "i've", "i'd") else word[0]


def _tidy(text: str) -> str:
    """A text of a dialog without the spaces that cutting it into tokens has left."""
    return _LOOSE.sub("", text)


def _referred(question: str, kept: _View, held: _View) -> Reference | Refusal:
    """What the pronouns of a question refer to, if all do to the caption or to the image."""
    nouns, to_image = [], False
    for pronoun in _pronouns(kept):
        if _is_image(pronoun):
            to_image = True
            continue
        noun = _antecedent(pronoun, kept)
        if noun is None or kind_of(noun.lower_) == "place":
            return Refusal("pronoun without antecedent", question)
        if noun.idx >= kept.question:
            continue
        twin = _twin(pronoun, kept, held)
        in_dialog = _antecedent(twin, held) if twin is not None else None
        if twin is None or in_dialog is None or in_dialog.idx != noun.idx:
            return Refusal("antecedent outside the caption", question)
        if _is_overtaken(twin, noun, held):
            return Refusal("antecedent outside the caption", question)
        if _is_ambiguous(pronoun, noun, kept):
            return Refusal("ambiguous pronoun", question)
        nouns.append(noun.lower_)
    if nouns:
        return Reference(to_image=False, noun=nouns[0])
    return Reference(to_image=True) if to_image else Refusal("no pronoun", question)


def _pronouns(view: _View) -> Iterator[Token]:
    for token in view.doc:
        if token.idx >= view.question and token.lower_ in PRONOUNS.keys() | DEMONSTRATIVES:
            yield token


def _is_image(pronoun: Token) -> bool:
    """Whether a pronoun refers to the image or the scene: "is this indoors", "is it sunny"."""
    if pronoun.lower_ not in ("this", "that"):
        return is_pleonastic(pronoun)
    if pronoun.dep_ == "det" and pronoun.head.i > pronoun.i:
        return is_image_word(pronoun.head.lemma_.lower())
    return pronoun.tag_ in ("DT", "PRP") and pronoun.lower_ == "this"


def _antecedent(pronoun: Token, view: _View) -> Token | None:
    """The first noun of the chain that a pronoun is in."""
    for chain in view.chains:
        if any(mention.tokens == (pronoun.i,) for mention in chain.mentions):
            return view.doc[chain.mentions[0].tokens[0]]
    return None


def _twin(pronoun: Token, kept: _View, held: _View) -> Token | None:
    """The pronoun of the dialog as it was held that one of the question alone is."""
    place = pronoun.idx - kept.question + held.question
    return next((token for token in held.doc if token.idx == place), None)


def _is_overtaken(pronoun: Token, noun: Token, held: _View) -> bool:
    """Whether something else was spoken of in the dialog since the noun was last referred to."""
    chain = next(c for c in held.chains if any(m.tokens == (pronoun.i,) for m in c.mentions))
    last = max(m.tokens[-1] for m in chain.mentions if m.tokens[-1] < pronoun.i)
    known = {token.lemma_.lower() for token in held.doc if token.idx < held.caption_end}
    own = suitability(pronoun, [held.doc[i] for i in chain.mentions[0].tokens]) or 0.0
    living = PRONOUNS[pronoun.lower_] in _PERSONAL or is_of_animates(pronoun)
    for first, *more in nominals(held.doc):
        other = held.doc[first]
        new = other.idx > held.caption_end and last < first < pronoun.i
        if more or not new or other.lemma_.lower() in known:
            continue
        fits = suitability(pronoun, [other])
        if fits is not None and fits >= (own if living else min(own, 1.0)):
            return True
    return False


def _is_ambiguous(pronoun: Token, noun: Token, view: _View) -> bool:
    """Whether "he" or "she" could as well be somebody else in the caption."""
    if PRONOUNS.get(pronoun.lower_) not in _PERSONAL:
        return False
    own = suitability(pronoun, [noun]) or 0.0
    for first, *more in nominals(view.doc):
        other = view.doc[first]
        if more or other.idx >= view.caption_end or other.lemma_ == noun.lemma_:
            continue
        fits = suitability(pronoun, [other])
        if fits is not None and fits >= own and kind_of(other.lower_) != "animal":
            return True
    return False
