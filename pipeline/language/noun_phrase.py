"""The counted noun phrase of a statement: its numeral, and its head noun, by rules over words."""

import re
from dataclasses import dataclass

from pipeline.errors import Refusal
from pipeline.language import closed_classes as classes
from pipeline.language import lexicons
from pipeline.language.dictionary import can_be, verb_forms
from pipeline.language.inflection import grammatical_number

_TOKEN = re.compile(r"(?:[A-Za-z]\.){2,}|\w+(?:['\u2019./&-]\w+)*['\u2019]?|[^\w\s]")
_NUMERAL = re.compile(r"\d+")
# What a numeral after these words names is not a quantity ("the number 5 bus").
_NAMING = classes.words("number no route bus platform track gate room highway channel size line")
_CANNED = classes.words(
    "aluminum beer coke cola drink garbage gas metal milk oil paint pepsi pop recycling rubbish "
    "soda soup spray tin trash waste watering"
)
_PARTICLES = frozenset({"up", "down", "off", "out"})
_JOINING = frozenset({"and", "or", "&", ","})
# After a numeral these want an object of their own: "3 wearing hats" counts nothing it names.
_TRANSITIVE = frozenset({"wearing", "wear", "holding", "carrying", "having"})


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a sign, and where it stands in the text (half-open character span)."""

    text: str
    start: int
    end: int

    @property
    def lower(self) -> str:
        """The token in lower case, with a plain apostrophe."""
        return self.text.lower().replace("\u2019", "'")


def tokenize(text: str) -> list[Token]:
    """Words (with inner apostrophes, hyphens and points) and signs, in order."""
    return [Token(match[0], match.start(), match.end()) for match in _TOKEN.finditer(text)]


def counting_numeral(tokens: list[Token]) -> int:
    """The index of the numeral in digits that says how many.

    It is the one after "exactly", else after "there is" and its like, else the first that does not
    name something ("number 5").

    Raises:
        Refusal: "no numeral".
    """
    numerals = [i for i, token in enumerate(tokens) if _NUMERAL.fullmatch(token.text)]

    def follows(index: int, words: frozenset[str]) -> bool:
        return index > 0 and tokens[index - 1].lower in words

    exact = [i for i in numerals if follows(i, frozenset({"exactly"}))]
    existential = [i for i in numerals if i > 1 and tokens[i - 2].lower == "there"]
    plain = [i for i in numerals if not follows(i, _NAMING)]
    for found in (exact, existential, plain):
        if found:
            return found[0]
    raise Refusal("no numeral")


def head_noun(tokens: list[Token], first: int, *, plural: bool, subject: bool) -> int:
    """The index of the head of the noun phrase that begins with the token `first`.

    Args:
        plural: Whether the numeral asks for a plural noun.
        subject: Whether a finite verb may follow the phrase ("1 man walks"); after "there is" and
            in objects none does.

    Raises:
        Refusal: "no counted noun", "coordinated nouns".
    """
    run = _run(tokens, first)
    if not run or tokens[first].lower in _TRANSITIVE:
        raise Refusal("no counted noun", tokens[first].text if first < len(tokens) else "")
    head = _plural_head(tokens, run) if plural else None
    if head is None:
        head = _last_noun(tokens, run, before_verb=subject and not plural)
    if head is None:
        raise Refusal("no counted noun", " ".join(tokens[i].text for i in run))
    _refuse_coordination(tokens, head)
    return head


def _run(tokens: list[Token], first: int) -> list[int]:
    """The tokens from `first` up to a word of a closed class or a sign."""
    run: list[int] = []
    for index in range(first, len(tokens)):
        word = tokens[index].lower
        joins = run and word in _JOINING and _is_modifier(tokens[index - 1].lower)
        open_class = not _is_closed(word) or _is_can(tokens, index)
        if not joins and not open_class and not _is_attributive_adverb(tokens, index, first):
            break
        run.append(index)
    return run


def _is_attributive_adverb(tokens: list[Token], index: int, first: int) -> bool:
    """Whether an adverb belongs to a modifier of the noun ("overhead lights", "lit up signs")."""
    word, before = tokens[index].lower, tokens[index - 1].lower
    following = tokens[index + 1].lower if index + 1 < len(tokens) else "."
    opens = index == first and word in classes.PLACE_ADVERBS
    completes = index == first + 1 and word in _PARTICLES and "VBD" in verb_forms(before)
    return (opens or completes) and not _is_closed(following) and can_be(following, "NOUN")


def _plural_head(tokens: list[Token], run: list[int]) -> int | None:
    """The first plural noun, unless it stands before another that it modifies ("sports cars")."""
    for position, index in enumerate(run):
        number = grammatical_number(tokens[index].text)
        if number in ("singular", "mass"):
            continue
        rest = run[position + 1 :]
        attributive = tokens[index].lower in lexicons.words("attributive_plurals")
        if (number != "plural" or attributive) and _plural_before_end(tokens, rest):
            continue
        while rest and _is_plural_noun(tokens[rest[0]]):
            index, rest = rest[0], rest[1:]
        return index
    return None


def _is_plural_noun(token: Token) -> bool:
    """Whether a token is a plural, and not only a verb ("1 of the cows *appears* to sleep")."""
    noun = can_be(token.text, "NOUN") or not verb_forms(token.lower)
    return noun and grammatical_number(token.text) == "plural"


def _plural_before_end(tokens: list[Token], rest: list[int]) -> bool:
    """Whether a plural noun follows within the same noun phrase."""
    for index in rest:
        if _ends_phrase(tokens, index):
            return False
        if grammatical_number(tokens[index].text) == "plural":
            return True
    return False


def _last_noun(tokens: list[Token], run: list[int], *, before_verb: bool) -> int | None:
    """The last word before the phrase ends that can be a noun."""
    head = None
    for index in run:
        word = tokens[index].lower
        if head is not None and _ends_phrase(tokens, index):
            break
        if head is not None and before_verb and _is_finite_verb(tokens, index):
            break
        if _can_head(word):
            head = index
    if head is None:
        # "1 female shown": an adjective does for a noun where there is none.
        adjectives = [i for i in run if classes.is_plain_adjective(tokens[i].lower)]
        head = next(
            (i for i in reversed(adjectives) if tokens[i].lower not in classes.COLOURS), None
        )
    return head


def _can_head(word: str) -> bool:
    return not (
        word in _JOINING
        or word in classes.COLOURS
        or classes.is_plain_adverb(word)
        or classes.is_plain_adjective(word)
        or classes.is_present_participle(word)
        or classes.is_past_participle(word)
    )


def _is_adjective_and_noun(word: str) -> bool:
    adjective = classes.is_plain_adjective(word) and word not in classes.COLOURS
    return adjective and can_be(word, "NOUN")


def _is_finite_verb(tokens: list[Token], index: int) -> bool:
    """Whether "walks" is a verb in "1 man walks", as "cars" in "1 red cars can be seen" is not."""
    following = tokens[index + 1].lower if index + 1 < len(tokens) else ""
    before_auxiliary = following in classes.AUXILIARIES or following in classes.MODALS
    return "VBZ" in verb_forms(tokens[index].lower) and not before_auxiliary


def _ends_phrase(tokens: list[Token], index: int) -> bool:
    """Whether a word after a noun goes no longer with the noun phrase ("people *wearing* hats")."""
    word, before = tokens[index].lower, tokens[index - 1].lower
    following = tokens[index + 1].lower if index + 1 < len(tokens) else "."
    if word.endswith("ing") and (
        before in lexicons.words("person_nouns") or following in classes.DETERMINERS
    ):
        return True
    if classes.is_present_participle(word):
        return not _is_attributive_ing(tokens, index)
    if classes.is_plain_adverb(word):
        return True
    noun_follows = not _is_closed(following) and _can_head(following) and can_be(following, "NOUN")
    if classes.is_past_participle(word):
        # "1 blonde haired person", but "1 motorcycle parked side by side".
        return not (noun_follows and can_be(before, "ADJ"))
    return classes.is_plain_adjective(word) and not noun_follows


def _is_closed(word: str) -> bool:
    return word in classes.CLOSED or not word[0].isalnum()


def _is_can(tokens: list[Token], index: int) -> bool:
    """Whether "can" is the noun of "1 trash can on the street", not the verb."""
    soon = [token.lower for token in tokens[index + 1 : index + 4]]
    auxiliary_follows = bool(soon) and soon[0] in (classes.AUXILIARIES | classes.MODALS) - {"be"}
    base_follows = "be" in soon or (bool(soon) and "VB" in verb_forms(soon[0]))
    verb_follows = base_follows and not auxiliary_follows
    contents = tokens[index - 1].lower in _CANNED if index else False
    return tokens[index].lower == "can" and contents and not verb_follows


def _is_modifier(word: str) -> bool:
    return word == "orange" or classes.is_plain_adjective(word)


def _is_attributive_ing(tokens: list[Token], index: int) -> bool:
    """Whether an -ing form after a noun goes with the noun after it ("street parking meters")."""
    following = tokens[index + 1].lower if index + 1 < len(tokens) else "."
    attributive = tokens[index].lower in lexicons.words("attributive_ing")
    return attributive and not _is_closed(following) and can_be(following, "NOUN")


def _refuse_coordination(tokens: list[Token], head: int) -> None:
    """Refuse "dogs and cats", which has no single head to inflect."""
    if head + 2 >= len(tokens) or tokens[head + 1].lower not in _JOINING:
        return
    for later in tokens[head + 2 :]:
        if _is_closed(later.lower) or classes.is_past_participle(later.lower):
            return
        if classes.is_present_participle(later.lower):
            return
        if not classes.is_plain_adjective(later.lower):
            raise Refusal("coordinated nouns", f"{tokens[head].text} and {later.text}")
