"""The indefinite article before a word, by how the word is said."""

import re
from functools import cache

from pipeline.language.dictionary import can_be

_FIRST = re.compile(r"[\W_]*([^\W_](?:[\w'.&/]*\w)?)(-?)")
# Letters whose names begin with a vowel: "an SUV", "an X-ray", "an 8-ball" but "a UFO".
_VOWEL_NAMES = frozenset("AEFHILMNORSX")
# "Eight", "eleven" and "eighteen", alone or in front of thousands and millions.
_VOWEL_NUMBER = re.compile(r"8\d*|(?:11|18)(?:\d{3})*")
# Read letter by letter although the letters make another word ("an LED light").
_INITIALISMS = frozenset({"LED", "RV", "SOS", "AC", "ID", "IV", "HD", "IT", "AM", "AD", "US"})


def indefinite_article(following: str) -> str:
    """Choose "a" or "an" by the sound of the word, or the first of the words, that follows.

    >>> [indefinite_article(word) for word in ("hour", "uniform", "SUV", "UFO", "11-year-old")]
    ['an', 'a', 'an', 'a', 'an']
    """
    match = _FIRST.match(following)
    if not match:
        return "a"
    word, hyphen = match.groups()
    digits = re.match(r"\d+(?:,\d{3})*", word)
    if digits:
        return "an" if _VOWEL_NUMBER.fullmatch(digits[0].replace(",", "")) else "a"
    if _is_spelled(word, bool(hyphen)):
        return "an" if word[0].upper() in _VOWEL_NAMES else "a"
    return "an" if _begins_with_vowel(word.lower()) else "a"


def _is_spelled(word: str, hyphened: bool) -> bool:
    """Whether a word is read letter by letter: "SUV", "X-ray", "MP3"; not "NASA" or "DOG"."""
    letters = "".join(filter(str.isalpha, word.removesuffix("s")))
    if len(letters) == 1:
        return hyphened or word[0].isupper() or letters != "a"
    if not letters.isupper():
        return False
    if letters in _INITIALISMS or any(character.isdigit() for character in word):
        return True
    pronounceable = len(letters) > 3 and re.search("[AEIOU]", letters[1:])
    return not (pronounceable or can_be(letters, "NOUN") or can_be(letters, "ADJ"))


@cache
def _begins_with_vowel(word: str) -> bool:
    if word.startswith("ouija"):
        return False
    if word.startswith("usher"):
        return True
    import inflect

    return inflect.engine().a(word).startswith("an ")
