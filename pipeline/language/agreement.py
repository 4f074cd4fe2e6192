"""Give a counting statement another number, with noun and verbs in agreement.

No parser is needed: in statements of the forms "There are 3 X ...", "3 X are ..." and "You see 3 X"
the head noun and its verb are found by closed word classes (`noun_phrase`, `closed_classes`). What
these rules cannot do surely is refused.
"""

import re

from pipeline.errors import Refusal
from pipeline.language import lexicons
from pipeline.language.agreeing_verbs import agreeing_verbs
from pipeline.language.counting_statement import CountingStatement, read_statement, rewritten
from pipeline.language.dependents import dependents
from pipeline.language.inflection import grammatical_number, plural, singular

_SEVERAL = re.compile(
    r"\b(?:different|various|multiple|several|each other|one another|side by side|together"
    r"|total|altogether|combined|in all|in (?:a|the) (?:row|group|line)|in pairs|identical"
    r"|matching|both|lined up|stacked)\b",
    re.IGNORECASE,
)


def speaks_of_several(statement: str) -> bool:
    """Whether a statement says what only several can do ("2 cars parked side by side")."""
    return bool(_SEVERAL.search(statement))


def set_number(statement: str, number: int) -> str:
    """The statement with another number: numeral, counted noun, and the verbs that agree with it.

    The numeral is in digits before and after; "exactly" stays where it is. Between two numbers
    other than 1 only the numeral changes.

    Args:
        number: 0 or more; 0 takes the plural.

    Raises:
        Refusal: "no numeral", "no counted noun", "coordinated nouns", "mass noun", "noun without a
            singular", "copula before the numeral", "ambiguous subject", "plural predicate",
            "no verb found", "two verbs", "distributive plural", "plural modifier".
        ValueError: The number is negative.
    """
    if number < 0:
        raise ValueError(f"a count of {number} is impossible")
    counting = read_statement(statement)
    one = number == 1
    changes = {counting.numeral: str(number)}
    if one or counting.number == 1:
        if not counting.partitive:
            changes |= _nouns(counting, one=one)
        changes |= agreeing_verbs(counting, one=one)
        changes |= dependents(counting, one=one)
    return rewritten(statement, counting.tokens, changes)


def _nouns(statement: CountingStatement, *, one: bool) -> dict[int, str]:
    """The noun counted, and nouns before it that go with it ("women players")."""
    head = statement.head
    changes = {}
    for index in range(statement.numeral + 1, head if one else 0):
        text = statement.tokens[index].text
        if statement.word(index) in ("men", "women"):
            changes[index] = singular(text)
        elif grammatical_number(text) == "plural" and text.islower() and not _may_stay(text):
            raise Refusal("plural modifier", text)
    noun, before = statement.tokens[head].text, statement.word(head - 1)
    number = grammatical_number(f"{before} {noun}" if before.isalpha() else noun)
    if number == "mass":
        raise Refusal("mass noun", noun)
    if number == "plural only" and one:
        raise Refusal("noun without a singular", noun)
    return changes | {head: singular(noun) if one else plural(noun)}


def _may_stay(modifier: str) -> bool:
    return modifier in lexicons.words("attributive_plurals") or modifier.endswith("'s")
