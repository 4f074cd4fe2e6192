"""Turn Universal Dependencies trees of English into the scheme of spaCy's English models.

Universal Dependencies make content words heads; spaCy's scheme (ClearNLP's labels) makes
prepositions and copulas heads, chains coordinations from left to right and gives names their
last word as head. The steps below are ordered: each relies on those before it.
"""

from itertools import pairwise

from conllu import ROOT, Sentence, Word, children, descendants, put_above
from copulas import lift_copulas

RENAMED = {
    "root": "ROOT",
    "obj": "dobj",
    "iobj": "dative",
    "nsubj:pass": "nsubjpass",
    "nsubj:outer": "nsubj",
    "csubj:pass": "csubjpass",
    "csubj:outer": "csubj",
    "aux:pass": "auxpass",
    "nmod:poss": "poss",
    "nmod:desc": "compound",
    "nmod:unmarked": "npadvmod",
    "obl:unmarked": "npadvmod",
    "obl": "npadvmod",
    "obl:agent": "npadvmod",
    "nmod": "nmod",
    "acl:relcl": "relcl",
    "advcl:relcl": "advcl",
    "compound:prt": "prt",
    "det:predet": "predet",
    "cc:preconj": "preconj",
    "discourse": "intj",
    "vocative": "npadvmod",
    "flat": "compound",
    "goeswith": "compound",
    "fixed": "advmod",
    "list": "dep",
    "orphan": "dep",
    "dislocated": "dep",
    "reparandum": "dep",
}
"""Labels that only change their name (what still has its UD name after all steps)."""


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


SUBORDINATORS = _words(
    "while when whenever though although if whether that because since as unless until "
    "till once so like than where whereas lest except"
)
"""Words before a participle that stay markers; others ("by doing") are prepositions with pcomp."""

DATIVE_VERBS = _words("give hand offer show send feed serve lend teach pass bring sell")
"""Verbs whose "to" phrase is a dative in spaCy's scheme."""

NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM", "DET", "SYM", "X"})


def convert(sentence: Sentence) -> Sentence:
    """Return the sentence with heads and labels of spaCy's English scheme.

    The argument is left as it is. Words, tags and features do not change.
    """
    words = [Word(**{name: getattr(word, name) for name in Word.__slots__}) for word in sentence]
    for step in (
        _head_names_last,
        _split_fixed,
        _subject_of_existentials,
        lift_copulas,
        _lift_prepositions,
        _lift_gerund_prepositions,
        _chain_conjuncts,
        _relabel,
    ):
        step(words)
    return words


def _head_names_last(words: Sentence) -> None:
    for first in range(len(words)):
        parts = [
            index
            for index in children(words, first)
            if index > first
            and words[index].label == "flat"
            and words[index].pos in ("PROPN", "NOUN", "X")
        ]
        if not parts or words[first].pos not in ("PROPN", "NOUN", "X"):
            continue
        last = max(parts)
        dependents = children(words, first)
        put_above(words, first, last)
        words[first].label = "flat"
        for index in dependents:
            if index != last:
                words[index].head = last


def _split_fixed(words: Sentence) -> None:
    """Chain "because of X" and "such as X" as prepositions; leave other fixed words below."""
    for first in range(len(words)):
        if words[first].label != "case":
            continue
        for index in children(words, first):
            if words[index].label == "fixed":
                words[index].head, words[index].label = words[first].head, "case"


def _subject_of_existentials(words: Sentence) -> None:
    for index, word in enumerate(words):
        if word.label == "expl" and word.tag == "EX" and word.head != ROOT:
            for other in children(words, word.head):
                if words[other].label in ("nsubj", "nsubj:pass") and other > word.head > index:
                    words[other].label = "attr"


def _lift_prepositions(words: Sentence) -> None:
    for complement in range(len(words)):
        prepositions = [
            index
            for index in children(words, complement)
            if words[index].label == "case" and words[index].tag != "POS"
        ]
        if not prepositions:
            continue
        label = words[complement].label
        head = words[complement].head
        first = prepositions[0]
        for index in children(words, complement):
            if index < first and words[index].label in ("cc", "punct", "advmod", "cc:preconj"):
                words[index].head = first
        words[first].head = head
        words[first].label = _prepositional_label(words, label, head, first)
        for above, below in pairwise(prepositions):
            words[below].head, words[below].label = above, "prep"
        words[complement].head = prepositions[-1]
        words[complement].label = "pcomp" if words[complement].pos in ("ADV", "VERB") else "pobj"


