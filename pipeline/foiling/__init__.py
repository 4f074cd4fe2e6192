"""Foiling functions: one phenomenon each, a source record in, candidate instances out.

A function is pure and sees one record. What needs a whole batch (trees, proposals of a masked
language model) is its preparation, and what needs all records (which prepositions are attested)
its corpus survey: both are registered under its name.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pipeline.errors import Refusal
from pipeline.instance import Instance
from pipeline.registry import Registry

FOILING: Registry[Callable[..., Iterator[Instance | Refusal]]] = Registry(
    "foiling function",
    {
        "action_replacement": "pipeline.foiling.action_replacement:action_replacement",
        "actant_swap": "pipeline.foiling.actant_swap:actant_swap",
        "coreference": "pipeline.foiling.coreference:coreference",
        "counting": "pipeline.foiling.counting:counting",
        "existence": "pipeline.foiling.existence:existence",
        "nouns": "pipeline.foiling.nouns:nouns",
        "plurality": "pipeline.foiling.plurality:plurality",
        "published_nouns": "pipeline.foiling.published_nouns:published_nouns",
        "relations": "pipeline.foiling.relations:relations",
    },
)

# (records, *, profile, survey, options) -> one object per record, the keyword `prepared`.
PREPARATIONS: Registry[Callable[..., Sequence[Any]]] = Registry(
    "preparation",
    {
        "action_replacement": "pipeline.foiling.action_replacement:prepare_actions",
        "actant_swap": "pipeline.foiling.actant_swap:prepare_swaps",
        "coreference": "pipeline.foiling.coreference:prepare",
        "nouns": "pipeline.foiling.nouns:prepare_nouns",
        "plurality": "pipeline.foiling.plurality:prepare",
        "relations": "pipeline.foiling.relations:prepare_relations",
    },
)

# (batches of records, *, profile, options) -> what the preparation gets as the keyword `survey`.
CORPUS_SURVEYS: Registry[Callable[..., Any]] = Registry(
    "corpus survey",
    {
        "action_replacement": "pipeline.foiling.verb_survey:survey_verbs",
        "actant_swap": "pipeline.foiling.verb_survey:survey_verbs",
        "relations": "pipeline.foiling.preposition_survey:survey_prepositions",
    },
)

MODEL_ROLES: dict[str, tuple[str, ...]] = {
    "action_replacement": ("lm", "mlm"),
    "actant_swap": ("lm",),
    "coreference": ("coref",),
    "nouns": ("parser", "span_mlm"),
    "plurality": ("coref",),
    "relations": ("parser", "span_mlm"),
}
"""Foiling function -> the roles of the checkpoints that it uses."""
