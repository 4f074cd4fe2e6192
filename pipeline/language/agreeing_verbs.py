"""The verbs of a counting statement that agree with what is counted."""

from pipeline.errors import Refusal
from pipeline.language import closed_classes as classes
from pipeline.language.counting_statement import COPULAS, CountingStatement
from pipeline.language.dictionary import can_be, verb_forms
from pipeline.language.inflection import base_form, grammatical_number, third_person

_PLURAL_OF = {form: base for base, form in classes.AGREEING.items()}
_NON_FINITE = frozenset({"be", "been"})


def agreeing_verbs(statement: CountingStatement, *, one: bool) -> dict[int, str]:
    """Token index -> new form, for all finite verbs that agree with the numeral.

    Args:
        one: Whether they are to agree with the number 1.

    Raises:
        Refusal: "ambiguous subject", "plural predicate", "no verb found", "two verbs".
    """
    changes: dict[int, str] = {}
    if statement.verb >= 0:
        changes[statement.verb] = _verb(statement.tokens[statement.verb].text, one=one)
    changes |= _relative_clause(statement, statement.head, one=one)
    if statement.frame == "subject":
        changes |= _main_verbs(statement, one=one)
    elif statement.frame == "existential":
        _refuse_second_verb(statement, statement.head)
    return changes


def main_verb(statement: CountingStatement) -> int:
    """The index of the finite verb, auxiliary or modal whose subject is counted.

    Raises:
        Refusal: "ambiguous subject", "no verb found".
    """
    verb = _auxiliary(statement, statement.head)
    return _lexical_verb(statement, statement.head) if verb is None else verb


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


def _is_subject(word: str) -> bool:
    return word in classes.SUBJECT_PRONOUNS or word in classes.DETERMINERS


def _relative_clause(statement: CountingStatement, head: int, *, one: bool) -> dict[int, str]:
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


def _clause_verb(statement: CountingStatement, verb: int, *, one: bool) -> dict[int, str]:
    word = statement.word(verb)
    is_verb = word in classes.AUXILIARIES or (word not in classes.CLOSED and verb_forms(word))
    if not is_verb or _is_subject(word):
        return {}
    return {verb: _verb(statement.tokens[verb].text, one=one)}


def _main_verbs(statement: CountingStatement, *, one: bool) -> dict[int, str]:
    """The finite verb of the counted subject, and others joined to it by "and"."""
    verb = main_verb(statement)
    following = statement.word(verb + 1)
    word = statement.word(verb)
    inverted = following in classes.SUBJECT_PRONOUNS or (
        word in ("do", "does", "did") and following in classes.DETERMINERS
    )
    if word in classes.MODALS or inverted:
        return {}
    if word in COPULAS:
        _refuse_nominal_predicate(statement, verb)
    changes = {verb: _verb(statement.tokens[verb].text, one=one)}
    for index in range(verb + 1, len(statement.tokens) - 1):
        if statement.word(index) in ("and", "but") and (
            statement.word(index + 1) in classes.AGREEING or statement.word(index + 1) in _PLURAL_OF
        ):
            changes[index + 1] = _verb(statement.tokens[index + 1].text, one=one)
    return changes


def _auxiliary(statement: CountingStatement, head: int) -> int | None:
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


def _lexical_verb(statement: CountingStatement, head: int) -> int:
    """The first word after the noun that is a verb by its form and by what follows it."""
    wanted = "VBZ" if statement.number == 1 else "VB"
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


def _refuse_nominal_predicate(statement: CountingStatement, verb: int) -> None:
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


def _refuse_second_verb(statement: CountingStatement, head: int) -> None:
    """Refuse "There are 4 containers show food", which is no sentence to begin with."""
    word = statement.word(head + 1)
    is_verb = classes.is_base_verb(word) and not (
        can_be(word, "NOUN") or classes.is_plain_adjective(word) or classes.is_past_participle(word)
    )
    if is_verb or word in classes.AUXILIARIES or word in classes.MODALS:
        raise Refusal("two verbs", word)
