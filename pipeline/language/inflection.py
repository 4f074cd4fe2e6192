"""Number of nouns and agreement of verbs, one word at a time.

`inflect` and lemminflect's dictionary (the NIH SPECIALIST lexicon) are asked both, because each
errs alone: `inflect` pluralises plurals and cuts "bus" to "bu", lemminflect guesses at what it
does not know. Word lists in data/lexicons overrule them, and every answer must survive the way
there and back.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Literal

from pipeline.language import dictionary, lexicons

Number = Literal["singular", "plural", "either", "mass", "plural only"]

_IRREGULAR_ENDINGS = (
    ("woman", "women"),
    ("man", "men"),
    ("child", "children"),
    ("foot", "feet"),
    ("tooth", "teeth"),
    ("goose", "geese"),
    ("mouse", "mice"),
    ("person", "people"),
    ("knife", "knives"),
    ("wife", "wives"),
    ("wolf", "wolves"),
    ("shelf", "shelves"),
    ("leaf", "leaves"),
    ("loaf", "loaves"),
    ("scarf", "scarves"),
    ("thief", "thieves"),
    ("half", "halves"),
    ("calf", "calves"),
    ("by", "bys"),
)
# "Three goldfish", "two Japanese".
_UNCHANGING_ENDINGS = ("fish", "sheep", "reindeer", "aircraft", "anese", "inese")
_MASS_ENDINGS = ("ware", "wear")
_PLURAL_ONLY_ENDINGS = ("clothes", "pants", "trousers")
# Several digits, letters or acronyms: "2s", "A's", "SUVs".
_SIGNS = re.compile(r"(?P<sign>[A-Z0-9]+)'?s")
_IRREGULAR_VERBS = {"be": "is", "have": "has", "do": "does", "go": "goes", "quiz": "quizzes"}


def plural(noun: str) -> str:
    """The plural of a noun, or the noun itself where it is plural already or has one form only.

    Of a compound ("fire hydrant", "hot-dog") the last word changes; capitals stay.
    """
    if grammatical_number(noun) != "singular":
        return noun
    return noun + "s" if _is_sign(noun) else _of_last_word(noun, _plural_word)


def singular(noun: str) -> str:
    """The singular of a noun, or the noun itself where it is singular or has one form only."""
    if grammatical_number(noun) != "plural":
        return noun
    signs = _SIGNS.fullmatch(noun)
    return signs["sign"] if signs else _of_last_word(noun, _singular_word)


def grammatical_number(noun: str) -> Number:
    """Whether a noun form is singular or plural.

    Returns:
        "either" for counted nouns with one form ("sheep"), "mass" for those that are not counted
        ("luggage"), "plural only" for those without a singular ("scissors").
    """
    if _is_sign(noun):
        return "singular"
    if _SIGNS.fullmatch(noun):
        return "plural"
    if " ".join(noun.lower().split()[-2:]) in lexicons.words("plural_only_nouns"):
        return "plural only"
    return _number(_last_word(noun)[1].lower())


def third_person(base: str) -> str:
    """The third person singular present of a verb: "wear" -> "wears", "fly" -> "flies"."""
    return _keeping_case(base, _third_person_word)


def base_form(third: str) -> str:
    """The base form of a third person singular present verb: "has" -> "have"."""
    return _keeping_case(third, _base_form_word)


def _is_sign(word: str) -> bool:
    """Whether a word is digits, or written in capitals and no word otherwise ("GPS", not "BUS")."""
    capitals = 1 < len(word) < 5 and word.isalpha() and word.isupper()
    return word.isdigit() or (capitals and not dictionary.lemmas(word.lower(), "NOUN"))


def _of_last_word(noun: str, change: Callable[[str], str]) -> str:
    before, word = _last_word(noun)
    return before + _keeping_case(word, change) if word else noun


def _last_word(noun: str) -> tuple[str, str]:
    """What stands before the word that inflects, and that word."""
    before, _, word = noun.rpartition(" ")
    before = before + " " if before else ""
    whole = word.lower()
    if "-" in word and not (whole in _irregular() or whole in _irregular_back()):
        first, _, word = word.rpartition("-")
        before += first + "-"
    return before, word


def _keeping_case(word: str, change: Callable[[str], str]) -> str:
    """Apply a change that works on lower case: "TV" -> "TVs", "Bus" -> "Buses"."""
    changed = change(word.lower())
    if word.islower():
        return changed
    shared = next(
        (i for i, (a, b) in enumerate(zip(word.lower(), changed, strict=False)) if a != b),
        min(len(word), len(changed)),
    )
    return word[:shared] + changed[shared:]


@cache
def _number(word: str) -> Number:
    if word in lexicons.words("mass_nouns") or _ends(word, _MASS_ENDINGS):
        return "mass"
    if word in _unchanging() or word.endswith(_UNCHANGING_ENDINGS):
        return "either"
    if word in lexicons.words("plural_only_nouns") or _ends(word, _PLURAL_ONLY_ENDINGS):
        return "plural only"
    if word in _irregular() or word in _irregular_back():
        return "singular" if word in _irregular() else "plural"
    if word.endswith("people"):
        return "plural"
    return _number_in_dictionary(word) or _number_by_ending(word)


def _number_in_dictionary(word: str) -> Number | None:
    lemmas = dictionary.lemmas(word, "NOUN")
    if not lemmas:
        return None
    if word not in lemmas:
        return "plural"
    plurals = [form for form in dictionary.plurals(word) if form != word]
    if plurals:
        return "singular"
    others = [lemma for lemma in lemmas if lemma != word and word in dictionary.plurals(lemma)]
    if others:
        return "plural"
    if not word.endswith("s"):
        return "mass"
    return "mass" if word.endswith(("ss", "is", "ics")) else "plural only"


def _number_by_ending(word: str) -> Number:
    if _irregular_ending(word, 1):
        return "plural"
    known = _known_ending(word)
    if known:
        return _number(known)
    # Unknown words in -is are plurals of foreign words in -i ("paninis"), but for Greek ones.
    looks_plural = word.endswith("s") and not word.endswith(("ss", "us", "sis", "xis", "'s"))
    return "plural" if looks_plural and len(word) > 2 else "singular"


@cache
def _plural_word(word: str) -> str:
    if _number(word) != "singular":
        return word
    if word in _irregular():
        return _irregular()[word]
    listed = [form for form in dictionary.plurals(word) if form != word]
    guess = _inflect().plural_noun(word) or ""
    if listed:
        return guess if guess in listed else listed[0]
    ending = _irregular_ending(word, 0)
    if ending:
        return word.removesuffix(ending[0]) + ending[1]
    known = _known_ending(word)
    if known:
        return word.removesuffix(known) + _plural_word(known)
    return _regular_plural(word)


@cache
def _singular_word(word: str) -> str:
    if _number(word) != "plural":
        return word
    if word in _irregular_back():
        return _irregular_back()[word]
    lemmas = [lemma for lemma in dictionary.lemmas(word, "NOUN") if lemma != word]
    exact = [lemma for lemma in lemmas if _plural_word(lemma) == word]
    if exact or lemmas:
        advised = _inflect().singular_noun(word)
        return advised if advised in exact else (exact or lemmas)[0]
    ending = _irregular_ending(word, 1)
    if ending:
        return word.removesuffix(ending[1]) + ending[0]
    known = _known_ending(word)
    if known:
        return word.removesuffix(known) + _singular_word(known)
    cut = _regular_singular(word)
    return _singular_word(cut) if cut != word and _number(cut) == "plural" else cut


def _regular_plural(word: str) -> str:
    """The plural by spelling, for words that no dictionary here has."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def _regular_singular(word: str) -> str:
    """The singular by spelling: the shortest cut whose plural is the word again."""
    cuts = [word[:-1]]
    if word.endswith("ies") and len(word) > 5:
        cuts.insert(0, word[:-3] + "y")
    if word.endswith(("ses", "xes", "zes", "ches", "shes")):
        cuts.insert(0, word[:-2])
    return next((cut for cut in cuts if _regular_plural(cut) == word), word[:-1])


