"""Lexical relation: a foil's verb may not mean what the caption's verb says (VALSE 3.5, A.5)."""

from collections.abc import Sequence

from pipeline.errors import Refusal
from pipeline.instance import Instance, Verdict
from pipeline.language.inflection import base_form
from pipeline.language.verb_forms import base_of_ing
from pipeline.language.verb_relations import relation_between


def judge_lexical_relation(
    instances: Sequence[Instance], *, indirect: bool = True
) -> list[Verdict]:
    """Reject where the two verbs are related in WordNet in any of their senses.

    The classes of the instances are the verbs in their -ing form, or as they stand in the texts.

    Args:
        instances: The batch to judge.
        indirect: Whether to reject also, beyond VALSE's rule, what lies further up or down in the
            hierarchy ("devouring" and "moving"), what one of the verbs entails ("snoring",
            "sleeping") or causes, and what WordNet puts into one group with it: all of these
            describe the same picture too. Antonyms stay.

    Returns:
        One verdict per instance; the reason is "synonym", "hypernym", "hyponym" or "related".
    """
    return [_judge(instance, indirect=indirect) for instance in instances]


def _judge(instance: Instance, *, indirect: bool) -> Verdict:
    verbs = [_base(name) for name in instance.edit.classes[:1] + instance.edit.classes_foil[:1]]
    relation = relation_between(*verbs, indirect=indirect)
    return Verdict("lexical_relation", keep=relation is None, reason=relation or "")


def _base(name: str) -> str:
    """The base form of a class, which is an -ing form or a present form."""
    try:
        return base_of_ing(name)
    except Refusal:
        return base_form(name)
