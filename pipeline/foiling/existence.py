"""Existence: 'there are no X' against 'there are X' (VALSE, section 3.1 and appendix A.1)."""

import re
from collections.abc import Iterator
from random import Random

from pipeline.errors import Refusal
from pipeline.foiling.target import Target
from pipeline.instance import Instance
from pipeline.language.articles import indefinite_article
from pipeline.language.declarative import declare
from pipeline.language.inflection import grammatical_number
from pipeline.language.noun_phrase import head_noun, tokenize
from pipeline.sources.records import Question

VERSION = 1

# What stands before the noun phrase whose existence is stated, and the noun phrase.
_EXISTENTIAL = re.compile(
    r"(There (?:is|are|was|were) |(?:You|I|We) (?:can )?see )(.+)", re.I | re.S
)
# Other statements that say no more than that something is there: "Tracks can be seen."
_SEEN = re.compile(
    r"\b(?:(?:can|could) be seen|(?:is|are) (?:visible|shown|pictured|seen))\b", re.I
)
# After these a noun phrase has its quantity, and neither "no" nor an article can be put before it.
_QUANTIFIED = re.compile(
    r"(?:\d|(?:exactly|the|this|that|these|those|his|her|its|their|my|your|our|one|two|three|four|"
    r"five|six|seven|eight|nine|ten|many|much|more|most|few|fewer|several|all|both|each|every|"
    r"not|never|only|about|lots?|plenty)\b)",
    re.I,
)
# The classes of what a text says about the number: none, or one and more.
_NONE, _SOME = ("0",), ("1+",)


def flip_existence(caption: str) -> str:
    """The caption with its statement of existence negated, or its negation taken away.

    "no" is deleted ("There are no animals." -> "There are animals."; a singular noun gets its
    article), or put in: for the article, else before the noun phrase. The first letter is upper
    case.

    Raises:
        Refusal: "not existential", or "quantified" where the noun phrase has a quantity already.
    """
    opening, phrase = _opening_and_phrase(caption)
    first, _, rest = phrase.partition(" ")
    if first.lower() == "no":
        flipped = opening + _affirmed(opening, rest)
    elif first.lower() in ("a", "an", "some", "any"):
        flipped = f"{opening}no {rest}"
    elif _QUANTIFIED.match(phrase):
        raise Refusal("quantified", first)
    else:
        flipped = f"{opening}no {phrase[0].lower() + phrase[1:] if not opening else phrase}"
    return flipped[:1].upper() + flipped[1:]


def _opening_and_phrase(caption: str) -> tuple[str, str]:
    """What comes before the noun phrase ("There are "; nothing if it is the subject), and it."""
    caption = caption.strip()
    existential = _EXISTENTIAL.fullmatch(caption)
    if existential:
        return existential[1], existential[2]
    if not caption or re.match(r"(?:there|it|he|she|they|you|i|we)\b", caption, re.I):
        raise Refusal("not existential", caption[:40])
    return "", caption


def _affirmed(opening: str, phrase: str) -> str:
    """The noun phrase that followed "no", with an article if it is a single thing."""
    verb = opening.split()[1].lower() if opening else ""
    if verb in ("are", "were"):
        return phrase
    tokens = tokenize(phrase)
    head = tokens[head_noun(tokens, 0, plural=False, subject=not opening)].text
    number = grammatical_number(head)
    # "There is no sheep" is about one; "No sheep ..." may be about several.
    single = number == "singular" or (number == "either" and verb in ("is", "was"))
    return f"{indefinite_article(phrase)} {phrase}" if single else phrase


def existence_caption(statement: str) -> str:
    """A statement with a number as one of existence: 0 gives "no", 1 an article, others nothing.

    Args:
        statement: What `declare` gives ("There are 3 dogs.").

    Raises:
        Refusal: "not existential" where the statement says more than that something is there.
    """
    opening, phrase = _opening_and_phrase(statement)
    number, _, rest = phrase.partition(" ")
    if not number.isdigit() or not (opening or _SEEN.search(phrase)):
        raise Refusal("not existential", statement[:40])
    if rest.startswith("of "):
        raise Refusal("quantified", "of")
    quantity = {"0": "no ", "1": f"{indefinite_article(rest)} "}.get(number, "")
    caption = f"{opening}{quantity}{rest}"
    return caption[:1].upper() + caption[1:]


def existence(question: Question, rng: Random, target: Target) -> Iterator[Instance]:
    """Yield the existential pair of a counting question.

    The answer 0 gives the negated caption, any other number the affirmative one; the foil is the
    other of the two. The affirmative foil of a negated caption is in the plural, as the question.

    Raises:
        Refusal: The question gives no statement, or one that is not existential.
    """
    caption = existence_caption(declare(question.question, question.number))
    foil = flip_existence(caption)
    classes, classes_foil = (_SOME, _NONE) if question.number else (_NONE, _SOME)
    yield target.instance(question, caption, foil, classes, classes_foil, "existence", VERSION)
