"""Existence: "There are no X." against "There are X." (VALSE 3.1 and appendix A.1).

A counting question's answer 0 gives the caption that denies, any other the one that affirms; the
foil is the other of the two. Unlike in the published data, articles and numbers agree.
"""

import random
import re
from collections.abc import Iterator

from pipeline.errors import Refusal
from pipeline.foiling.target import Target, instance_of
from pipeline.instance import Instance
from pipeline.language import closed_classes as classes
from pipeline.language.agreeing_verbs import main_verb
from pipeline.language.agreement import speaks_of_several
from pipeline.language.articles import indefinite_article
from pipeline.language.counting_statement import CountingStatement, read_statement
from pipeline.language.declarative import declare
from pipeline.language.dependents import is_person
from pipeline.language.inflection import grammatical_number
from pipeline.language.noun_phrase import Token, head_noun, tokenize
from pipeline.sources.records import Question

VERSION = 1

_COPULAS = frozenset({"is", "are", "was", "were"})
_SINGULAR_VERBS = frozenset({"is", "was", "has", "does", "there's"})
_SEEN = re.compile(
    r"(?:can|could) be (?:\w+ly )?(?:seen|spotted|noticed|viewed|found)\b"
    r"|(?:is|are|was|were) (?:\w+ly )?(?:visible|shown|seen|pictured|depicted|present)\b"
)
# Nouns with one form that stand without an article when nobody counts them ("There is fruit.").
_UNCOUNTED = frozenset({"fruit", "staff", "offspring", "plankton", "shellfish"})
# No "no" goes in front of these.
_BLOCKED = (classes.CLOSED - classes.PLACE_ADVERBS) | classes.words(
    "not just only many several few one two three four five lots plenty more most"
)
_ARTICLES = frozenset({"a", "an", "some"})
_PERCEIVERS = frozenset({"you", "we", "i", "one"})
_PERCEIVING = frozenset({"see", "notice", "spot", "find", "count", "identify"})
_QUANTIFIER = re.compile(r"\b(?:each|every|both|all)\b", re.IGNORECASE)
# A statement of a sum says nothing once its number is gone ("There are people in total.").
_SUM = re.compile(
    r"\b(?:total|altogether|combined|in all|all together|more|exactly)\b", re.IGNORECASE
)


def existence(question: Question, rng: random.Random, target: Target) -> Iterator[Instance]:
    """Yield the pair of a counting question.

    The class of a text is the number of things that it speaks of. A foil that denies has the class
    0; for one that affirms, as in VALSE, the question's own wrong answers above 0 are listed, or 1
    where there are none. (VALSE lists the wrong answers for foils that deny as well, although these
    speak of none.)

    Raises:
        Refusal: No existential statement can be made: the reasons of `declare`,
            `existence_caption` and `flip_existence`.
    """
    caption = existence_caption(declare(question.question, question.number))
    classes_foil = [str(number) for number in question.choices if number > 0] or ["1"]
    yield instance_of(
        target,
        question,
        caption,
        flip_existence(caption),
        classes=(str(question.number),),
        classes_foil=("0",) if question.number else tuple(classes_foil),
        function="existence",
        version=VERSION,
    )


def existence_caption(statement: str) -> str:
    """The existential statement of a counting statement, which says how many no more.

    "There are 0 dogs." -> "There are no dogs.", "There is 1 dog." -> "There is a dog.",
    "There are 3 dogs." -> "There are dogs.", "3 tracks can be seen." -> "Tracks can be seen.",
    "You see 3 cars." -> "You see cars.", "3 dogs have collars." -> "There are dogs that have
    collars."

    Raises:
        Refusal: "no numeral"; "not existential", where the statement speaks of some of several
            ("3 of the dogs are brown.") or is about something else ("The giraffe has 4 legs.");
            "says a sum"; "quantified twice" ("There are 2 cups on each table."); "speaks of
            several", where what is said of one wants several; those of `read_statement`.
    """
    counting = read_statement(statement)
    before = [token.lower for token in counting.tokens[: counting.numeral]]
    seen = bool(_SEEN.search(statement))
    exists = before[-2:-1] == ["there"] or counting.frame == "subject" or _is_perceived(before)
    if counting.partitive or not exists:
        raise Refusal("not existential", " ".join([*before, counting.word(counting.numeral)]))
    for pattern, reason in ((_SUM, "says a sum"), (_QUANTIFIER, "quantified twice")):
        found = pattern.search(statement)
        if found:
            raise Refusal(reason, found[0])
    if counting.number == 1 and speaks_of_several(statement):
        raise Refusal("speaks of several", statement)
    if counting.frame == "subject" and not (seen and counting.numeral == 0):
        statement = _existential(statement, counting)
        counting = read_statement(statement)
    determiner = {0: "no", 1: "a"}.get(counting.number, "")
    return _with_determiner(statement, counting.tokens[counting.numeral], determiner)


