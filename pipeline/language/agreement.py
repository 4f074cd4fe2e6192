"""Give a counting statement another number, with noun and verbs in agreement.

No parser is needed: in statements of the forms "There are 3 X ...", "3 X are ..." and "You see 3 X"
the head noun and its verb are found by closed word classes (`noun_phrase`, `closed_classes`). What
these rules cannot do surely is refused.
"""

import re
from dataclasses import dataclass
from typing import Literal

from pipeline.errors import Refusal
from pipeline.language import closed_classes as classes
from pipeline.language import lexicons
from pipeline.language.inflection import (
    base_form,
    can_be,
    grammatical_number,
    plural,
    singular,
    third_person,
    verb_forms,
)
from pipeline.language.noun_phrase import Token, counting_numeral, head_noun, tokenize

Frame = Literal["existential", "subject", "object"]

_PLURAL_OF = {form: base for base, form in classes.AGREEING.items()}
_NON_FINITE = frozenset({"be", "been"})
_COPULAS = frozenset({"is", "are", "was", "were"})
# Of these one person has two or more, so "1 person with their hands up" is right.
_OWNED_IN_PLURAL = classes.words(
    "arms boots clothes ears elbows eyes feet fingers gloves hands hooves horns knees legs "
    "lights lips mirrors paws pockets shoes shoulders skis sleeves socks sunglasses teeth "
    "tires toes windows wings"
)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement's tokens, where its numeral stands, and which part of the clause it counts.

    `verb` is the index of the verb before the numeral that agrees with it, or -1.
    """

    tokens: list[Token]
    numeral: int
    frame: Frame
    verb: int = -1

    def word(self, index: int) -> str:
        return self.tokens[index].lower if 0 <= index < len(self.tokens) else ""


_SEVERAL = re.compile(
    r"\b(?:different|various|multiple|several|each other|one another|side by side|together"
    r"|in (?:a|the) (?:row|group|line)|in pairs|identical|matching|both|lined up|stacked)\b",
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
            "no verb found", "two verbs", "distributive plural".
        ValueError: The number is negative.
    """
    if number < 0:
        raise ValueError(f"a count of {number} is impossible")
    tokens = tokenize(statement)
    numeral = counting_numeral(tokens)
    changes = {numeral: str(number)}
    if number == 1 or int(tokens[numeral].text) == 1:
        changes |= _agreement(_framed(tokens, numeral), one=number == 1)
    return _rewritten(statement, tokens, changes)


def _rewritten(statement: str, tokens: list[Token], changes: dict[int, str]) -> str:
    for index in sorted(changes, reverse=True):
        token = tokens[index]
        statement = statement[: token.start] + changes[index] + statement[token.end :]
    return statement


def _framed(tokens: list[Token], numeral: int) -> _Statement:
    """Tell "There are 3 X", "3 X are ..." and "You see 3 X" apart."""
    start = numeral - (numeral > 0 and tokens[numeral - 1].lower == "exactly")
    words = [token.lower for token in tokens[:start]]
    if not words or words[-1] == ",":
        return _Statement(tokens, numeral, "subject")
    if words[-1] == "there's":
        return _Statement(tokens, numeral, "existential", start - 1)
    if words[-1] in _COPULAS:
        inverted = words[0] in classes.PREPOSITIONS or words[-2:-1] in (["there"], ["here"])
        if not inverted and not classes.is_past_participle(words[0]):
            raise Refusal("copula before the numeral", " ".join(words[-2:]))
        return _Statement(tokens, numeral, "existential", start - 1)
    verbless = not verb_forms(words[-1]) or not {"VB", "VBZ", "VBD"} & verb_forms(words[-1])
    if words[0] in classes.PREPOSITIONS and verbless and words[-1] not in classes.CLOSED:
        return _Statement(tokens, numeral, "subject")
    return _Statement(tokens, numeral, "object")