def _prepositional_label(words: Sentence, label: str, head: int, preposition: int) -> str:
    if label == "obl:agent":
        return "agent"
    if label in ("root", "conj", "parataxis", "appos", "list", "pcomp", "relcl", "acl:relcl"):
        return label
    if label in ("ccomp", "advcl", "csubj"):
        return label
    if (
        label == "obl"
        and words[preposition].text.lower() == "to"
        and words[head].lemma in DATIVE_VERBS
        and any(words[index].label in ("obj", "nsubj:pass") for index in children(words, head))
    ):
        return "dative"
    return "prep"


def _lift_gerund_prepositions(words: Sentence) -> None:
    for marker in range(len(words)):
        word = words[marker]
        if word.label != "mark" or word.tag != "IN" or word.text.lower() in SUBORDINATORS:
            continue
        clause = word.head
        subject = any(words[i].label.startswith("nsubj") for i in children(words, clause))
        has_to = any(words[i].tag == "TO" for i in children(words, clause))
        gerund = words[clause].tag == "VBG" or any(
            words[i].tag == "VBG" and words[i].label.startswith("aux")
            for i in children(words, clause)
        )
        if subject or has_to or not gerund or marker > clause:
            continue
        dependents = children(words, clause)
        label = words[clause].label
        put_above(words, clause, marker)
        words[marker].label = _prepositional_label(words, "", words[marker].head, marker)
        if label in ("root", "conj"):
            words[marker].label = label
        words[clause].label = "pcomp"
        for index in dependents:
            if index < marker and words[index].label in ("cc", "punct", "advmod"):
                words[index].head = marker


def _chain_conjuncts(words: Sentence) -> None:
    for first in range(len(words)):
        conjuncts = [
            index
            for index in children(words, first)
            if words[index].label == "conj" and index > first
        ]
        if not conjuncts:
            continue
        start = first
        if words[first].label == "pobj" and words[words[first].head].pos == "ADP":
            start = words[first].head
        previous = first
        for index in conjuncts:
            same_kind = words[index].pos == "ADP" and words[previous].pos != "ADP"
            above = start if same_kind and previous == first else previous
            if _blocked(words, first, previous, index):
                above = first
            words[index].head = above
            for other in children(words, index):
                if other < index and words[other].label in ("cc", "punct", "cc:preconj"):
                    words[other].head = above
            previous = index


def _blocked(words: Sentence, first: int, previous: int, index: int) -> bool:
    """Whether a dependent of the first conjunct lies between the two, so that arcs would cross."""
    if previous == first:
        return False
    inside = descendants(words, previous)
    return any(
        words[other].head == first and words[other].label not in ("punct", "cc", "conj")
        for other in range(previous + 1, index)
        if other not in inside
    )


def _relabel(words: Sentence) -> None:
    for index, word in enumerate(words):
        word.label = _final_label(words, index)
    for index, word in enumerate(words):
        if word.label == "advmod" and word.head != ROOT and words[word.head].label == "nummod":
            word.label = "quantmod"
        if word.head == ROOT:
            words[index].label = "ROOT"


def _final_label(words: Sentence, index: int) -> str:
    word = words[index]
    if word.label == "mark" and word.tag == "TO":
        return "aux"
    if word.label == "advmod" and (word.lemma in ("not", "never") or word.text.lower() == "n't"):
        return "neg"
    if word.label == "xcomp":
        return _open_complement_label(words, index)
    return RENAMED.get(word.label, word.label)


def _open_complement_label(words: Sentence, index: int) -> str:
    word = words[index]
    if word.pos in ("VERB", "AUX"):
        return "xcomp"
    has_object = any(words[other].label in ("obj", "dobj") for other in children(words, word.head))
    if has_object:
        return "oprd"
    return "acomp" if word.pos == "ADJ" else "attr" if word.pos in NOMINAL else "xcomp"