def _irregular_ending(word: str, form: Literal[0, 1]) -> tuple[str, str] | None:
    """The row of `_IRREGULAR_ENDINGS` that an unknown compound ends in ("snowboardmen")."""
    fits = (row for row in _IRREGULAR_ENDINGS if len(word) > len(row[form]) + 2)
    return next((row for row in fits if word.endswith(row[form])), None)


@cache
def _known_ending(word: str) -> str:
    """The longest known noun that an unknown compound ends in ("minibuses" -> "buses"), or ""."""
    for start in range(2, len(word) - 4):
        rest = word[start:]
        if rest in _irregular() or rest in _irregular_back():
            return rest
        # "Aries" is no part of words in -ary.
        if dictionary.lemmas(rest, "NOUN") and (word[-3:] != "ies" or _number(rest) != "singular"):
            return rest
    return ""


def _ends(word: str, endings: tuple[str, ...]) -> bool:
    return word.endswith(endings) and word not in endings and not dictionary.lemmas(word, "VERB")


@cache
def _third_person_word(base: str) -> str:
    if base in _IRREGULAR_VERBS:
        return _IRREGULAR_VERBS[base]
    listed = dictionary.third_persons(base)
    return listed[0] if listed else _regular_plural(base)


@cache
def _base_form_word(third: str) -> str:
    back = {form: base for base, form in _IRREGULAR_VERBS.items()}
    if third in back:
        return back[third]
    lemmas = [lemma for lemma in dictionary.lemmas(third, "VERB") if lemma != third]
    exact = [lemma for lemma in lemmas if _third_person_word(lemma) == third]
    if exact or lemmas:
        return (exact or lemmas)[0]
    return _regular_singular(third) if third.endswith("s") else third


@cache
def _unchanging() -> frozenset[str]:
    return lexicons.words("unchanging_nouns")


@cache
def _irregular() -> dict[str, str]:
    return lexicons.pairs("irregular_nouns")


@cache
def _irregular_back() -> dict[str, str]:
    return {form: base for base, form in _irregular().items()}


@cache
def _inflect():
    import inflect

    return inflect.engine()
