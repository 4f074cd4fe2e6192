"""What else follows the number of the thing counted: its owners, its possessives, its pronouns."""

import re

from pipeline.errors import Refusal
from pipeline.language import closed_classes as classes
from pipeline.language import lexicons
from pipeline.language.articles import indefinite_article
from pipeline.language.counting_statement import CountingStatement, read_statement, rewritten
from pipeline.language.inflection import grammatical_number, singular

# Of these one person has two or more, so "1 person with their hands up" is right.
_OWNED_IN_PLURAL = classes.words(
    "arms boots clothes ears elbows eyes feet fingers gloves hands hooves horns knees legs "
    "leaves lights lips mirrors paws pockets shoes shoulders skis sleeves socks sunglasses teeth "
    "tires toes windows wings"
)
# Of these it has one, so "3 men with their backs to the wall" is "1 man with their back" to it.
_OWNED_ONCE = classes.words("back body face head mouth neck nose tail tongue trunk")
_OWNER = re.compile(r"(?P<noun>\w+)['\u2019]s?")
# "2 kinds of animals" are, one by one, a kind of animal.
_KINDS = frozenset({"brand", "breed", "kind", "piece", "slice", "sort", "species", "style", "type"})
_BEARING = classes.words("wearing wears riding rides driving drives holding holds carrying carries")
_WITH = classes.words("has in on using with without")


def dependents(statement: CountingStatement, *, one: bool) -> dict[int, str]:
    """Token index -> new form, for what refers to the thing counted, or belongs to it.

    Args:
        one: Whether one thing is counted, or another number of them.

    Raises:
        Refusal: "distributive plural", where one thing cannot have what several have ("3 men
            with their dogs").
    """
    changes: dict[int, str] = {}
    if not statement.partitive:
        changes |= _owners(statement, statement.head, one=one)
        changes |= _kinds(statement, statement.head, one=one)
    if statement.frame != "object":
        changes |= _object_pronoun(statement, statement.head, one=one)
    return changes | _possessives(statement, statement.head, one=one)


def with_one_each(text: str) -> str:
    """A statement about one thing with one of what several have one of each.

    "There is 1 person wearing hats." -> "There is 1 person wearing a hat." Only nouns of
    data/lexicons/one_each.txt change; statements about other numbers are given back.

    Raises:
        Refusal: The reasons of `read_statement` and of `CountingStatement.head`.
    """
    statement = read_statement(text)
    if statement.number != 1 or statement.partitive or statement.frame == "object":
        return text
    changes: dict[int, str] = {}
    person = is_person(statement.word(statement.head))
    for index in range(statement.head + 1, len(statement.tokens)):
        word = statement.word(index)
        if word in _BEARING or (word in _WITH and person and _is_near(statement, index)):
            changes |= _one_of_each(statement, index + 1)
    return rewritten(text, statement.tokens, changes)


def _is_near(statement: CountingStatement, index: int) -> bool:
    """Whether no noun stands between the thing counted and the word at `index`."""
    between = [statement.word(i) for i in range(statement.head + 1, index)]
    return all(
        word.endswith("ing") or classes.is_past_participle(word) or classes.is_plain_adverb(word)
        for word in between
    )


def _one_of_each(statement: CountingStatement, first: int) -> dict[int, str]:
    """Make the bare plural that begins with the token `first` singular ("white hats")."""
    for index in range(first, len(statement.tokens)):
        word, following = statement.word(index), statement.word(index + 1)
        if (not word.isalpha() and "-" not in word) or word in classes.CLOSED:
            break
        if grammatical_number(word) != "plural" or grammatical_number(following) == "plural":
            continue
        if singular(word) not in lexicons.words("one_each"):
            break
        changes = {index: singular(statement.tokens[index].text)}
        opening = changes.get(first, statement.tokens[first].text)
        changes[first] = f"{indefinite_article(opening)} {opening}"
        if following == "and":
            changes |= _one_of_each(statement, index + 2)
        return changes
    return {}


def _owners(statement: CountingStatement, head: int, *, one: bool) -> dict[int, str]:
    """One thing has one owner: "2 people's faces" is "1 person's face"."""
    changes = {}
    for index in range(statement.numeral + 1, head):
        owner = _OWNER.fullmatch(statement.tokens[index].text)
        if one and owner and grammatical_number(owner["noun"]) == "plural":
            changes[index] = singular(owner["noun"]) + "'s"
    return changes


def _kinds(statement: CountingStatement, head: int, *, one: bool) -> dict[int, str]:
    """One kind is one of "fruit" or of "animal", not of "animals"."""
    noun = head + 2
    if not one or statement.word(head + 1) != "of" or noun >= len(statement.tokens):
        return {}
    if singular(statement.word(head)) not in _KINDS or statement.word(noun) in classes.CLOSED:
        return {}
    if grammatical_number(statement.word(noun)) != "plural":
        return {}
    return {noun: singular(statement.tokens[noun].text)}


def _object_pronoun(statement: CountingStatement, head: int, *, one: bool) -> dict[int, str]:
    """The pronoun of "3 plates have food on them" or "with food on them": "it" of one thing."""
    words = [statement.word(index) for index in range(len(statement.tokens))]
    if not {"have", "has", "with"} & set(words[head:]):
        return {}
    if one and is_person(words[head]):
        return {}
    found, changed = ("them", "it") if one else ("it", "them")
    return {
        index: changed
        for index in range(head + 2, len(words))
        if words[index] == found
        and words[index - 1] in classes.PREPOSITIONS
        and _closes_clause("".join(words[index + 1 : index + 2]))
    }


def _closes_clause(following: str) -> bool:
    return following in ("", ".") or classes.is_past_participle(following)


def is_person(noun: str) -> bool:
    """Whether a noun, singular or plural, is one for people (data/lexicons/person_nouns.txt)."""
    return noun in classes.OBJECT_PRONOUNS or singular(noun) in lexicons.words("person_nouns")


def _possessives(statement: CountingStatement, head: int, *, one: bool) -> dict[int, str]:
    """The possessive that goes back to the counted noun: "his" of one man is "their" of three."""
    if statement.frame == "object":
        return {}
    person = is_person(statement.word(head))
    for index in range(head + 1, len(statement.tokens) - 1):
        word, owned = statement.word(index), statement.word(index + 1)
        if one and word == "their":
            return _possession(statement, index, person=person)
        own = ("his", "her") if person else ("its",)
        if not one and word in own and owned not in classes.CLOSED:
            return {index: "their"} if owned[0].isalnum() else {}
        if word in classes.DETERMINERS and word not in classes.POSSESSIVES:
            return {}
    return {}


def _possession(statement: CountingStatement, their: int, *, person: bool) -> dict[int, str]:
    """What one has of "their": "its" for a thing, and one of what everybody has one of."""
    changes = {} if person else {their: "its"}
    owned = statement.word(their + 1)
    if grammatical_number(owned) != "plural" or owned in _OWNED_IN_PLURAL:
        return changes
    if singular(owned) in lexicons.words("one_each") | _OWNED_ONCE:
        return changes | {their + 1: singular(owned)}
    raise Refusal("distributive plural", f"their {owned}")
