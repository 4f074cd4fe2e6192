"""Make caption trees to train on, from captions that a first parser reads the same in any dress.

    python captions.py --pipeline work/pipeline --captions captions.txt --to trees.jsonl

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
from collections.abc import Iterable, Iterator
from dataclasses import astuple, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from conllu import ROOT, Sentence, Word, children, descendants
from substitution import collect, substituted

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

UPOS_OF_TAG = {"NN": "NOUN", "NNS": "NOUN", "JJ": "ADJ", "RB": "ADV"} | dict.fromkeys(
    ("VB", "VBZ", "VBP", "VBD", "VBN", "VBG"), "VERB"
)

SINGULAR = "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"
PLURAL = "Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin"


def main() -> None:
    """Read options, parse captions, write trees."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pipeline", type=Path, required=True, help="the first parser")
    parser.add_argument("--captions", type=Path, nargs="+", required=True)
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--count", type=int, default=30000, help="captions to read")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    import spacy

    nlp = spacy.load(options.pipeline)
    captions = sorted({text for path in options.captions for text in read_captions(path)})
    Random(options.seed).shuffle(captions)
    trees = [as_phrase(tree) for tree in agreed_trees(nlp, captions[: options.count])]
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


def agreed_trees(nlp: Language, captions: Iterable[str]) -> Iterator[Sentence]:
    """Yield the trees of captions that are parsed alike in three dresses."""
    captions = list(captions)
    dresses = (captions, [text.lower() for text in captions], list(map(_capitals, captions)))
    for docs in zip(*(nlp.pipe(texts) for texts in dresses), strict=True):
        first, second, third = docs
        if _same(first, second) and _same(first, third) and _is_sound(first):
            yield [
                Word(
                    text=token.text,
                    lemma="",
                    pos=token.pos_,
                    tag=token.tag_,
                    morph=str(token.morph),
                    head=ROOT if token.head is token or token.head.i == token.i else token.head.i,
                    label=token.dep_,
                    space=bool(token.whitespace_),
                )
                for token in first
            ]


def _capitals(text: str) -> str:
    return text.upper() if text.endswith((".", "!", "?")) else text.upper() + " ."


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


def as_phrase(sentence: Sentence) -> Sentence:
    """Return the tree of "A man riding a horse" with the noun as root, as spaCy's models have it.

    The treebank has few such captions, and its parser takes the participle for the verb of a
    sentence.
    """
    root = next(index for index, word in enumerate(sentence) if word.head == ROOT)
    below = children(sentence, root)
    labels = [sentence[index].label for index in below]
    subjects = [index for index in below if sentence[index].label in ("nsubj", "nsubjpass")]
    if (
        sentence[root].tag not in ("VBG", "VBN")
        or len(subjects) != 1
        or subjects[0] > root
        or sentence[subjects[0]].pos not in ("NOUN", "PROPN")
        or {"aux", "auxpass", "cc", "mark", "advcl", "ccomp"} & set(labels)
    ):
        return sentence
    (subject,) = subjects
    words = [replace(word) for word in sentence]
    words[subject].head, words[subject].label = ROOT, "ROOT"
    words[root].head, words[root].label = subject, "acl"
    for index in below:
        if index < subject or sentence[index].label == "punct":
            words[index].head = subject
    return words


def finite_versions(sentence: Sentence) -> Iterator[Sentence]:
    """Yield the caption with its participle made the finite verb of a sentence, where it can be."""
    root = next(index for index, word in enumerate(sentence) if word.head == ROOT)
    if sentence[root].tag in ("NN", "NNS"):
        participles = [
            index
            for index in children(sentence, root)
            if sentence[index].tag == "VBG" and sentence[index].label == "acl" and index > root
        ]
        if len(participles) == 1 and not _has_subject(sentence, participles[0]):
            yield _with_finite_verb(sentence, root, participles[0])
    elif sentence[root].tag == "VBG":
        version = _without_progressive(sentence, root)
        if version:
            yield version


def _has_subject(sentence: Sentence, verb: int) -> bool:
    labels = {sentence[index].label for index in children(sentence, verb)}
    return bool(labels & {"nsubj", "aux", "auxpass", "expl", "mark", "cc"})


def _is_plural(sentence: Sentence, subject: int) -> bool:
    return sentence[subject].tag in ("NNS", "NNPS") or any(
        sentence[index].label == "conj" and sentence[index].pos in ("NOUN", "PROPN")
        for index in children(sentence, subject)
    )


def _with_finite_verb(sentence: Sentence, subject: int, verb: int) -> Sentence:
    words = [replace(word) for word in sentence]
    _make_finite(words[verb], plural=_is_plural(sentence, subject))
    words[verb].head, words[verb].label = ROOT, "ROOT"
    words[subject].head, words[subject].label = verb, "nsubj"
    end = max(descendants(sentence, verb))
    for index in children(sentence, subject):
        if index > end or (index != verb and index > verb):
            words[index].head = verb
    return words


def _without_progressive(sentence: Sentence, verb: int) -> Sentence | None:
    below = children(sentence, verb)
    auxiliaries = [index for index in below if sentence[index].label in ("aux", "auxpass", "neg")]
    subjects = [index for index in below if sentence[index].label == "nsubj" and index < verb]
    if len(auxiliaries) != 1 or len(subjects) != 1:
        return None
    (auxiliary,), (subject,) = auxiliaries, subjects
    if sentence[auxiliary].text.lower() not in ("is", "are") or not subject < auxiliary < verb:
        return None
    if children(sentence, auxiliary):
        return None
    words = [replace(word) for word in sentence]
    _make_finite(words[verb], plural=sentence[auxiliary].text.lower() == "are")
    del words[auxiliary]
    for word in words:
        if word.head > auxiliary:
            word.head -= 1
    return words


def _make_finite(word: Word, *, plural: bool) -> None:
    from lemminflect import getInflection, getLemma

    base = getLemma(word.text.lower(), upos="VERB")[0]
    word.text = base if plural else getInflection(base, tag="VBZ")[0]
    word.tag, word.pos = ("VBP" if plural else "VBZ"), "VERB"
    word.morph = PLURAL if plural else SINGULAR


if __name__ == "__main__":
    main()
