r"""Make caption trees to train on, from captions that a first parser reads the same in any dress.

    python captions.py --treebank ud_ewt --pipeline first/pipeline \
        --captions captions.txt --to trees.jsonl

A caption is kept if the parser gives it one tree in its own case, in lower case and in capitals
with a final point, and if the dictionary allows every tag: a parser agreeing with itself is right
far more often (self-training with agreement, after Steedman et al. 2003). What the first parser
gets wrong most, finite verbs that look like plural nouns ("A man sits"), is then made from what it
gets right: "A man sitting on a bench" and "A man is sitting on a bench" become "A man sits on a
bench" together with their trees.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from caption_trees import along_paths, as_phrase, finite_versions
from conllu import ROOT, Sentence, Word, read_conllu
from substitution import collect, noun_only, substituted

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

FAMILIAR = 5
"""How often the treebank must have a word for the first parser to know it."""

COMMON = 30
RARE_SHARE = 0.08
"""A tag that fewer of a common word's uses have is taken for an error."""

BEFORE_NOUNS = frozenset(
    {"the", "of", "on", "with", "in", "two", "three", "his", "her", "their", "some", "several"}
    | {"many", "its", "by", "at", "from", "and", "these", "four", "for", "to"}
)
"""Words after which a form like "skis" is a noun."""

UPOS_OF_TAG = {"NN": "NOUN", "NNS": "NOUN", "JJ": "ADJ", "RB": "ADV"} | dict.fromkeys(
    ("VB", "VBZ", "VBP", "VBD", "VBN", "VBG"), "VERB"
)


def main() -> None:
    """Read options, parse captions, write trees."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pipeline", type=Path, required=True, help="the first parser")
    parser.add_argument("--treebank", type=Path, required=True, help="folder of UD English EWT")
    parser.add_argument("--captions", type=Path, nargs="+", required=True)
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--count", type=int, default=30000, help="captions to read")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    import spacy
    from thinc.api import NumpyOps, set_current_ops

    set_current_ops(NumpyOps(use_blis=False))
    nlp = spacy.load(options.pipeline)
    counts = Counter(
        word.text.lower()
        for sentence in read_conllu(options.treebank / "en_ewt-ud-train.conllu")
        for word in sentence
    )
    familiar = frozenset(word for word, count in counts.items() if count >= FAMILIAR)
    captions = sorted({text for path in options.captions for text in read_captions(path)})
    Random(options.seed).shuffle(captions)
    plurals = mostly_plural_nouns(captions)
    agreed = agreed_trees(nlp, captions[: options.count], familiar, plurals)
    trees = without_rare_readings([along_paths(as_phrase(tree)) for tree in agreed])
    words = collect(trees, captions)
    random = Random(options.seed + 1)
    written = 0
    with options.to.open("w", encoding="utf-8") as out:
        for tree in trees:
            versions = [tree, *finite_versions(tree)]
            versions.append(substituted(versions[-1], words, random))
            for sentence in versions:
                out.write(json.dumps([astuple(word) for word in sentence]) + "\n")
            written += len(versions)
    print(
        f"{len(trees)} of {len(captions[: options.count])} captions kept, {written} trees written"
    )


def read_captions(path: Path) -> Iterator[str]:
    """Yield the captions of a COCO annotation file, or the lines of a text file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        lines = [annotation["caption"] for annotation in json.loads(text)["annotations"]]
    else:
        lines = text.splitlines()
    for line in lines:
        if line.strip():
            yield " ".join(line.split())


def mostly_plural_nouns(captions: Iterable[str]) -> frozenset[str]:
    """Return the words that could be verbs ("skis") but mostly stand where only a noun can."""
    total: Counter[str] = Counter()
    as_noun: Counter[str] = Counter()
    for caption in captions:
        for before, word in pairwise(caption.lower().rstrip(".").split()):
            if word.endswith("s"):
                total[word] += 1
                as_noun[word] += before in BEFORE_NOUNS or before.endswith("ing")
    return frozenset(
        word
        for word, count in total.items()
        if count >= 10 and as_noun[word] >= count / 2 and _allowed(word, "NNS")
    )


