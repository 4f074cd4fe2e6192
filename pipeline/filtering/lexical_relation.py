"""Lexical relation: a foil's verb may not mean what the caption's verb says (VALSE 3.5, A.5)."""

from collections.abc import Sequence
from functools import cache

from pipeline.errors import Refusal
from pipeline.instance import Instance, Verdict
from pipeline.language.verb_forms import base_of_ing
from pipeline.language.wordnet import are_antonyms, related, synsets


def judge_lexical_relation(
    instances: Sequence[Instance], *, indirect: bool = True
) -> list[Verdict]:
    """Reject where the two verbs are related in WordNet in any of their senses.

    Antonyms stay in any case. The classes of the instances are the verbs in their -ing form.

    Args:
        instances: The batch to judge.
        indirect: Whether to reject also, beyond VALSE's rule, what lies further up or down in the
            hierarchy ("devouring" and "moving"), what one of the verbs entails ("snoring",
            "sleeping") or causes, and what WordNet puts into one group with it: all of these
            describe the same picture too.

    Returns:
        One verdict per instance; the reason is "synonym", "hypernym", "hyponym" or "related".
    """
    return [_judge(instance, indirect=indirect) for instance in instances]


def _judge(instance: Instance, *, indirect: bool) -> Verdict:
    verbs = [_base(name) for name in instance.edit.classes[:1] + instance.edit.classes_foil[:1]]
    relation = relation_between(*verbs, indirect=indirect)
    return Verdict("lexical_relation", keep=relation is None, reason=relation or "")


@cache
def relation_between(verb: str, other: str, *, indirect: bool) -> str | None:
    """What `other` is to `verb` so that both can be true of a picture; None for antonyms.

    Args:
        verb: A base form.
        other: A base form.
        indirect: See `judge_lexical_relation`.
    """
    if are_antonyms(verb, other) or are_antonyms(other, verb):
        return None
    direct = related(verb, other)
    if direct or not indirect:
        return direct
    mine, theirs = set(synsets(verb, "v")), set(synsets(other, "v"))
    if mine & _implied(other) or theirs & _implied(verb):
        return "related"
    return None


@cache
def _implied(verb: str) -> frozenset:
    """All that is above the senses of a verb, and all that they entail, cause or go together with."""
    implied = set()
    for synset in synsets(verb, "v"):
        implied.update(synset.closure(lambda s: s.hypernyms()))
        implied.update(synset.entailments() + synset.causes() + synset.verb_groups())
    return frozenset(implied)


def _base(name: str) -> str:
    """The base form of a class; one that is no -ing form is a base form already."""
    try:
        return base_of_ing(name)
    except Refusal:
        return name
