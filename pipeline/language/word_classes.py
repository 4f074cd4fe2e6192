"""Word classes without a parser: closed classes from a list, open ones from a dictionary."""

from functools import lru_cache

from pipeline.language import closed_classes, lexicons
from pipeline.language.dictionary import can_be, verb_forms
from pipeline.language.inflection import grammatical_number

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
    forms = verb_forms(word)
    if "VBG" in forms:
        return True
    # Of "hit", "shut" and the like nothing tells the participle from the base form.
    return "VBN" in forms and ("VB" not in forms or word in ("cut", "put", "set", "hurt"))


@lru_cache(maxsize=16384)
def is_base_verb(token: str) -> bool:
    """Whether a token can be the base form of a verb."""
    return "VB" in verb_forms(bare(token))


@lru_cache(maxsize=16384)
def is_past_verb(token: str) -> bool:
    """Whether a token is a past tense and no participle ("wore", "took")."""
    word = bare(token)
    if belongs(word, "past", "participle"):
        return belongs(word, "past")
    forms = verb_forms(word)
    return "VBD" in forms and not {"VBN", "VB"} & forms


def past_tense(base: str) -> str:
    """The past tense of a verb: "make" -> "made"."""
    import lemminflect

    return lemminflect.getInflection(base, "VBD")[0]


@lru_cache(maxsize=1)
def _classes() -> dict[str, frozenset[str]]:
    lines = (line.partition(":") for line in lexicons.entries("question_words"))
    listed = {name: frozenset(words.split()) for name, _, words in lines}
    return listed | {
        "preposition": closed_classes.PREPOSITIONS - {"away", "back"} | listed["extra preposition"],
        "determiner": closed_classes.DETERMINERS | {"some"},
        "conjunction": frozenset({"and", "or", "but"}),
        "modal": closed_classes.MODALS - listed["modal negated"],
    }


@lru_cache(maxsize=1)
def _slips() -> dict[str, str]:
    return dict(slip.split(">") for slip in _classes()["slip"])
