"""Filters: each takes a batch of instances and returns one verdict per instance, in their order.

A verdict says keep or not, and why not; dropping and counting is the caller's work. A filter that
compares an instance with others surveys all batches once before it judges the first; one that asks
a model has its scores put on the instances first, and only compares them with its thresholds.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pipeline.instance import Instance, Score, Verdict
from pipeline.registry import Registry

Filter = Callable[..., list[Verdict]]
Survey = Callable[[Iterable[Sequence[Instance]]], Any]

FILTERS: Registry[Filter] = Registry(
    "filter",
    {
        "identity": "pipeline.filtering.identity:judge_identity",
        "duplicates": "pipeline.filtering.duplicates:judge_duplicates",
        "entailment": "pipeline.filtering.entailment:judge_entailment",
        "grammaticality": "pipeline.filtering.grammaticality:judge_grammaticality",
        "lexical_relation": "pipeline.filtering.lexical_relation:judge_lexical_relation",
        "perplexity": "pipeline.filtering.perplexity:judge_perplexity",
    },
)

# What such a filter learns from all batches; it is handed over as the keyword `survey`.
SURVEYS: Registry[Survey] = Registry(
    "survey", {"duplicates": "pipeline.filtering.duplicates:survey_duplicates"}
)

# (instances, *, profile) -> the scores of each instance that such a filter judges by.
SCORES: Registry[Callable[..., list[tuple[Score, ...]]]] = Registry(
    "score",
    {
        "entailment": "pipeline.filtering.entailment:score_entailment",
        "grammaticality": "pipeline.filtering.grammaticality:score_grammaticality",
        "perplexity": "pipeline.filtering.perplexity:score_perplexity",
    },
)

MODEL_ROLES: dict[str, tuple[str, ...]] = {
    "entailment": ("nli",),
    "grammaticality": ("grammar_lm", "acceptability"),
    "perplexity": ("lm",),
}
"""Filter -> the roles of the checkpoints that score for it."""

__all__ = ["FILTERS", "MODEL_ROLES", "SCORES", "SURVEYS", "Filter", "Survey"]