def _is_perceived(before: list[str]) -> bool:
    """Whether a statement begins with "you see", "we can clearly see" and their like."""
    between = before[1:-1]
    return (
        len(before) > 1
        and before[0] in _PERCEIVERS
        and before[-1] in _PERCEIVING
        and all(word in classes.MODALS or classes.is_plain_adverb(word) for word in between)
    )


def _existential(statement: str, counting: CountingStatement) -> str:
    """Turn "3 dogs have collars." into "There are 3 dogs that have collars."."""
    if counting.numeral > 0:
        raise Refusal("not existential", statement)
    verb = main_verb(counting)
    between = [counting.word(index) for index in range(counting.head + 1, verb)]
    if classes.RELATIVES & set(between):
        raise Refusal("not existential", " ".join(between))
    start = counting.tokens[verb].start
    be = "is" if counting.number == 1 else "are"
    that = "who" if is_person(counting.word(counting.head)) else "that"
    return f"There {be} {statement[:start]}{that} {statement[start:]}"


def flip_existence(caption: str) -> str:
    """The caption denied if it affirms, and affirmed if it denies.

    "There is no dog." <-> "There is a dog.", "There are no trucks." <-> "There are trucks.", "No
    trucks can be seen." <-> "Trucks can be seen.", "You see no people." <-> "You see people." The
    foil begins with a capital.

    Raises:
        Refusal: "not existential".
    """
    tokens = tokenize(caption)
    words = [token.lower for token in tokens]
    at = _place_of_determiner(words)
    if at >= len(words) or not words[at][0].isalnum():
        raise Refusal("not existential", caption)
    if words[at] == "no":
        article = "a" if _takes_article(tokens, at) else ""
        return _with_determiner(caption, tokens[at], article)
    if words[at] in _ARTICLES:
        return _with_determiner(caption, tokens[at], "no")
    if words[at] in _BLOCKED or words[at].isdigit():
        raise Refusal("not existential", " ".join(words[: at + 1]))
    if at == 0 and not _begins_with_plural(tokens):
        raise Refusal("not existential", words[0])
    return _inserted_no(caption, tokens[at], first=at == 0)


def _place_of_determiner(words: list[str]) -> int:
    """Where "no" or the article stands, or would stand."""
    for index, word in enumerate(words):
        if word == "there" and index + 1 < len(words) and words[index + 1] in _COPULAS:
            return index + 2
        if word == "there's":
            return index + 1
    for index, word in enumerate(words):
        if word in _PERCEIVING and _is_perceived(words[: index + 1]):
            return index + 1
    return 0


def _takes_article(tokens: list[Token], at: int) -> bool:
    """Whether the noun after the "no" at `at` takes an article once "no" is gone."""
    before = tokens[at - 1].lower if at else ""
    if before in _COPULAS - _SINGULAR_VERBS:
        return False
    noun = head_noun(tokens, at + 1, plural=False, subject=at == 0)
    if before not in _SINGULAR_VERBS and noun >= _first_plural(tokens, at + 1):
        return False
    number = grammatical_number(tokens[noun].text)
    if number == "either":
        singular = before in _SINGULAR_VERBS or any(t.lower in _SINGULAR_VERBS for t in tokens)
        return singular and tokens[noun].lower not in _UNCOUNTED
    return number == "singular"


def _first_plural(tokens: list[Token], first: int) -> int:
    """The index of the first plural noun from `first` on, or the number of tokens."""
    return next(
        (i for i in range(first, len(tokens)) if grammatical_number(tokens[i].text) == "plural"),
        len(tokens),
    )


def _begins_with_plural(tokens: list[Token]) -> bool:
    head = head_noun(tokens, 0, plural=True, subject=True)
    return grammatical_number(tokens[head].text) in ("plural", "either", "plural only")


def _with_determiner(text: str, token: Token, determiner: str) -> str:
    """The text with `determiner` ("a" stands for "an" too) where the token was."""
    rest = text[token.end :].lstrip()
    if determiner == "a" and re.match(r"other\b", rest):
        determiner, rest = "another", rest.removeprefix("other").lstrip()
    elif determiner == "a":
        determiner = indefinite_article(rest)
    changed = text[: token.start] + (f"{determiner} {rest}" if determiner else rest)
    return changed[:1].upper() + changed[1:]


def _inserted_no(text: str, before: Token, *, first: bool) -> str:
    # "Bottles" goes down to "bottles" behind "no", "SUVs" does not.
    lowered = first and before.text[1:].islower()
    word = before.text.lower() if lowered else before.text
    changed = f"{text[: before.start]}no {word}{text[before.end :]}"
    return changed[:1].upper() + changed[1:]
