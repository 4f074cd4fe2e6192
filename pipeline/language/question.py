"""Taking a counting question apart: what is counted, the finite verb, and what follows it."""

import re
from dataclasses import dataclass

from pipeline.errors import Refusal
from pipeline.language import lexicons
from pipeline.language.dictionary import can_be
from pipeline.language.inflection import grammatical_number, plural, singular
from pipeline.language.word_classes import (
    bare,
    belongs,
    can_be_noun,
    is_base_verb,
    is_participle,
    is_past_verb,
    is_plural,
    meant,
)

# "manyt", "mnay" and "may" are slips; "How may I ..." is caught by what follows.
_HOW_MANY = re.compile(r"^\W*how\s+(?:man\w{0,3}|mnay|may|amny)\b[\s,]*(.*)$", re.I | re.S)
_OPINION = re.compile(
    r"\b(?:do|did|would|can|could) (?:you|we) (?:(\w+)(?: that)?)(?= (?:are|is|were|have|can)\b)",
    re.I,
)
_SPLIT_SLIPS = (
    (re.compile(r"\b(in|on)t he\b", re.I), r"\1 the"),
    (re.compile(r"\bint the\b", re.I), "in the"),
    (re.compile(r"\b(the|of|in|on|are|is|a) \1\b", re.I), r"\1"),
    (
        re.compile(r"\b(are|is) (?:their|they're|theres?|they)(?=$| (?:in|on|at|with|of)\b)", re.I),
        r"\1 there",
    ),
)
_AUXILIARIES = ("be", "have", "do", "modal")
_FINITE = tuple(f"{kind}{form}" for kind in _AUXILIARIES for form in ("", " negated"))
_NOUN_ENDERS = ("preposition", "relative", "pronoun", "determiner", "conjunction", *_FINITE)


@dataclass(frozen=True, slots=True)
class CountingQuestion:
    """A "how many" question in three parts.

    Attributes:
        counted: The counted noun phrase with all that belongs to it, its noun in the plural
            ("red cars", "of the dogs", "people in the picture").
        kind: Of the finite verb: "be", "have", "do", "modal", "verb", or "" where there is none.
        finite: The finite verb as it stands ("are", "can", "wear"), in lower case.
        negated: Whether it carries "n't".
        rest: The tokens after it.
    """

    counted: tuple[str, ...]
    kind: str
    finite: str
    negated: bool
    rest: tuple[str, ...]

    @property
    def partitive(self) -> bool:
        """Whether part of a known group is counted ("of the dogs")."""
        return bare(self.counted[0]) == "of"


def take_apart(question: str) -> CountingQuestion:
    """Split a "how many" question at its finite verb and put the counted noun in the plural.

    Raises:
        Refusal: "not a how-many question", "more than one question", "no counted noun",
            "mass noun", "two numerals" or "incomplete question".
    """
    tokens = _tokens(question)
    position = _finite_position(tokens)
    if position == 0:
        raise Refusal("no counted noun", question)
    if position is None:
        return CountingQuestion(_in_plural(tokens), "", "", False, ())
    word = bare(tokens[position])
    kind = next((name for name in _FINITE if belongs(word, name)), "verb")
    counted = tokens[:position]
    if bare(counted[-1]) in ("of", "the", "a", "and", "with"):
        raise Refusal("incomplete question", " ".join(counted))
    if kind == "be" and len(counted) > 1 and bare(counted[-1]) == "there":
        counted = counted[:-1]
    return CountingQuestion(
        counted=_in_plural(counted),
        kind=kind.removesuffix(" negated"),
        finite=_without_negation(word),
        negated=kind.endswith(" negated"),
        rest=tuple(tokens[position + 1 :]),
    )


