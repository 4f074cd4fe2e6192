"""Exchange nouns and verbs of caption trees for others of the same kind, trees unchanged.

A parser meets "toucan" or "graze" too rarely to learn what they are; put where a well-known word
stood, they are learned with a tree that is as good as the well-known word's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from conllu import Sentence, Word, children

SHARE_NOUNS = 0.4
SHARE_VERBS = 0.6
"""How often a noun or a verb is exchanged."""

MIN_VERB_COUNT = 3
"""How often a verb must be seen as a participle ("grazing") to be one of captions."""

MIN_NOUN_COUNT = 4
"""How often a word must be seen as a noun to take other nouns' places."""

_FINITE_OR_PARTICIPLE = ("VBG", "VBZ", "VBP")
_OPEN_ROLES = frozenset({"ROOT", "nsubj", "dobj", "pobj", "attr", "conj", "nsubjpass"})
_NEVER = frozenset({"be", "have", "do", "group", "couple", "lot", "top", "front", "side", "number"})


@dataclass(frozen=True, slots=True)
class CaptionWords:
    """Words of captions by the places they can take, each once."""

    singular_nouns: tuple[str, ...]
    plural_nouns: tuple[str, ...]
    verbs_with_object: tuple[str, ...]
    verbs_without: tuple[str, ...]


def collect(sentences: Sequence[Sentence], captions: Iterable[str]) -> CaptionWords:
    """Gather verbs from participles, and nouns that trees or the dictionary have as nouns.

    A noun that can be a verb too ("skis") must be seen as a noun a few times.
    """
    with_object: Counter[str] = Counter()
    without: Counter[str] = Counter()
    for sentence in sentences:
        for index, word in enumerate(sentence):
            if word.tag == "VBG" and word.label in ("acl", "ROOT", "conj"):
                labels = {sentence[child].label for child in children(sentence, index)}
                base = _base(word.text.lower())
                if base and "prt" not in labels:
                    (with_object if "dobj" in labels else without)[base] += 1
    seen = Counter(
        (word.tag, word.text)
        for sentence in sentences
        for word in sentence
        if _is_open_noun(word) and word.text.isalpha() and word.text.islower()
    )
    singular, plural = (
        {text for (tag, text), count in seen.items() if tag == wanted and count >= MIN_NOUN_COUNT}
        for wanted in ("NN", "NNS")
    )
    for token in {token for caption in captions for token in caption.lower().split()}:
        number = noun_only(token.strip(".,!?"))
        if number:
            (singular if number == "NN" else plural).add(token.strip(".,!?"))
    return CaptionWords(
        singular_nouns=tuple(sorted(singular)),
        plural_nouns=tuple(sorted(plural)),
        verbs_with_object=_frequent(with_object),
        verbs_without=_frequent(without),
    )


def _frequent(counts: Counter[str]) -> tuple[str, ...]:
    return tuple(sorted(word for word, count in counts.items() if count >= MIN_VERB_COUNT))


def substituted(sentence: Sentence, words: CaptionWords, random: Random) -> Sentence:
    """Return a copy in which some nouns and verbs are others; articles follow."""
    changed = [replace(word) for word in sentence]
    for index, word in enumerate(changed):
        if word.tag in _FINITE_OR_PARTICIPLE and random.random() < SHARE_VERBS:
            _exchange_verb(changed, index, words, random)
        elif _is_open_noun(word) and random.random() < SHARE_NOUNS:
            pool = words.singular_nouns if word.tag == "NN" else words.plural_nouns
            word.text = _like(word.text, random.choice(pool))
            _fit_article(changed, index)
    return changed


def _is_open_noun(word: Word) -> bool:
    in_place = word.tag in ("NN", "NNS") and word.label in _OPEN_ROLES
    return in_place and word.text.lower() not in _NEVER


def _exchange_verb(sentence: Sentence, index: int, words: CaptionWords, random: Random) -> None:
    from lemminflect import getInflection

    word = sentence[index]
    labels = {sentence[child].label for child in children(sentence, index)}
    base = word.text.lower() if word.tag == "VBP" else _base(word.text.lower())
    if base is None or base in _NEVER or word.label not in ("acl", "ROOT", "conj", "relcl"):
        return
    if labels & {"prt", "aux", "auxpass", "xcomp", "ccomp", "acomp", "attr", "oprd", "dative"}:
        return
    pool = words.verbs_with_object if "dobj" in labels else words.verbs_without
    forms = getInflection(random.choice(pool), tag=word.tag)
    if forms:
        word.text = _like(word.text, forms[0])


def _fit_article(sentence: Sentence, noun: int) -> None:
    if noun and sentence[noun - 1].text.lower() in ("a", "an"):
        article = sentence[noun - 1]
        right = "an" if sentence[noun].text[0].lower() in "aeiou" else "a"
        article.text = _like(article.text, right)


def _like(old: str, new: str) -> str:
    return new.capitalize() if old[0].isupper() else new


@cache
def _base(form: str) -> str | None:
    from lemminflect import getAllLemmas

    lemmas = getAllLemmas(form, upos="VERB").get("VERB", ())
    return lemmas[0] if lemmas else None


@cache
def noun_only(word: str) -> str | None:
    """Return NN or NNS for a word that the dictionary knows as a noun of one number alone."""
    from lemminflect import getAllInflections, getAllLemmas

    lemmas = getAllLemmas(word)
    if set(lemmas) != {"NOUN"} or len(word) < 3:
        return None
    if word not in lemmas["NOUN"]:
        return "NNS"
    plurals = getAllInflections(word, upos="NOUN").get("NNS", ())
    return "NN" if plurals and word not in plurals else None
