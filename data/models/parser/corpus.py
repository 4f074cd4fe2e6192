"""Turn converted sentences into spaCy examples, varied in case and in how they end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from conllu import ROOT, Sentence, Word

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.training import Example

SHARE_UPPER = 0.05
SHARE_LOWER = 0.15
SHARE_WITHOUT_END = 0.15
"""How often a sentence is put in capitals or lower case, or loses its final mark.

Captions come in all three forms; the treebank's sentences hardly ever do.
"""

SHARE_DOUBLE_SPACE = 0.03
"""How often a space is doubled, which spaCy makes a token; it hangs under the word before it."""

SHARE_JOINED = 0.2
"""How often a document holds two sentences, from which the parser learns where they end."""


def vary(sentence: Sentence, random: Random) -> Sentence:
    """Return the sentence as a hurried writer might have typed it, or as it is."""
    draw = random.random()
    if draw < SHARE_UPPER:
        sentence = [replace(word, text=word.text.upper()) for word in sentence]
    elif draw < SHARE_UPPER + SHARE_LOWER:
        sentence = [replace(word, text=word.text.lower()) for word in sentence]
    if random.random() < SHARE_WITHOUT_END and len(sentence) > 3 and sentence[-1].text == ".":
        last = len(sentence) - 1
        if all(word.head != last for word in sentence):
            sentence = sentence[:-1]
    if random.random() < SHARE_DOUBLE_SPACE and len(sentence) > 1:
        sentence = _with_double_space(sentence, random.randrange(len(sentence) - 1))
    return sentence


def _with_double_space(sentence: Sentence, before: int) -> Sentence:
    if not sentence[before].space:
        return sentence
    space = Word(" ", " ", "", "", "", before, "dep", space=False)
    words = [*sentence[: before + 1], space, *sentence[before + 1 :]]
    return [
        replace(word, head=word.head + 1) if word.head > before else replace(word) for word in words
    ]


def to_doc(nlp: Language, sentences: Sequence[Sentence]) -> Doc:
    """Return the annotated document of one sentence or several in a row."""
    from spacy.tokens import Doc

    words = [word for sentence in sentences for word in sentence]
    heads, offset = [], 0
    for sentence in sentences:
        heads += [
            offset + (index if word.head == ROOT else word.head)
            for index, word in enumerate(sentence)
        ]
        offset += len(sentence)
    spaces = [word.space for word in words]
    for index in _ends(sentences):
        spaces[index] = True
    return Doc(
        nlp.vocab,
        words=[word.text for word in words],
        spaces=spaces,
        tags=[word.tag for word in words],
        pos=[word.pos for word in words],
        morphs=[word.morph for word in words],
        lemmas=[word.lemma for word in words],
        deps=[word.label for word in words],
        heads=heads,
    )


def _ends(sentences: Sequence[Sentence]) -> Iterator[int]:
    end = -1
    for sentence in sentences:
        end += len(sentence)
        yield end


def to_example(nlp: Language, reference: Doc, *, gold_tokens: bool = False) -> Example:
    """Pair a reference with the same text, cut into tokens by the pipeline unless told not to."""
    from spacy.tokens import Doc
    from spacy.training import Example

    if gold_tokens:
        spaces = [bool(token.whitespace_) for token in reference]
        return Example(Doc(nlp.vocab, [token.text for token in reference], spaces), reference)
    return Example(nlp.make_doc(reference.text), reference)


def batches(
    nlp: Language, sentences: Sequence[Sentence], words_per_batch: int, random: Random
) -> Iterator[list[Example]]:
    """Yield one epoch in random order, sentences of one source file sometimes joined in pairs."""
    starts = list(range(len(sentences)))
    random.shuffle(starts)
    batch: list[Example] = []
    size = 0
    for start in starts:
        joined = random.random() < SHARE_JOINED and start + 1 < len(sentences)
        group = [vary(sentence, random) for sentence in sentences[start : start + 1 + joined]]
        if not group[0]:
            continue
        batch.append(to_example(nlp, to_doc(nlp, group)))
        size += sum(map(len, group))
        if size >= words_per_batch:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def references(nlp: Language, sentences: Iterable[Sentence]) -> Iterator[Doc]:
    """Yield the documents of unvaried sentences, one each."""
    for sentence in sentences:
        yield to_doc(nlp, [sentence])
