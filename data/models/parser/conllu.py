"""Read CoNLL-U treebanks into sentences whose heads and labels can be rewritten."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = -1
"""The head of a sentence's root."""


@dataclass(slots=True)
class Word:
    """One word of a tree; `head` is an index into the sentence, or ROOT."""

    text: str
    lemma: str
    pos: str
    tag: str
    morph: str
    head: int
    label: str
    space: bool = True


Sentence = list[Word]


def children(sentence: Sentence, head: int) -> list[int]:
    """Return the indices of a word's dependents, from left to right."""
    return [index for index, word in enumerate(sentence) if word.head == head]


def descendants(sentence: Sentence, head: int) -> set[int]:
    """Return the indices of everything below a word, and of the word itself."""
    found, waiting = {head}, [head]
    while waiting:
        below = children(sentence, waiting.pop())
        found.update(below)
        waiting.extend(below)
    return found


def put_above(words: Sentence, old: int, new: int) -> None:
    """Put a dependent in its head's place; the old head hangs under it, its label to be set."""
    words[new].head, words[new].label = words[old].head, words[old].label
    words[old].head = new


def read_conllu(path: Path) -> Iterator[Sentence]:
    """Yield the sentences of a treebank file.

    Multiword tokens keep their words (don't = do + n't, without a space between); empty nodes
    of the enhanced graph are left out. A form that holds a space becomes one without.
    """
    with path.open(encoding="utf-8") as lines:
        yield from _sentences(lines)


def _sentences(lines: Iterable[str]) -> Iterator[Sentence]:
    sentence: Sentence = []
    joined_until = 0
    space_after_joined = True
    for line in lines:
        fields = line.rstrip("\n").split("\t")
        if len(fields) < 10:
            if sentence and not line.strip():
                yield sentence
                sentence, joined_until = [], 0
            continue
        number, form, lemma, pos, tag, morph, head, label, _, extra = fields
        if "." in number:
            continue
        if "-" in number:
            joined_until = int(number.split("-")[1])
            space_after_joined = "SpaceAfter=No" not in extra
            continue
        space = "SpaceAfter=No" not in extra
        if int(number) <= joined_until:
            space = int(number) == joined_until and space_after_joined
        sentence.append(
            Word(
                text=form.replace(" ", ""),
                lemma=lemma,
                pos=pos,
                tag=tag,
                morph="" if morph == "_" else morph,
                head=int(head) - 1,
                label=label,
                space=space,
            )
        )
    if sentence:
        yield sentence
