"""Word classes without a parser: closed classes from a list, open ones from a dictionary."""

from functools import lru_cache

from pipeline.language import lexicons
from pipeline.language.inflection import can_be, grammatical_number

_PLURALS = ("plural", "plural only", "either")
_CLOSED = ("be", "have", "do", "modal", "preposition", "determiner", "relative", "conjunction")


def bare(token: str) -> str:
    """A token in lower case without the punctuation around it."""
    return token.lower().strip(",.;:!?\"'()")


def belongs(token: str, *classes: str) -> bool:
    """Whether a token is in one of the named classes of data/lexicons/question_words.txt."""
    word = bare(token)
    return any(word in _classes()[name] for name in classes)


def meant(token: str) -> str:
    """The token with a known slip of the keyboard repaired."""
    return _slips().get(token, token)


@lru_cache(maxsize=16384)
def is_plural(token: str) -> bool:
    """Whether a token can be a plural noun."""
    return grammatical_number(bare(token)) in _PLURALS and can_be_noun(token)


@lru_cache(maxsize=16384)
def can_be_noun(token: str) -> bool:
    """Whether a token may be a noun: the dictionary says so, or it looks like a plural."""
    word = bare(token)
    if belongs(word, *_CLOSED):
        return False
    if can_be(word, "NOUN") or grammatical_number(word) == "plural":
        return True
    return not any(can_be(word, part) for part in ("VERB", "ADJ", "ADV"))


@lru_cache(maxsize=16384)
def is_participle(token: str) -> bool:
    """Whether a token is a present or past participle ("wearing", "parked", "shown")."""
    word = bare(token)
    if belongs(word, "participle"):
        return True
    if belongs(word, "preposition", "have", "determiner", "past"):
        return False
    inflections = _verb_forms(word)
    if word in inflections.get("VBG", ()):
        return True
    past = inflections.get("VBN", ()) or inflections.get("VBD", ())
    if word in past:
        # Of "cut", "hurt" and the like nothing tells the participle from the base form.
        return word not in inflections.get("VB", ()) or word in ("cut", "put", "set", "hurt")
    return False


@lru_cache(maxsize=16384)
def is_base_verb(token: str) -> bool:
    """Whether a token can be the base form of a verb."""
    word = bare(token)
    return word in _verb_forms(word).get("VB", ())


@lru_cache(maxsize=16384)
def is_past_verb(token: str) -> bool:
    """Whether a token is a past tense and no participle ("wore", "took")."""
    word = bare(token)
    forms = _verb_forms(word)
    if belongs(word, "past", "participle"):
        return belongs(word, "past")
    return word in forms.get("VBD", ()) and word not in forms.get("VBN", forms.get("VBD", ()))


def past_tense(base: str) -> str:
    """The past tense of a verb: "make" -> "made"."""
    forms = _lemminflect().getAllInflections(base, upos="VERB").get("VBD", ())
    return forms[0] if forms else _lemminflect().getInflection(base, "VBD")[0]


@lru_cache(maxsize=16384)
def _verb_forms(word: str) -> dict[str, tuple[str, ...]]:
    """All forms of the verb that a word is a form of, by Penn Treebank tag."""
    forms: dict[str, tuple[str, ...]] = {}
    for lemma in _lemminflect().getAllLemmas(word, upos="VERB").get("VERB", ()):
        found = _lemminflect().getAllInflections(lemma, upos="VERB")
        for tag, listed in found.items():
            forms[tag] = forms.get(tag, ()) + tuple(listed)
    return forms


@lru_cache(maxsize=1)
def _classes() -> dict[str, frozenset[str]]:
    lines = (line.partition(":") for line in lexicons.entries("question_words"))
    return {name: frozenset(listed.split()) for name, _, listed in lines}


@lru_cache(maxsize=1)
def _slips() -> dict[str, str]:
    return dict(slip.split(">") for slip in _classes()["slip"])


@lru_cache(maxsize=1)
def _lemminflect():
    import lemminflect

    return lemminflect