def _tokens(question: str) -> list[str]:
    """The words after "how many", with slips in small words repaired."""
    text = " ".join(question.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    match = _HOW_MANY.match(text)
    if not match:
        raise Refusal("not a how-many question", text)
    text = match.group(1).strip().rstrip("?!., ")
    if "?" in text:
        raise Refusal("more than one question", question)
    opinion = _OPINION.search(text)
    if opinion and belongs(opinion.group(1), "opinion"):
        text = " ".join((text[: opinion.start()] + text[opinion.end() :]).split())
    if text.isupper() and " " in text:
        text = text.lower()
    for slip, repair in _SPLIT_SLIPS:
        text = slip.sub(repair, text)
    tokens = [meant(token) for token in _without_odd_quotes(text).split()]
    if not tokens:
        raise Refusal("no counted noun", question)
    return tokens


def _without_odd_quotes(text: str) -> str:
    """Drop double quotes that do not come in pairs, with a stray single one at a word's end."""
    if text.count('"') % 2 == 0:
        return text
    return re.sub(r"(?<=\w)'(?=\s|$)", "", text.replace('"', ""))


def _finite_position(tokens: list[str]) -> int | None:
    """Where the main clause has its finite verb; that of a relative clause is passed over."""
    relative_open = False
    for position in range(len(tokens)):
        if position and _opens_relative_clause(tokens, position):
            following = tokens[position + 1 : position + 2]
            # A lexical verb ends the search of the clause at once ("that hang on the wall").
            relative_open = not (following and _is_lexical_verb(following[0]))
        elif _is_finite(tokens, position):
            if not relative_open:
                return position
            relative_open = False
    return None


def _is_lexical_verb(token: str) -> bool:
    return is_base_verb(token) and not belongs(token, *_FINITE, "determiner", "pronoun", "adverb")


def _opens_relative_clause(tokens: list[str], position: int) -> bool:
    token = bare(tokens[position])
    if not belongs(token, "relative") or belongs(tokens[position - 1], "preposition"):
        return False
    return token != "that" or not _is_counted_after(tokens, position)


def _is_counted_after(tokens: list[str], position: int) -> bool:
    """Whether "that" determines a noun: something other than a verb or subject follows."""
    following = tokens[position + 1 : position + 2]
    return not following or not (
        belongs(following[0], *_FINITE, "pronoun", "determiner", "adverb", "verb")
    )


def _is_finite(tokens: list[str], position: int) -> bool:
    token, before = tokens[position], tokens[position - 1] if position else ""
    if belongs(token, *_FINITE):
        if not position and bare(tokens[1] if len(tokens) > 1 else "") == "not":
            return False  # "do not enter signs"
        return not (before and (bare(before) == "to" or belongs(before, "modal")))
    return position > 0 and _is_main_verb(tokens, position)


def _is_main_verb(tokens: list[str], position: int) -> bool:
    """Whether a token is the verb of a subject question ("people WEAR hats")."""
    token, before = tokens[position], tokens[position - 1]
    if belongs(token, "preposition", "particle", "state") or is_participle(token):
        return False
    if belongs(before, "adverb") and position > 1:
        before = tokens[position - 2]
    if is_past_verb(token) and not can_be(bare(token), "NOUN"):
        return True
    if belongs(before, "determiner", "preposition", "conjunction", "relative"):
        return False
    listed = belongs(token, "verb")
    if is_plural(before) and not belongs(before, "pronoun"):
        if any(belongs(later, *_FINITE) for later in tokens[position + 1 : position + 2]):
            return False
        return listed or (is_base_verb(token) and not can_be_noun(token))
    return listed and _ends_a_modified_noun(tokens, position)


def _ends_a_modified_noun(tokens: list[str], position: int) -> bool:
    """Whether the verb follows "people in the photo": a noun phrase ending in a singular."""
    inside = any(belongs(token, "preposition") for token in tokens[1 : position - 1])
    plural_head = any(is_plural(token) for token in tokens[: position - 2])
    if not (inside and plural_head):
        return False
    token, after = tokens[position], tokens[position + 1 : position + 2]
    if not can_be(bare(token), "NOUN") or belongs(token, "have") or bare(token) == "wear":
        return True
    return (
        bool(after)
        and (
            belongs(after[0], "determiner") or (can_be(bare(after[0]), "ADJ") and len(after[0]) > 2)
        )
        and not belongs(after[0], "preposition")
        and not is_participle(after[0])
    )


def _without_negation(word: str) -> str:
    if word == "cannot":
        return "can"
    return {"can't": "can", "won't": "will"}.get(word, word.removesuffix("n't"))


def _in_plural(tokens: list[str]) -> tuple[str, ...]:
    """The counted noun phrase with its head noun in the plural."""
    if bare(tokens[0]) == "of":
        if len(tokens) < 2 or (len(tokens) == 2 and bare(tokens[1]) in ("the", "a")):
            raise Refusal("incomplete question", " ".join(tokens))
        return tuple(tokens)
    opening = bare(tokens[0]) != "one" and (
        belongs(tokens[0], "preposition", "pronoun") or bare(tokens[0]) in ("a", "an", "the", "all")
    )
    if tokens[0].isdigit():
        raise Refusal("two numerals", " ".join(tokens))
    # "How many holding a bat?"
    verbal = is_participle(tokens[0]) and (
        len(tokens) == 1
        or (belongs(tokens[1], "determiner", "preposition") and not _is_compound(tokens, 1))
    )
    if opening or verbal:
        raise Refusal("no counted noun", " ".join(tokens))
    head = _head_position(tokens)
    noun = _without_stray_apostrophe(tokens[head], tokens[head + 1 : head + 2])
    number = grammatical_number(bare(noun))
    invented = singular(bare(noun)) in lexicons.words("mass_nouns")  # "furnitures"
    if number == "mass" or (invented and not can_be(bare(noun), "NOUN")):
        raise Refusal("mass noun", bare(noun))
    if not can_be_noun(noun) or belongs(noun, "color"):
        raise Refusal("no counted noun", " ".join(tokens))
    return (*tokens[:head], _plural_token(noun), *tokens[head + 1 :])


def _head_position(tokens: list[str]) -> int:
    """Where the counted noun stands: before the first thing that can only follow a noun."""
    for position in range(1, len(tokens)):
        token, before = tokens[position], tokens[position - 1]
        if (
            bare(token) != "one"
            and belongs(token, *_NOUN_ENDERS)
            and not _is_compound(tokens, position)
        ):
            if belongs(token, "conjunction") and not is_plural(before):
                continue
            return position - 1
        if before.endswith(",") or bare(token) in ("there", "to"):
            return position - 1
        if is_plural(before) and (is_participle(token) or belongs(token, "state", "dimension")):
            return position - 1
    return len(tokens) - 1


def _is_compound(tokens: list[str], position: int) -> bool:
    """Whether a particle stands inside a noun ("close up photos", "walk in closets")."""
    after = tokens[position + 1 : position + 2]
    return (
        belongs(tokens[position], "particle")
        and not is_plural(tokens[position - 1])
        and bool(after)
        and is_plural(after[0])
    )


def _without_stray_apostrophe(noun: str, after: list[str]) -> str:
    """Take "giraffe's" for a plural where nothing that it could possess follows."""
    stem, _, ending = noun.rpartition("'")
    followed = after and not belongs(after[0], *_NOUN_ENDERS, "state")
    if ending.lower() != "s" or len(stem.strip("'")) < 2 or followed:
        return noun
    return stem + "s" if stem.isupper() else stem


def _plural_token(token: str) -> str:
    """The plural of a noun that may carry punctuation."""
    word = token.strip(",.;:!?\"'()")
    if belongs(word, "game") or "'" in word:
        return token
    return token.replace(word, plural(word), 1) if word else token
