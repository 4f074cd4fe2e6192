"""Make copulas heads: "the sky is blue" hangs under "is" in spaCy's scheme, under "blue" in UD."""

from conllu import Sentence, children, put_above

SENTENCE_LEVEL = frozenset(
    {"nsubj", "nsubj:outer", "nsubj:pass", "csubj", "csubj:outer", "csubj:pass", "expl", "aux"}
    | {"advcl", "parataxis", "discourse", "vocative", "dislocated", "cc", "list", "mark"}
)
"""Dependents of a predicate that belong to its copula in spaCy's scheme."""


def lift_copulas(words: Sentence) -> None:
    """Put every copula above its predicate, with what belongs to the sentence below it."""
    for copula in range(len(words)):
        if words[copula].label == "cop":
            _lift_copula(words, copula)


def _lift_copula(words: Sentence, copula: int) -> None:
    predicate = words[copula].head
    dependents = children(words, predicate)
    outer = any(words[index].label.endswith(":outer") for index in dependents)
    put_above(words, predicate, copula)
    below = [index for index in dependents if index != copula]
    for index in below:
        if outer:
            moves = index < copula or words[index].label == "punct"
        else:
            moves = _belongs_to_copula(words, index, copula, predicate)
        if moves:
            words[index].head = copula
    words[predicate].label = _predicate_label(words, predicate, below, outer)


def _belongs_to_copula(words: Sentence, index: int, copula: int, predicate: int) -> bool:
    word, label = words[index], words[index].label
    if label == "mark":
        return index < copula or predicate < copula
    if label in SENTENCE_LEVEL or label.startswith("aux"):
        return True
    if label == "punct":
        return index < min(copula, predicate) or index > predicate
    if label == "conj":
        return _is_clausal(words, index)
    between = min(copula, predicate) < index < max(copula, predicate)
    if label == "advmod":
        if between:
            return word.lemma in (
                "not",
                "n't",
                "also",
                "still",
                "always",
                "already",
                "never",
                "now",
            )
        return True
    if label in ("obl", "obl:unmarked", "obl:agent"):
        return words[predicate].pos not in ("ADJ", "VERB") or index < predicate
    if label in ("ccomp", "xcomp"):
        return words[predicate].pos not in ("ADJ", "VERB") and index > predicate
    return index < min(copula, predicate) and label in ("obj", "advmod", "cc:preconj")


def _is_clausal(words: Sentence, index: int) -> bool:
    if any(
        words[other].label.startswith(("cop", "nsubj", "aux", "csubj", "expl"))
        for other in children(words, index)
    ):
        return True
    return words[index].pos in ("VERB", "AUX")


def _predicate_label(words: Sentence, predicate: int, below: list[int], outer: bool) -> str:
    word = words[predicate]
    if outer or word.tag in ("VBD", "VBZ", "VBP", "MD"):
        return "ccomp"
    if any(words[index].label == "case" and words[index].tag != "POS" for index in below):
        return "obl"
    if word.pos == "ADJ":
        return "acomp"
    if word.pos == "ADV":
        return "advmod"
    if word.pos in ("VERB", "AUX"):
        return "xcomp" if word.tag == "VB" else "acomp" if word.tag == "VBN" else "xcomp"
    return "attr"
