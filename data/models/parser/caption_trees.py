"""Repair parsed captions where the first parser errs by rule, and make new ones of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from conllu import ROOT, Sentence, Word, children, descendants

PATHS = frozenset({"down", "up", "along", "through", "over", "around", "across", "past", "off"})
MOTION = frozenset(
    {"walk", "drive", "ride", "travel", "go", "run", "ski", "slide", "move", "come", "sail", "roll"}
    | {"climb", "fall", "step", "head", "skate", "stroll", "jump", "race", "surf", "fly", "jog"}
)
"""Verbs after which a particle before a noun phrase is a preposition of path."""

SINGULAR = "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"
PLURAL = "Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin"


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


def along_paths(sentence: Sentence) -> Sentence:
    """Return the tree with "down the street" after a verb of motion as a prepositional phrase.

    Parsers that know "tear down the wall" take such a preposition for a particle.
    """
    words = [replace(word) for word in sentence]
    for index, word in enumerate(words):
        if word.label != "prt" or word.text.lower() not in PATHS:
            continue
        objects = [other for other in children(words, word.head) if words[other].label == "dobj"]
        moves = _verb(words[word.head].text.lower()) in MOTION
        if moves and index == word.head + 1 and len(objects) == 1:
            (landmark,) = objects
            if min(descendants(words, landmark)) == index + 1:
                word.label, word.tag, word.pos = "prep", "IN", "ADP"
                words[landmark].head, words[landmark].label = index, "pobj"
    return words


def _verb(form: str) -> str:
    from lemminflect import getLemma

    return getLemma(form, upos="VERB")[0]


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
