"""What the dictionary knows of a word: lemminflect's copy of the NIH SPECIALIST lexicon.

Only listed words are answered for; lemminflect's guesses at others are not asked.
"""

from functools import cache
from typing import Literal

PartOfSpeech = Literal["NOUN", "VERB", "ADJ", "ADV"]


@cache
def lemmas(word: str, part_of_speech: PartOfSpeech) -> tuple[str, ...]:
    """The base forms that a lower-case word can have in this part of speech."""
    return tuple(_library().getAllLemmas(word, upos=part_of_speech).get(part_of_speech, ()))


@cache
def plurals(noun: str) -> tuple[str, ...]:
    """The plurals of a lower-case noun, the usual one first, perhaps the noun among them."""
    return tuple(_library().getAllInflections(noun, upos="NOUN").get("NNS", ()))


@cache
def third_persons(verb: str) -> tuple[str, ...]:
    """The third persons singular present of a verb in its base form and lower case."""
    return tuple(_library().getAllInflections(verb, upos="VERB").get("VBZ", ()))


@cache
def verb_forms(word: str) -> frozenset[str]:
    """The Penn tags that a lower-case word can have as a verb: VB, VBZ, VBP, VBD, VBN, VBG."""
    found: set[str] = set()
    for lemma in lemmas(word, "VERB"):
        inflections = _library().getAllInflections(lemma, upos="VERB")
        found |= {tag for tag, forms in inflections.items() if word in forms}
        # Where past tense and past participle are alike, the dictionary lists the former only.
        if "VBN" not in inflections and word in inflections.get("VBD", ()):
            found.add("VBN")
    return frozenset(found)


def can_be(word: str, part_of_speech: PartOfSpeech) -> bool:
    """Whether the dictionary has the word, in any of its forms, in this part of speech."""
    return bool(lemmas(word.lower(), part_of_speech))


@cache
def _library():
    import lemminflect

    return lemminflect
