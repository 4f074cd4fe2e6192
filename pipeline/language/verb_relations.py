"""Which verbs can be true of a picture together, by WordNet's relations and by a list."""

from functools import cache
from typing import Any

from pipeline.language import lexicons
from pipeline.language.wordnet import are_antonyms, related, synsets


@cache
def relation_between(verb: str, other: str, *, indirect: bool) -> str | None:
    """What `other` is to `verb` so that both can be true of a picture; None for others.

    Args:
        verb: A base form.
        other: A base form.
        indirect: Whether to answer "related" for what lies further up or down in the hierarchy
            ("devouring", "moving"), what one of the verbs entails ("snoring", "sleeping") or
            causes, and what WordNet puts into one group with it; antonyms excepted.

    Returns:
        "synonym", "hypernym", "hyponym", "related" or None.
    """
    direct = related(verb, other)
    if direct or not indirect:
        return direct
    if are_antonyms(verb, other) or are_antonyms(other, verb):
        return None
    mine, theirs = set(synsets(verb, "v")), set(synsets(other, "v"))
    if mine & _implied(other) or theirs & _implied(verb):
        return "related"
    return None


@cache
def _implied(verb: str) -> frozenset[Any]:
    """What is above the senses of a verb, and what they entail, cause or are grouped with."""
    implied: set[Any] = set()
    for synset in synsets(verb, "v"):
        implied.update(synset.closure(lambda s: s.hypernyms()))
        implied.update(synset.entailments() + synset.causes() + synset.verb_groups())
    return frozenset(implied)


@cache
def seen_alike(verb: str) -> frozenset[str]:
    """The verbs that one picture can show together with this one; all in their -ing form."""
    lines = (line.split() for line in lexicons.entries("verbs_seen_alike"))
    return frozenset(other for line in lines if verb in line for other in line)