def _agreement(statement: _Statement, *, one: bool) -> dict[int, str]:
    """Token index -> new form, for all that agrees with the numeral."""
    changes: dict[int, str] = {}
    first = statement.numeral + 1
    if statement.word(first) == "of":
        head = _end_of_noun_phrase(statement, first + 1)
    else:
        head = head_noun(
            statement.tokens,
            first,
            plural=int(statement.tokens[statement.numeral].text) != 1,
            subject=statement.frame == "subject",
        )
        changes[head] = _noun(statement, head, one=one)
    if statement.verb >= 0:
        changes[statement.verb] = _verb(statement.tokens[statement.verb].text, one=one)
    changes |= _relative_clause(statement, head, one=one)
    if statement.frame == "subject":
        changes |= _main_verbs(statement, head, one=one)
    elif statement.frame == "existential":
        _refuse_second_verb(statement, head)
    if statement.frame != "object":
        changes |= _object_pronoun(statement, head, one=one)
    return changes | _possessives(statement, head, one=one)


def _noun(statement: _Statement, head: int, *, one: bool) -> str:
    noun = statement.tokens[head].text
    before = statement.word(head - 1)
    number = grammatical_number(f"{before} {noun}" if before.isalpha() else noun)
    if number == "mass":
        raise Refusal("mass noun", noun)
    if number == "plural only" and one:
        raise Refusal("noun without a singular", noun)
    return singular(noun) if one else plural(noun)


def _verb(text: str, *, one: bool) -> str:
    """A finite verb in agreement; a past tense or a modal stays as it is."""
    word = text.lower().replace("\u2019", "'")
    if word == "there's":
        return text if one else text[:-2] + " are"
    forms = classes.AGREEING if one else _PLURAL_OF
    if word in forms:
        return forms[word].capitalize() if text[0].isupper() else forms[word]
    if word in classes.AGREEING or word in _PLURAL_OF:
        return text
    if one:
        return third_person(text) if "VB" in verb_forms(word) else text
    return base_form(text) if "VBZ" in verb_forms(word) else text


def _end_of_noun_phrase(statement: _Statement, first: int) -> int:
    """The last token of the "the people" of "3 of the people are ..."."""
    index = first
    while statement.word(index) in classes.DETERMINERS:
        index += 1
    following = statement.word(index)
    if following in classes.OBJECT_PRONOUNS:
        return index
    if index > first and following in classes.AUXILIARIES | classes.MODALS:
        return index - 1
    return head_noun(statement.tokens, index, plural=True, subject=False)


def _is_subject(word: str) -> bool:
    return word in classes.SUBJECT_PRONOUNS or word in classes.DETERMINERS


def _relative_clause(statement: _Statement, head: int, *, one: bool) -> dict[int, str]:
    """The verb of "that are ..." or "who have ..." right after the noun, or after a modifier."""
    for index in range(head + 1, len(statement.tokens)):
        word = statement.word(index)
        if statement.word(index - 1) in classes.PREPOSITIONS and word == "that":
            return {}
        if word in ("that", "who", "which"):
            verb = index + 1
            while statement.word(verb) and classes.is_plain_adverb(statement.word(verb)):
                verb += 1
            return _clause_verb(statement, verb, one=one)
        if one and grammatical_number(word) != "plural":
            # "People in the room that are old": the plural verb leads back to the counted noun.
            continue
        if (word in classes.CLOSED and word not in classes.PLACE_ADVERBS) or not word[0].isalnum():
            break
        if grammatical_number(word) != "singular" or word in classes.DETERMINERS:
            break
    return {}


def _clause_verb(statement: _Statement, verb: int, *, one: bool) -> dict[int, str]:
    word = statement.word(verb)
    is_verb = word in classes.AUXILIARIES or (word not in classes.CLOSED and verb_forms(word))
    if not is_verb or _is_subject(word):
        return {}
    return {verb: _verb(statement.tokens[verb].text, one=one)}


def _main_verbs(statement: _Statement, head: int, *, one: bool) -> dict[int, str]:
    """The finite verb of the counted subject, and others joined to it by "and"."""
    verb = _auxiliary(statement, head)
    if verb is None:
        verb = _lexical_verb(statement, head)
    following = statement.word(verb + 1)
    word = statement.word(verb)
    inverted = following in classes.SUBJECT_PRONOUNS or (
        word in ("do", "does", "did") and following in classes.DETERMINERS
    )
    if word in classes.MODALS or inverted:
        return {}
    if word in _COPULAS:
        _refuse_nominal_predicate(statement, verb)
    changes = {verb: _verb(statement.tokens[verb].text, one=one)}
    for index in range(verb + 1, len(statement.tokens) - 1):
        if statement.word(index) in ("and", "but") and (
            statement.word(index + 1) in classes.AGREEING or statement.word(index + 1) in _PLURAL_OF
        ):
            changes[index + 1] = _verb(statement.tokens[index + 1].text, one=one)
    return changes


