"""The words of English whose class is closed, and tests of a word's class without a parser.

The lists follow Quirk et al. (1985), chapters 2 and 9-10, cut to what is said of pictures.
"""

from functools import cache

from pipeline.language import lexicons
from pipeline.language.dictionary import can_be, verb_forms


def words(listed: str) -> frozenset[str]:
    """The words of a list written with spaces between them."""
    return frozenset(listed.split())


PREPOSITIONS = words(
    "about above across after against along alongside amid among amongst around as at atop "
    "away back before behind below beneath beside besides between beyond by despite down "
    "during except facing for from in including inside into like near of off on onto opposite "
    "out outside over past per regarding through throughout to toward towards under "
    "underneath until up upon via with within without versus"
)
DETERMINERS = words(
    "the a an this that these those my your his her its our their whose each every either "
    "neither some any no all both another"
)
POSSESSIVES = words("my your his her its our their")
SUBJECT_PRONOUNS = words("i you he she it we they someone somebody everyone there")
OBJECT_PRONOUNS = words("me him us them himself herself itself themselves")
RELATIVES = words("that who which whom whose where when")
CONJUNCTIONS = words("and or but nor & while because if so than then yet")
MODALS = words("can could will would may might must shall should cannot can't won't")
# Plural (or base) form -> singular form.
AGREEING = {
    "are": "is",
    "were": "was",
    "have": "has",
    "do": "does",
    "aren't": "isn't",
    "weren't": "wasn't",
    "haven't": "hasn't",
    "don't": "doesn't",
}
AUXILIARIES = (
    frozenset(AGREEING) | frozenset(AGREEING.values()) | {"am", "be", "been", "did", "had"}
)
PLACE_ADVERBS = words(
    "here there nearby together apart alone altogether today outdoors indoors upstairs "
    "downstairs overhead now currently upright sideways ahead afar not only just also too"
)
COLOURS = words(
    "red blue green yellow black white brown gray grey pink purple beige tan silver gold "
    "golden turquoise maroon teal navy violet"
)
CLOSED = (
    PREPOSITIONS
    | DETERMINERS
    | SUBJECT_PRONOUNS
    | OBJECT_PRONOUNS
    | RELATIVES
    | CONJUNCTIONS
    | MODALS
    | AUXILIARIES
    | PLACE_ADVERBS
)


@cache
def is_present_participle(word: str) -> bool:
    """Whether a word is a verb's -ing form and not a noun of its own ("building")."""
    word = word.lower()
    return word.endswith("ing") and len(word) > 4 and word not in lexicons.words("ing_nouns")


@cache
def is_past_participle(word: str) -> bool:
    """Whether a word is a past participle, no base form and no noun ("shown"; not "cut")."""
    forms = verb_forms(word.lower())
    return "VBN" in forms and "VB" not in forms and not can_be(word, "NOUN")


@cache
def is_base_verb(word: str) -> bool:
    """Whether a word can be the plural present of a lexical verb ("wear", "touch")."""
    word = word.lower()
    return word not in CLOSED and "VB" in verb_forms(word)


@cache
def is_plain_adjective(word: str) -> bool:
    """Whether a word can be an adjective and hardly a noun: a colour, "visible", "open"."""
    word = word.lower()
    if word in COLOURS or word in lexicons.words("adjectives_after_nouns"):
        return True
    return can_be(word, "ADJ") and not can_be(word, "NOUN")


@cache
def is_plain_adverb(word: str) -> bool:
    """Whether a word can be an adverb and neither noun nor adjective ("clearly")."""
    return can_be(word, "ADV") and not can_be(word, "NOUN") and not can_be(word, "ADJ")
