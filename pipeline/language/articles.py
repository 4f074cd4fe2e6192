"""The indefinite article: a or an, by how the following word sounds."""

import re
from functools import lru_cache
from typing import Literal

Article = Literal["a", "an"]

# Letters whose names begin with a vowel: "an SUV", "an MP3 player", but "a UFO", "a BMW".
_VOWEL_LETTERS = frozenset("AEFHILMNORSX")
# 8, 11, 18 and what begins like them sound with a vowel, however many digits follow in groups.
_VOWEL_NUMERAL = re.compile(r"(?:8\d*|1[18](?:000|,\d{3})?)(?!\d)")
_PRONOUNCED = frozenset({"NASA", "NATO", "LED", "UNICEF", "UNESCO", "SCUBA", "RADAR", "LASER"})


def indefinite_article(following: str) -> Article:
    """The article that goes before a word or phrase ("an hour", "a uniform", "an 11-year-old")."""
    words = following.split()
    return _article(words[0].strip("\"'“”‘’(")) if words else "a"


@lru_cache(maxsize=8192)
def _article(word: str) -> Article:
    first = re.split(r"[-/]", word)[0].rstrip(".,;:!?")
    if first[:1].isdigit():
        return "an" if _VOWEL_NUMERAL.match(first) else "a"
    if _is_spelled(first):
        return "an" if first[0] in _VOWEL_LETTERS else "a"
    return "an" if _inflect().a(first.lower() or "x").startswith("an ") else "a"


def _is_spelled(word: str) -> bool:
    """Whether the letters of a word are read one by one ("SUV", "X-ray", "MP3", "T-shirt")."""
    letters = word.replace(".", "")
    if len(letters) == 1:
        return letters.isalpha() and letters.isupper() and letters != "A"
    capitals = re.match(r"[A-Z]{2,}(?=s?$|\d)", letters)
    return capitals is not None and letters not in _PRONOUNCED and len(capitals[0]) <= 4


@lru_cache(maxsize=1)
def _inflect():
    import inflect

    return inflect.engine()
