"""How texts are cut into words where words are counted."""

import re
import unicodedata

# A word keeps its inner apostrophes, hyphens and decimal points: "man's", "t-shirt", "2.5".
_WORD = re.compile(r"\w+(?:['\u2019.\-]\w+)*")


def words(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation.

    >>> words("There are no people; it's 2 o'clock.")
    ['there', 'are', 'no', 'people', "it's", '2', "o'clock"]
    """
    return _WORD.findall(unicodedata.normalize("NFC", text).lower())
