"""Answers to counting questions as numbers: "4.", "Four.", "None.", "A dozen.", "There are 3."."""

import re

from pipeline.errors import Refusal

_UNIT_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TEN_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_UNITS = {word: number for number, word in enumerate(_UNIT_WORDS.split())}
_TENS = {word: 10 * number for number, word in enumerate(_TEN_WORDS.split(), 2)} | {"fourty": 40}
_SCALES = {"dozen": 12, "hundred": 100, "thousand": 1000, "million": 1_000_000}
_WHOLE = {
    "none": 0,
    "nobody": 0,
    "nothing": 0,
    "neither": 0,
    "nil": 0,
    "no one": 0,
    "noone": 0,
    "not any": 0,
    "aren't any": 0,
    "isn't any": 0,
    "both": 2,
    "once": 1,
    "twice": 2,
    "single": 1,
    "pair": 2,
    "half a dozen": 6,
    "half dozen": 6,
}
_VAGUE = re.compile(
    r"\b(?:about|around|approx(?:imately)?|roughly|circa|nearly|almost|approaching|close to|"
    r"over|under|above|below|more|less|fewer|least|most|up to|at max(?:imum)?|minimum|maximum|"
    r"between|or|to|many|much|few|several|some|lots?|tons?|loads|plenty|bunch|numerous|various|"
    r"multiple|countless|couple|dozens|hundreds|thousands|millions|too|all|every|everyone|"
    r"maybe|perhaps|probably|possibly|likely|seems?|looks?|appears?|estimated?|plus|ish|"
    r"something|odd|varied|various|enough|unknown|unclear|any number|a number|each)\b"
)
_RANGE = re.compile(r"\d\s*(?:-|–|—|~|\+)|[~<>≈±]|\w-ish\b")
_OPENING = re.compile(
    r"^(?:(?:there(?:(?= (?:are|is)n't)| is| are| was| were|'s|'re)?|"
    r"(?:i|you|we|one) (?:can )?(?:see|count)|(?:it|this|that|he|she)(?:'s| is| was| has| had)|"
    r"(?:they|these|we|you|i)(?:'re| are| were| have| had)|the answer is|"
    r"exactly|just|only|precisely|a total of|in total|the|a|an)\s+)+"
)
# "No idea." is no count, unlike "No people."
_NO_ANSWER = {"idea", "clue", "telling", "way", "answer", "doubt", "limit", "number", "problem"}
_CLOSING_WORDS = 4
_WORD = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+|[a-z][a-z']*")


def parse_answer(answer: str) -> int:
    """The number that a free-text answer to a "how many" question states exactly.

    Digits, number words and "none" are understood, alone or in a short phrase ("Just one.",
    "There are 3.", "Two of them.", "No people."), so are dozens and thousands ("two dozen",
    "1,000"). "A couple" is not taken for 2.

    Raises:
        Refusal: "vague answer" for estimates, ranges and bounds ("About 20.", "2-3", "Many.");
            "not a number" for anything else ("Blue.", "3.5", "2 men and 1 woman.", "").
    """
    text = " ".join(answer.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    text = text.strip(" .!?\"';:()")
    if vague := _VAGUE.search(text) or _RANGE.search(text):
        raise Refusal("vague answer", vague.group().strip())
    text = re.sub(r"(?<=[a-z])-(?=[a-z])", " ", text)
    text = _OPENING.sub("", f"{text} ").strip()
    words = text.split()
    if not words or not all(map(_WORD.fullmatch, words)):
        raise Refusal("not a number", answer.strip() or "empty")
    number = _whole_phrase(words)
    if number is None:
        number = _leading_numeral(words)
    if number is None:
        raise Refusal("not a number", answer.strip())
    return number


def _whole_phrase(words: list[str]) -> int | None:
    """The value of "none", "no people", "both of them" and the like."""
    if words[0] == "no" and 2 <= len(words) <= _CLOSING_WORDS and words[1] not in _NO_ANSWER:
        return None if any(_is_numeral(word) for word in words if word != "one") else 0
    for length in (3, 2, 1):
        opening, closing = " ".join(words[:length]), words[length:]
        if opening in _WHOLE and len(closing) <= _CLOSING_WORDS:
            # "A single one" repeats the number, "none of the 3" does not.
            several = [word for word in closing if _is_numeral(word) and word != "one"]
            return None if several else _WHOLE[opening]
    return None


def _leading_numeral(words: list[str]) -> int | None:
    """The value of the numeral at the beginning, if few words and no other numeral follow."""
    length = 0
    while length < len(words) and (
        _is_numeral(words[length])
        or (words[length] == "and" and length + 1 < len(words) and _is_numeral(words[length + 1]))
    ):
        length += 1
    closing = words[length:]
    if len(closing) > _CLOSING_WORDS or any(_is_numeral(word) for word in closing):
        return None
    return _value(words[:length])


def _is_numeral(word: str) -> bool:
    return word[0].isdigit() or word in _UNITS or word in _TENS or word in _SCALES


def _value(words: list[str]) -> int | None:
    """Add a run of numerals up; nothing if it is not one well-formed numeral ("two three")."""
    total = current = 0
    previous = ""
    for word in words:
        kind = _kind(word)
        if kind == "and":
            if previous != "scale":
                return None
        elif kind == "scale":
            # "A hundred" and "a dozen" have lost their article here.
            current = (current or 1) * _SCALES[word]
            if word in ("thousand", "million"):
                total, current = total + current, 0
        elif kind in _MAY_FOLLOW.get(previous, ()) and not (
            previous == "tens" and _plain_value(word) > 9
        ):
            current += _plain_value(word)
        else:
            return None
        previous = kind
    return total + current if words and previous != "and" else None


_MAY_FOLLOW = {
    "": ("digits", "unit", "tens"),
    "scale": ("unit", "tens"),
    "and": ("unit", "tens"),
    "tens": ("unit",),
}


def _kind(word: str) -> str:
    if word[0].isdigit():
        return "digits"
    if word in _UNITS:
        return "unit"
    if word in _TENS:
        return "tens"
    return "scale" if word in _SCALES else word


def _plain_value(word: str) -> int:
    if word[0].isdigit():
        return int(word.replace(",", ""))
    return _UNITS[word] if word in _UNITS else _TENS[word]
