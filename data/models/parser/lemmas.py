"""Make the tables of spaCy's rule-based English lemmatizer from lemminflect and the treebank.

spaCy's own tables are a package apart (spacy-lookups-data); these hold what the few suffix rules
below get wrong, so they are small and need no list of known words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING

from conllu import Sentence

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.lookups import Lookups

Exceptions = dict[str, dict[str, list[str]]]

RULES = {
    "noun": [
        ["men", "man"],
        ["ies", "y"],
        ["ches", "ch"],
        ["shes", "sh"],
        ["sses", "ss"],
        ["xes", "x"],
        ["ss", "ss"],
        ["us", "us"],
        ["s", ""],
        ["", ""],
    ],
    "verb": [
        ["ies", "y"],
        ["ches", "ch"],
        ["shes", "sh"],
        ["sses", "ss"],
        ["xes", "x"],
        ["ss", "ss"],
        ["s", ""],
        ["ied", "y"],
        ["ed", ""],
        ["ing", ""],
        ["", ""],
    ],
    "adj": [["", ""]],
    "adv": [["", ""]],
}
"""Suffix rules; the first that fits gives the lemma of a word without an exception."""

OPEN = ("noun", "verb", "adj", "adv")
CLOSED = ("aux", "pron", "det", "part", "adp", "cconj", "sconj")

MIN_COUNT = 2
"""How often the treebank must show a reading ("lay" of "lie") for it to be trusted."""


def add_lemmatizer(nlp: Language, treebank: Iterable[Sentence]) -> None:
    """Append a rule-based lemmatizer with tables of its own to a pipeline."""
    lemmatizer = nlp.add_pipe("lemmatizer", config={"mode": "rule"})
    lemmatizer.initialize(list, lookups=lemma_tables(treebank))  # type: ignore[attr-defined]


def add_space_rule(nlp: Language) -> None:
    """Append the rule of spaCy's models by which a token of spaces is tagged as such."""
    ruler = nlp.add_pipe("attribute_ruler")
    ruler.add([[{"IS_SPACE": True}]], {"TAG": "_SP", "POS": "SPACE"})  # type: ignore[attr-defined]


def lemma_tables(treebank: Iterable[Sentence]) -> Lookups:
    """Return the tables `lemma_rules` and `lemma_exc`, as `Lemmatizer(mode="rule")` wants them.

    Words of closed classes get the treebank's own lemmas, contracted forms included.
    """
    from spacy.lookups import Lookups

    seen: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for sentence in treebank:
        for word in sentence:
            seen[word.text.lower(), word.pos.lower()][word.lemma] += 1
    lookups = Lookups()
    lookups.add_table("lemma_rules", {name: list(rules) for name, rules in RULES.items()})
    lookups.add_table("lemma_exc", _exceptions(seen))
    return lookups


def _exceptions(seen: dict[tuple[str, str], Counter[str]]) -> Exceptions:
    found: Exceptions = {part_of_speech: {} for part_of_speech in (*OPEN, *CLOSED)}
    for form, part_of_speech, lemmas in _dictionary():
        chosen = _choose(form, part_of_speech, lemmas, seen)
        if chosen != by_rules(form, part_of_speech):
            found[part_of_speech][form] = [chosen]
    for (form, part_of_speech), counts in sorted(seen.items()):
        (lemma, count), *_ = counts.most_common(1)
        if count < MIN_COUNT and lemma != form:
            continue
        contracted = part_of_speech == "verb" and "'" in form
        if contracted or (part_of_speech in CLOSED and form.isascii()):
            found[part_of_speech][form] = [lemma]
    return found


def _dictionary() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield every form that lemminflect's dictionary knows, with part of speech and lemmas."""
    from lemminflect import config
    from lemminflect.codecs.LemmaLUCodec import LemmaLUCodec

    for form, readings in sorted(LemmaLUCodec.load(config.lemma_lu_fn).items()):
        for part_of_speech, lemmas in readings.items():
            if part_of_speech.lower() in OPEN and form == form.lower() and form.isalpha():
                yield form, part_of_speech.lower(), tuple(lemmas)


def _choose(
    form: str,
    part_of_speech: str,
    lemmas: tuple[str, ...],
    seen: dict[tuple[str, str], Counter[str]],
) -> str:
    if len(lemmas) == 1:
        return lemmas[0]
    for lemma, count in seen.get((form, part_of_speech), Counter()).most_common(1):
        if count >= MIN_COUNT and lemma in lemmas:
            return lemma
    # "lay" and "leaves" have more than one; a form of its own is the likelier in the present.
    if form in lemmas:
        return form
    ruled = by_rules(form, part_of_speech)
    return ruled if ruled in lemmas else lemmas[0]


@cache
def by_rules(form: str, part_of_speech: str) -> str:
    """Return what the suffix rules alone make of a lower-case form."""
    for old, new in RULES[part_of_speech]:
        if form.endswith(old) and len(form) > len(old):
            return form[: len(form) - len(old)] + new
    return form
