"""Captions as annotators typed them, brought into one form.

Caption and foil are both made from the clean text, so that none of these things tells one from the
other. Spelling and wording stay as they are.
"""

import re

from pipeline.errors import Refusal

# What photographs show and people write in capitals; the rest of a shouted caption is lowered.
_ACRONYMS = """
    ATM ATV BBQ BLT BMW BMX CD CDs DJ DVD DVDs GPS HD HP IBM LCD LED MLB NBA NFL NYC PC RV SUV SUVs
    TV TVs UFO UK UPS USA USB VCR VW
"""
_RESTORED = {acronym.lower(): acronym for acronym in _ACRONYMS.split()} | {"i": "I", "i'm": "I'm"}
# "tv" and "TV" are equally common; one form, so that case tells nothing.
_WRITTEN_BOTH_WAYS = re.compile(r"\b(?:tv|dvd|suv|atv|usa)(?=s?\b)")
_PLAIN = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "`": "'", "\u201c": '"', "\u201d": '"', "\u00b4": "'"}
    | {"\u2013": "-", "\u2014": "-", "\u2026": "...", "\u200b": "", "\ufeff": ""}
)
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_QUOTED = re.compile(r'\s*"\s*([^"]*?)\s*"')
# Said of a page that did not load, or of the task, instead of the image.
_NO_CAPTION = re.compile(
    r"""\bno\ (image|picture|photo)\ (here\ )?(to\ \w+|again|available|shown|displayed|loaded)\b
    |\b(the|this)\ (image|picture|photo)\ (is|was|did|does|will|would|has)\ not\b
    |\bthere\ (is|was)\ no\ (image|picture|photo)\b
    |^no\ (image|picture|photo)\b
    |\b(unable|not\ able)\ to\ (see|view|load|describe)\b
    |\b(can't|cannot|couldn't)\ (see|view|load)\ (the|this|an|any)\ (image|picture|photo)\b
    |\bi\ (do\ not|don't|am\ not|cannot|can't)\ (know|sure|tell)\b|\bi'm\ not\ sure\b
    |\b(in|on)\ this\ (particular\ )?hit\b""",
    re.IGNORECASE | re.VERBOSE,
)


def clean(text: str) -> str:
    r"""The caption with plain white space, sentence case and regular punctuation.

    White space and line breaks become single spaces; a caption that is mostly in capitals, or has
    a capital at nearly every word, is lowered except for known acronyms; the first letter is
    raised; a space before a punctuation mark, doubled marks and quotation marks without a partner
    are removed, a missing space after a mark is put in; and the text ends in one full stop, unless
    it asks or exclaims. Cleaning twice changes nothing more.

    >>> clean(" A MAN WATCHING TV ,ALONE..\n")
    'A man watching TV, alone.'
    """
    text = " ".join(text.translate(_PLAIN).split())
    before = None
    # Taking one mark away may leave two others side by side.
    while text != before:
        before, text = text, _punctuated(text)
    return _ended(_raised(_sentence_case(_raised(text))))


def check_caption(text: str) -> None:
    """See that a clean text says something about an image.

    Raises:
        Refusal: "no caption" for an empty one and for remarks about the task ("There is no image
            here"), "one word", "question", or "not English" where most letters are not Latin.
    """
    words = _WORD.findall(text)
    if not words:
        raise Refusal("no caption", text)
    if len(words) == 1:
        raise Refusal("one word", text)
    if text.endswith("?"):
        raise Refusal("question", text)
    if sum(letter.isascii() for letter in text) < len(text) / 2:
        raise Refusal("not English", text)
    remark = _NO_CAPTION.search(text)
    if remark:
        raise Refusal("no caption", remark[0])


def _punctuated(text: str) -> str:
    """Regular spaces around marks, no mark twice, and only quotation marks that are a pair."""
    text = _without_stray_quotes(text)
    text = re.sub(r"\s+([,.;:!?])(?=[\s\"',.;:!?]|$)", r"\1", text)
    text = re.sub(r"\s+,(?=[^\W\d_])", ",", text)
    text = re.sub(r"([,;:!?])(?:\s*[,;:.])+", r"\1", text)
    text = re.sub(r"\.(?:\s*[,.;:])*\.+(?=\s|$|\")", ".", text)
    text = re.sub(r",(?=[^\W\d_])", ", ", text)
    # "A street.A bus" is two sentences; "t.v." and "U.S.A." are not.
    text = re.sub(r"([a-z]{2}[.!?])(?=[A-Z][a-z]*\b(?!\.))", r"\1 ", text)
    return text.strip(" ,;:-_*")


def _without_stray_quotes(text: str) -> str:
    if text.count('"') % 2 or re.fullmatch(r'"[^"]*"\W*', text):
        text = text.replace('"', "")
    text = _QUOTED.sub(lambda quoted: f' "{quoted[1]}"' if quoted[1] else " ", text)
    # An apostrophe alone, or at the start of a word where no other one ends a quotation.
    text = re.sub(r"(?<!\S)'+(?!\S)", " ", text)
    if len(re.findall(r"(?<!\w)'(?=\w)", text)) != len(re.findall(r"(?<=\w)'(?!\w)", text)):
        text = re.sub(r"(?<!\w)'+(?=[^\W\d_])", "", text)
    return " ".join(text.split())


def _sentence_case(text: str) -> str:
    """Lower a caption that is shouted or written as a title."""
    words = [word for word in _WORD.findall(text) if len(word) > 1]
    if len(words) < 2:
        return text
    acronyms = _RESTORED.values()
    shouted = sum(word.isupper() and word not in acronyms for word in words) > len(words) / 2
    # Names may make up half a caption, its prepositions and verbs not.
    titled = len(words) > 4 and sum(word[0].isupper() for word in words) > 0.9 * len(words)
    if shouted:
        return _WORD.sub(lambda word: _RESTORED.get(word[0].lower(), word[0].lower()), text)
    if titled:
        text = _WORD.sub(_lowered_title_word, text)
    return _WRITTEN_BOTH_WAYS.sub(lambda word: word[0].upper(), text)


def _lowered_title_word(word: re.Match[str]) -> str:
    acronym = word[0].isupper() and len(word[0]) > 1
    return word[0] if acronym or word[0] == "I" else word[0].lower()


def _raised(text: str) -> str:
    """The text with its first letter in upper case."""
    start = next((place for place, letter in enumerate(text) if letter.isalnum()), 0)
    return text[:start] + text[start : start + 1].upper() + text[start + 1 :]


def _ended(text: str) -> str:
    """The text with a mark at its end."""
    if not text or re.search(r"[.!?][\"')]*$", text):
        return text
    return f"{text}."
