"""Which words of a caption, or of a turn of a dialog, refer to the same thing.

With coreferee in the profile its chains are taken as they are; otherwise rules choose, for each
third-person pronoun, the antecedent that agrees with it in number, gender and animacy and that its
place in the sentence allows, the most salient first (after Lappin and Leass, 1994).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipeline.language.antecedents import antecedent, may_repeat, nominals, subject_after
from pipeline.language.pronouns import PRONOUNS, is_pleonastic
from pipeline.models import load

if TYPE_CHECKING:
    from spacy.tokens import Doc

_BATCH_SIZE = 256


@dataclass(frozen=True, slots=True)
class Mention:
    """One time that something is referred to.

    Attributes:
        tokens: The index of the noun or pronoun; several, ascending, for what is coordinated
            ("a man and a woman ... they").
    """

    tokens: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chain:
    """All mentions of the same thing, at least two, in the order of the text."""

    mentions: tuple[Mention, ...]


def resolve(
    texts: Iterable[str], profile: str = "embedded", *, batch_size: int = _BATCH_SIZE
) -> Iterator[tuple[Doc, list[Chain]]]:
    """Yield each text parsed, with its chains, in order; the texts are read as they are needed.

    Raises:
        InputError: The profile's checkpoint for the role "coref" cannot be had.
    """
    for doc in load("coref", profile).pipe(texts, batch_size=batch_size):
        yield doc, chains_of(doc)


def chains_of(doc: Doc) -> list[Chain]:
    """The chains of a parsed text, in the order of their first mentions.

    They are coreferee's if the pipeline that made the document has it, else those of the rules:
    third-person pronouns with what they stand for, and "the dog" with "a dog" before it.
    """
    foreign = doc._.coref_chains if doc.has_extension("coref_chains") else None
    return _rule_chains(doc) if foreign is None else _coreferee_chains(foreign)


def _coreferee_chains(chains: Iterable[Any]) -> list[Chain]:
    converted = (
        Chain(tuple(Mention(tuple(sorted(mention.token_indexes))) for mention in chain.mentions))
        for chain in chains
    )
    return sorted(converted, key=lambda chain: chain.mentions[0].tokens)


def _rule_chains(doc: Doc) -> list[Chain]:
    """Go through the text once; each pronoun joins the thing that it refers to."""
    things: list[list[tuple[int, ...]]] = [[tokens] for tokens in nominals(doc)]
    for token in doc:
        if token.lower_ in PRONOUNS and token.tag_ in ("PRP", "PRP$"):
            if is_pleonastic(token):
                continue
            found = antecedent(token, things) or subject_after(token, things)
            if found is not None:
                found.append((token.i,))
        elif token.tag_.startswith("NN"):
            _join_repetition(token, things)
    chains = [
        Chain(tuple(Mention(tokens) for tokens in sorted(thing)))
        for thing in things
        if len(thing) > 1
    ]
    return sorted(chains, key=lambda chain: chain.mentions[0].tokens)


def _join_repetition(token: Any, things: list[list[tuple[int, ...]]]) -> None:
    """Put "the dog" to the last dog before it."""
    own = next((thing for thing in things if thing == [(token.i,)]), None)
    if own is None:
        return
    for thing in reversed(things):
        first = thing[0]
        earlier = thing is not own and first[-1] < token.i and len(first) == 1
        if earlier and may_repeat(token, token.doc[first[0]]):
            thing.append((token.i,))
            things.remove(own)
            return
