"""Which rounds of a dialog can be used: a plain "yes" or "no" to a question with a pronoun.

Nothing here needs a tree; `pipeline.foiling.coreference` looks at what the pronoun refers to.
"""

import re

from pipeline.errors import Refusal
from pipeline.language.inflection import grammatical_number
from pipeline.language.pronouns import PRONOUNS

_ANSWER = re.compile(r"(?:yes|no)\b(?!-)", re.IGNORECASE)
_LONGEST_ADDITION = 8
# What takes a "yes" or "no" back in part, or shows that it is none ("no idea", "no one is").
_HEDGE = re.compile(
    r"""\b(?: but | though | although | however | except | unless | actually | and\ (?:yes|no)
    | idea | clue | way\ (?:to|of) | telling | problem | one | 1
    | think | thinking | thought | believe | guess(?:ing)? | suppose | assume | assuming | imagine
    | seems? | seemingly | appears? | apparently | looks?\ like | looks?\ to | sounds? | would\ say
    | i'd | say | sure | probably | prob | possibly | maybe | perhaps | likely | might | may | could
    | must | should | not\ really | not\ very | not\ exactly | not\ quite | not\ entirely
    | not\ that | not\ all | not\ much | can'?t | cannot | can\ ?not | ca\ n't | couldn'?t | unable
    | hard\ to | difficult | unclear | unsure | tell | know | visible | barely | slightly | somewhat
    | sort\ of | kind\ of | kinda | sorta | a\ (?:little|bit|few|couple) | partial(?:ly)? | partly
    | almost | nearly | mostly | mainly | some | half | only | just | from\ what | as\ far | if | or
    )\b|\?""",
    re.IGNORECASE | re.VERBOSE,
)
_AUXILIARY = r"(?:is|are|was|were|do|does|did|has|have|had|can)"
_AGREEMENT = {
    "is": {"he", "she", "it", "this", "that"},
    "was": {"he", "she", "it", "this", "that"},
    "are": {"they", "these", "those"},
    "were": {"they", "these", "those"},
    "does": {"he", "she", "it", "this", "that"},
    "has": {"he", "she", "it", "this", "that"},
    "do": {"they", "these", "those"},
    "have": {"they", "these", "those"},
}
_SUBJECTS = frozenset({"he", "she", "it", "they", "these", "those"})
_SEEN = re.compile(r"(?:can|do|could) (?:you|u) see\b", re.IGNORECASE)
_INDIRECT = re.compile(r"\b(?:what|which|who|whose|how|where|why|when|whether|if)\b", re.IGNORECASE)
# "Are they any people?" means "are there".
_THERE = re.compile(
    r"(?:is|are) (?:it|they|their|this) (?:any|other|another|lots?|a lot|more|people|anyone)\b",
    re.IGNORECASE,
)
_IS_THERE = re.compile(r"is there (?:any |other |any other |more )?([a-z]+)\b", re.IGNORECASE)
# "One" was written "1" wherever it stood.
_NUMERAL_AT_END = re.compile(r"\b\d\W*$")
_PERSONAL = re.compile(r"\b(?:you|your|u|i|me|my|we|us|our)\b", re.IGNORECASE)
_ALTERNATIVE = re.compile(r"\b(?:or|either)\b", re.IGNORECASE)
_OPINION = re.compile(
    r"\b(?:look(?:s|ing)?|seem(?:s)?|appear(?:s)?|feel(?:s)?|sound(?:s)?|good|nice|pretty|cute"
    r"|beautiful|attractive|interesting|expensive|cheap|famous)\b",
    re.IGNORECASE,
)
DEMONSTRATIVES = frozenset({"this", "that", "these", "those"})
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+")


def plain_answer(answer: str) -> str:
    """Cut an answer to "yes" or "no".

    Raises:
        Refusal: "answer withheld", "not yes or no", "hedged answer" for "yes, i think so", "no
            idea", "not that i can see" and the like, or "long answer" for more than a few words,
            which as a rule say something else than the "yes" or "no" before them.
    """
    text = " ".join(answer.split())
    if not text:
        raise Refusal("answer withheld")
    said = cut_answer(text)
    addition = text[len(said) :].strip(" ,.!;:")
    if _HEDGE.search(addition):
        raise Refusal("hedged answer", text)
    if len(addition.split()) > _LONGEST_ADDITION:
        raise Refusal("long answer", text)
    return said


def cut_answer(answer: str) -> str:
    """The "yes" or "no" that an answer begins with, in lower case.

    Raises:
        Refusal: "not yes or no".
    """
    begins = _ANSWER.match(answer.strip())
    if begins is None:
        raise Refusal("not yes or no", answer)
    return begins[0].lower()


def check_question(question: str) -> None:
    """See that a question can be answered with yes or no, is well formed and has a pronoun.

    Raises:
        Refusal: "no pronoun", "not a yes/no question" ("what is he", "or"), "ill-formed question"
            ("are they any people", "do he"), or "question of opinion" ("does he look happy", "is
            it pretty"), whose answer the image does not decide.
    """
    words = _WORD.findall(question.lower())
    if not set(words) & (PRONOUNS.keys() | DEMONSTRATIVES):
        raise Refusal("no pronoun", question)
    if not re.match(rf"{_AUXILIARY}\b", question.strip(), re.IGNORECASE):
        raise Refusal("not a yes/no question", question)
    seen = _SEEN.match(question.strip())
    rest = question[seen.end() :] if seen else question
    if _ALTERNATIVE.search(rest) or _INDIRECT.search(rest) or _PERSONAL.search(rest):
        raise Refusal("not a yes/no question", question)
    if len(words) < 3 or _is_ill_formed(question) or not _agrees(words):
        raise Refusal("ill-formed question", question)
    if _OPINION.search(rest):
        raise Refusal("question of opinion", question)


def _is_ill_formed(question: str) -> bool:
    """Whether a question says "are they any people", "is there people" or "connected to 1"."""
    counted = _IS_THERE.match(question.strip())
    several = counted is not None and grammatical_number(counted[1].lower()) == "plural"
    return several or bool(_THERE.match(question.strip()) or _NUMERAL_AT_END.search(question))


def form_of(question: str) -> str:
    """The form of a question, by which yes and no are balanced: its first two words."""
    return " ".join(_WORD.findall(question.lower())[:2])


def _agrees(words: list[str]) -> bool:
    """Whether a pronoun that follows the verb at the beginning agrees with it."""
    verb, subject = words[:2]
    if subject in _SUBJECTS and verb in _AGREEMENT:
        return subject in _AGREEMENT[verb]
    if subject in ("this", "that") and verb in ("are", "were", "do", "have"):
        return False
    return subject not in PRONOUNS or subject in _SUBJECTS | {"his", "her", "its", "their"}
