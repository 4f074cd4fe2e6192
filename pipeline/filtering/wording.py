"""When two texts count as the same: their wording."""

import unicodedata

_CLOSING = ".,;:!?\u2026\"'\u201d\u2019)\u00bb"


def wording(text: str) -> str:
    """The text without what does not change its words: case, white space, final punctuation.

    >>> wording("There are  no people.") == wording("there are no people")
    True
    """
    return " ".join(unicodedata.normalize("NFC", text).casefold().split()).rstrip(_CLOSING + " ")