def agreed_trees(
    nlp: Language, captions: Iterable[str], familiar: frozenset[str], plurals: frozenset[str]
) -> Iterator[Sentence]:
    """Yield the trees of captions that are parsed alike in three dresses.

    What the parser reads are the captions with unfamiliar nouns, and plurals that it might take for
    verbs, exchanged for "dog" and "dogs"; the trees are those of the captions as they were.
    """
    originals = [nlp.make_doc(text) for text in captions]
    plain = [_plain_words(doc, familiar, plurals) for doc in originals]
    dresses = (
        plain,
        [[word.lower() for word in words] for words in plain],
        [_capitals(words) for words in plain],
    )
    parsed = (nlp.pipe(_as_docs(nlp, dress)) for dress in dresses)
    for original, first, second, third in zip(originals, *parsed, strict=True):
        if _same(first, second) and _same(first, third) and _is_sound(first):
            yield [
                Word(
                    text=written.text,
                    lemma="",
                    pos=token.pos_,
                    tag=token.tag_,
                    morph=str(token.morph),
                    head=ROOT if token.head.i == token.i else token.head.i,
                    label=token.dep_,
                    space=bool(written.whitespace_),
                )
                for written, token in zip(original, first, strict=True)
            ]


def _plain_words(doc: Doc, familiar: frozenset[str], plurals: frozenset[str]) -> list[str]:
    return [_plain_word(token.text, token.lower_, familiar, plurals) for token in doc]


def _plain_word(text: str, word: str, familiar: frozenset[str], plurals: frozenset[str]) -> str:
    if word in plurals:
        return "dogs"
    number = None if word in familiar else noun_only(word)
    return {"NN": "dog", "NNS": "dogs"}[number] if number else text


def _as_docs(nlp: Language, texts: Iterable[list[str]]) -> Iterator[Doc]:
    from spacy.tokens import Doc

    for words in texts:
        yield Doc(nlp.vocab, words)


def without_rare_readings(trees: Sequence[Sentence]) -> list[Sentence]:
    """Leave out trees in which a common word has a tag that it hardly ever has elsewhere."""
    readings: dict[str, Counter[str]] = defaultdict(Counter)
    for tree in trees:
        for word in tree:
            readings[word.text.lower()][word.tag] += 1
    rare = {
        (word, tag)
        for word, tags in readings.items()
        if tags.total() >= COMMON and word.isalpha()
        for tag, count in tags.items()
        if count < RARE_SHARE * tags.total() and tag in UPOS_OF_TAG
    }
    return [tree for tree in trees if not any((w.text.lower(), w.tag) in rare for w in tree)]


def _capitals(words: list[str]) -> list[str]:
    capitals = [word.upper() for word in words]
    return capitals if words[-1] in (".", "!", "?") else [*capitals, "."]


def _same(doc: Doc, other: Doc) -> bool:
    """Whether two parses agree on all words of the first; the second may have a final point."""
    if len(other) - len(doc) not in (0, 1):
        return False
    return all(
        mine.head.i == theirs.head.i and mine.dep == theirs.dep and _tags_agree(mine, theirs)
        for mine, theirs in zip(doc, other, strict=False)
    )


def _tags_agree(mine, theirs) -> bool:
    # In capitals a proper noun cannot be told from a common one.
    alike = {"NNP": "NN", "NNPS": "NNS"}
    return alike.get(mine.tag_, mine.tag_) == alike.get(theirs.tag_, theirs.tag_)


def _is_sound(doc: Doc) -> bool:
    if sum(token.head.i == token.i for token in doc) != 1 or not 4 <= len(doc) <= 30:
        return False
    if any(token.dep_ in ("dep", "") for token in doc):
        return False
    return all(_allowed(token.lower_, token.tag_) for token in doc if token.text.isalpha())


@cache
def _allowed(word: str, tag: str) -> bool:
    """Whether the dictionary has a word with a tag; unknown words may have any."""
    from lemminflect import getAllInflections, getAllLemmas

    lemmas = getAllLemmas(word)
    part_of_speech = UPOS_OF_TAG.get(tag)
    if set(lemmas) == {"NOUN"} and not tag.startswith("NN"):
        return False
    if not lemmas or part_of_speech in (None, "ADJ", "ADV"):
        return True
    if part_of_speech == "NOUN":
        if "NOUN" not in lemmas:
            return False
        plural = any(
            word in getAllInflections(lemma, upos="NOUN").get("NNS", ()) for lemma in lemmas["NOUN"]
        )
        base = word in lemmas["NOUN"]
        return plural if tag == "NNS" else base
    if "VERB" not in lemmas:
        return word in ("is", "are", "was", "were", "has", "have", "be", "being", "been")
    return True


if __name__ == "__main__":
    main()
