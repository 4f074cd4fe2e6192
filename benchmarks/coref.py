"""Resolution of pronouns measured on VisPro (Yu et al., EMNLP 2019), beside the nearest noun.

    python benchmarks/coref.py val.vispro.1.1.jsonlines

A pronoun is resolved rightly if what it is put to is one of its gold antecedents. Precision is over
the pronouns that are resolved, recall over those that have an antecedent in the dialog. Dialogs are
halved by a hash of their key: "read" is the half that was looked at while rules were written.
"""

import argparse
import json
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from spacy.tokens import Doc

from pipeline.language.antecedents import nominals
from pipeline.language.coref import chains_of
from pipeline.models import load


def main() -> None:
    """Print precision, recall and F1 of the rules and of the nearest noun, for each half."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("vispro", type=Path)
    arguments.add_argument("--profile", default="embedded")
    given = arguments.parse_args()
    counts: dict[tuple[str, str], Counter[str]] = {}
    for line in given.vispro.read_text(encoding="utf-8").splitlines():
        dialog = json.loads(line)
        doc = parsed(dialog["sentences"], given.profile)
        half = "unread" if zlib.crc32(dialog["doc_key"].encode()) % 2 else "read"
        for method, links in (("rules", resolved(doc)), ("nearest noun", nearest(doc, dialog))):
            counter = counts.setdefault((method, half), Counter())
            counter.update(compared(dialog, links))
    print(f"{'':24}{'precision':>10}{'recall':>10}{'F1':>10}{'pronouns':>10}")
    for (method, half), counter in sorted(counts.items()):
        precision = counter["right"] / max(counter["resolved"], 1)
        recall = counter["right"] / max(counter["anaphoric"], 1)
        f1 = 2 * precision * recall / max(precision + recall, 1e-9)
        print(
            f"{method + ', ' + half:24}{precision:10.3f}{recall:10.3f}{f1:10.3f}"
            f"{counter['anaphoric']:10d}"
        )


def parsed(sentences: list[list[str]], profile: str) -> Doc:
    """One document with VisPro's own tokens and sentences."""
    nlp = load("coref", profile)
    words = [word for sentence in sentences for word in sentence]
    starts = [place == 0 for sentence in sentences for place in range(len(sentence))]
    return nlp(Doc(nlp.vocab, words=words, sent_starts=starts))


def resolved(doc: Doc) -> dict[int, tuple[int, ...]]:
    """Pronoun -> the tokens of the first mention of its chain."""
    return {
        mention.tokens[0]: chain.mentions[0].tokens
        for chain in chains_of(doc)
        for mention in chain.mentions[1:]
    }


def nearest(doc: Doc, dialog: dict) -> dict[int, tuple[int, ...]]:
    """Pronoun -> the noun that stands nearest before it."""
    heads = [tokens[0] for tokens in nominals(doc) if len(tokens) == 1]
    return {
        place: (before[-1],)
        for place in pronouns(dialog)
        if (before := [head for head in heads if head < place])
    }


def pronouns(dialog: dict) -> Iterator[int]:
    """The places of the pronouns that VisPro annotates."""
    return (info["current_pronoun"][0] for info in dialog["pronoun_info"])


def compared(dialog: dict, links: dict[int, tuple[int, ...]]) -> Counter[str]:
    """Count pronouns that have an antecedent, are resolved, and are resolved rightly."""
    counter: Counter[str] = Counter()
    for info in dialog["pronoun_info"]:
        gold, tokens = info["correct_NPs"], links.get(info["current_pronoun"][0])
        counter["anaphoric"] += bool(gold)
        counter["resolved"] += tokens is not None
        counter["right"] += tokens is not None and any(
            start <= tokens[0] <= tokens[-1] <= end for start, end in gold
        )
    return counter


if __name__ == "__main__":
    main()
