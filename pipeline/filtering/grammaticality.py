"""Grammaticality: GRUEN's component of that name (Zhu and Bhat, 2020, section 3.1; VALSE 4.2).

Formula and treatment of sentences are those of the authors' released code
(https://github.com/WanzhengZhu/GRUEN), but that its preprocessing rewrites texts, setting "UNK"
for decimals and spaces after periods, and ours only cuts them into sentences.
"""

import string
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from pipeline.filtering.text_batches import DIGITS, longest, quick, read_batches
from pipeline.instance import Instance, Score, Verdict
from pipeline.labels import acceptable_index
from pipeline.models import load, load_from

_NAME = "grammaticality"
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ABBREVIATIONS = {
    *("mr", "mrs", "ms", "dr", "prof", "st", "mt", "ft", "jr", "sr", "vs", "etc", "inc", "approx"),
    *("u.s", "u.s.a", "u.k", "d.c", "a.m", "p.m", "e.g", "i.e"),
}
_LONGEST_CLASSIFIED = 128
"""Pieces of a sentence that GRUEN's code shows to its classifier."""


def grammaticality(
    texts: Sequence[str],
    profile: str = "embedded",
    *,
    language_model: str | None = None,
    acceptability: str | None = None,
    batch_size: int = 64,
) -> np.ndarray:
    """GRUEN's grammaticality, about 0 to 1; what is above 0.8 VALSE takes for grammatical.

    It is max(0, (exp(-x / 2) + y) / 8 + 0.5). Over the sentences of a text, x is the mean of the
    exponential of a masked language model's loss on the whole unmasked sentence, its marks at both
    ends included, and y the mean of a classifier's raw logit of "acceptable". Sentences of one word
    are left out; without any other x and y are 0, as in GRUEN's code, which makes 0.625.

    Args:
        profile: Names the checkpoints of the roles `grammar_lm` and `acceptability`.
        language_model: A folder or a name on the hub, in place of the profile's.
        acceptability: The same for the classifier.
        batch_size: How many sentences are read together; no result depends on it.

    Returns:
        One figure per text (texts,), rounded to 5 places.

    Raises:
        InputError: A checkpoint cannot be had, or does not suit.
    """
    lm = load_from("grammar_lm", language_model) if language_model else load("grammar_lm", profile)
    classifier = (
        load_from("acceptability", acceptability)
        if acceptability
        else load("acceptability", profile)
    )
    cut = [_sentences(text) for text in texts]
    distinct = list(dict.fromkeys(sentence for sentences in cut for sentence in sentences))
    surprise = dict(zip(distinct, np.exp(_losses(lm, distinct, batch_size)), strict=True))
    logit = dict(zip(distinct, _logits(classifier, distinct, batch_size), strict=True))
    x, y = ([_mean(values, sentences) for sentences in cut] for values in (surprise, logit))
    return np.maximum(0.0, (np.exp(-0.5 * np.array(x)) + np.array(y)) / 8 + 0.5).round(DIGITS)


def score_grammaticality(instances: Sequence[Instance], *, profile: str) -> list[tuple[Score, ...]]:
    """The grammaticality of each foil; captions are taken as people wrote them."""
    roles = ("grammar_lm", "acceptability")
    checkpoint = " + ".join(load(role, profile).checkpoint.label for role in roles)
    foils = grammaticality([instance.foil for instance in instances], profile)
    return [(Score(_NAME, float(value), checkpoint),) for value in foils]


def judge_grammaticality(instances: Sequence[Instance], *, at_least: float = 0.8) -> list[Verdict]:
    """Reject foils below the threshold; VALSE 4.2 keeps 0.8 and more.

    Returns:
        One verdict per instance; the reason is "not grammatical".
    """
    return [
        Verdict(_NAME, keep=True)
        if instance.score(_NAME) >= at_least
        else Verdict(_NAME, keep=False, reason="not grammatical")
        for instance in instances
    ]


def _sentences(text: str) -> list[str]:
    """The sentences of more than one word, as they stand in the text."""
    lines = (line for line in text.splitlines() if line.strip())
    cut = (sentence for line in lines for sentence in _splitter().tokenize(line))
    return [s for s in cut if len(s.translate(_PUNCTUATION).split()) > 1]


@cache
def _splitter() -> Any:
    """NLTK's Punkt, as in GRUEN, with a short list in place of the data that it would download."""
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    parameters = PunktParameters()
    parameters.abbrev_types = set(_ABBREVIATIONS)
    return PunktSentenceTokenizer(parameters)


def _mean(values: dict[str, float], sentences: list[str]) -> float:
    return sum(values[s] for s in sentences) / len(sentences) if sentences else 0.0


def _losses(lm: Any, sentences: list[str], batch_size: int) -> np.ndarray:
    """Mean negative log-probability of all pieces of each unmasked sentence (sentences,)."""
    import torch

    model = quick(lm.model)

    def read(inputs: dict[str, Any]) -> Any:
        logits = model(**inputs).logits
        own = logits.gather(-1, inputs["input_ids"].unsqueeze(-1)).squeeze(-1)
        return (torch.logsumexp(logits, dim=-1) - own).mean(dim=1, keepdim=True)

    encoded = _encoded(lm, sentences, longest(lm.model, lm.tokenizer))
    return read_batches(encoded, read, width=1, batch_size=batch_size)[:, 0]


def _logits(classifier: Any, sentences: list[str], batch_size: int) -> np.ndarray:
    """The raw logit of "acceptable" of each sentence (sentences,)."""
    model, column = quick(classifier.model), acceptable_index(classifier.model.config)

    def read(inputs: dict[str, Any]) -> Any:
        return model(**inputs).logits[:, column : column + 1]

    most = longest(classifier.model, classifier.tokenizer, _LONGEST_CLASSIFIED)
    encoded = _encoded(classifier, sentences, most)
    return read_batches(encoded, read, width=1, batch_size=batch_size)[:, 0]


def _encoded(model: Any, sentences: list[str], most: int) -> Any:
    if not sentences:
        return {"input_ids": []}
    return model.tokenizer(sentences, truncation=True, max_length=most)
