"""Actions: another verb in a caption's place of the verb (VALSE 3.5, A.5).

Only the verb's form changes with its number; articles and prepositions stay, so that captions and
foils have the same function words.
"""

import re

from pipeline.errors import Refusal
from pipeline.language import dictionary
from pipeline.language.closed_classes import DETERMINERS
from pipeline.language.inflection import base_form, third_person
from pipeline.language.verb_forms import third_person_of_ing

_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")


def replace_verb(caption: str, verb: str, new_verb_ing: str) -> str:
    """Put another verb in the place of a caption's verb, in the same person and number.

    >>> replace_verb("A man shouts at a woman.", "shouting", "tickling")
    'A man tickles at a woman.'

    Args:
        caption: A sentence in the present tense.
        verb: Its verb, as it stands there ("shouts") or in another present form ("shouting").
        new_verb_ing: The new verb in its -ing form.

    Raises:
        Refusal: "no such verb", if the caption has no present form of the verb.
    """
    return replace_verb_at(caption, find_verb(caption, verb), new_verb_ing)


def replace_verb_at(caption: str, place: tuple[int, int], new_verb_ing: str) -> str:
    """The same for a verb whose place is known, in characters, end exclusive."""
    start, end = place
    new = third_person_of_ing(new_verb_ing)
    if not is_third_person(caption[start:end]):
        new = base_form(new)
    return caption[:start] + new + caption[end:]


def find_verb(caption: str, verb: str) -> tuple[int, int]:
    """Where a verb stands in a sentence in the present tense, in characters, end exclusive.

    A word after a determiner is no verb ("A guard guards"), and of two forms in a row the second
    is ("Security guards guard"), but for one form twice ("A man fries fries").

    Raises:
        Refusal: "no such verb", if the sentence has no present form of the verb.
    """
    words = list(_WORD.finditer(caption))
    for forms in ({verb.lower()}, present_forms(verb)):
        places = [
            place
            for place, word in enumerate(words)
            if place and word[0].lower() in forms and words[place - 1][0].lower() not in DETERMINERS
        ]
        if places:
            first = places[0]
            after = first + 1
            doubled = after in places and words[first][0] != words[after][0]
            return words[after if doubled else first].span()
    raise Refusal("no such verb", f"{verb} in {caption}")


def present_forms(verb: str) -> frozenset[str]:
    """Third person and base form of a verb in any present form: "tattooing" -> "tattoo(s)"."""
    lower = verb.lower()
    # "sing" is a base form, "tattooing" is none.
    is_ing = lower.endswith("ing") and not dictionary.third_persons(lower)
    third = third_person_of_ing(lower) if is_ing else third_person(base_form(lower))
    return frozenset({third, base_form(third)})


def is_third_person(verb: str) -> bool:
    """Whether a present form is the third person singular ("guards", not "guard" or "dress")."""
    lower = verb.lower()
    base = base_form(lower)
    return base != lower and third_person(base) == lower