def _auxiliary(statement: _Statement, head: int) -> int | None:
    """The first auxiliary or modal after the noun that is not a relative clause's."""
    skip = False
    for index in range(head + 1, len(statement.tokens)):
        word = statement.word(index)
        if word in ("that", "who", "which"):
            if _is_subject(statement.word(index + 1)):
                raise Refusal("ambiguous subject", f"{word} {statement.word(index + 1)}")
            skip = True
        elif (word in classes.AUXILIARIES and word not in _NON_FINITE) or word in classes.MODALS:
            if not skip:
                return index
            skip = False
    return None


def _lexical_verb(statement: _Statement, head: int) -> int:
    """The first word after the noun that is a verb by its form and by what follows it."""
    wanted = "VBZ" if int(statement.tokens[statement.numeral].text) == 1 else "VB"
    for index in range(head + 1, len(statement.tokens)):
        word, following = statement.word(index), statement.word(index + 1)
        if word in classes.CLOSED or not {wanted, "VBD"} & verb_forms(word):
            continue
        if statement.word(index - 1) in classes.DETERMINERS:
            continue
        takes_object = (
            following in classes.DETERMINERS
            or following in classes.PREPOSITIONS
            or following in classes.PLACE_ADVERBS
            or following in ("", ".")
            or grammatical_number(following) in ("plural", "plural only", "mass")
            or following.isdigit()
        )
        if index == head + 1 or (takes_object and not classes.is_past_participle(word)):
            return index
    raise Refusal("no verb found", statement.word(head))


def _refuse_nominal_predicate(statement: _Statement, verb: int) -> None:
    """Refuse "3 of them are dogs" and "3 flags are the people holding"."""
    following = statement.word(verb + 1)
    if following in classes.DETERMINERS:
        raise Refusal("ambiguous subject", f"{statement.word(verb)} {following}")
    for index in range(verb + 1, len(statement.tokens)):
        word = statement.word(index)
        if word in classes.CLOSED or not word[0].isalnum() or word.endswith("ing"):
            return
        if classes.is_past_participle(word):
            return
        if grammatical_number(word) == "plural":
            raise Refusal("plural predicate", word)


def _refuse_second_verb(statement: _Statement, head: int) -> None:
    """Refuse "There are 4 containers show food", which is no sentence to begin with."""
    word = statement.word(head + 1)
    is_verb = classes.is_base_verb(word) and not (
        can_be(word, "NOUN") or classes.is_plain_adjective(word) or classes.is_past_participle(word)
    )
    if is_verb or word in classes.AUXILIARIES or word in classes.MODALS:
        raise Refusal("two verbs", word)


def _object_pronoun(statement: _Statement, head: int, *, one: bool) -> dict[int, str]:
    """The pronoun of "3 plates have food on them" or "with food on them": "it" of one thing."""
    words = [statement.word(index) for index in range(len(statement.tokens))]
    if not {"have", "has", "with"} & set(words[head:]):
        return {}
    if one and _is_person(words[head]):
        return {}
    found, changed = ("them", "it") if one else ("it", "them")
    return {
        index: changed
        for index in range(head + 2, len(words))
        if words[index] == found
        and words[index - 1] in classes.PREPOSITIONS
        and words[index + 1 : index + 2] in ([], ["."])
    }


def _is_person(noun: str) -> bool:
    return noun in classes.OBJECT_PRONOUNS or singular(noun) in lexicons.words("person_nouns")


def _possessives(statement: _Statement, head: int, *, one: bool) -> dict[int, str]:
    """The possessive that goes back to the counted noun: "his" of one man is "their" of three."""
    if statement.frame == "object":
        return {}
    for index in range(head + 1, len(statement.tokens) - 1):
        word, owned = statement.word(index), statement.word(index + 1)
        several = grammatical_number(owned) == "plural" and owned not in _OWNED_IN_PLURAL
        if one and word == "their" and several:
            raise Refusal("distributive plural", f"their {owned}")
        if one and word == "their" and not _is_person(statement.word(head)):
            return {index: "its"}
        if not one and word in ("his", "her", "its") and owned not in classes.CLOSED:
            return {index: "their"} if owned[0].isalnum() else {}
        if word in classes.DETERMINERS and word not in classes.POSSESSIVES:
            return {}
    return {}
