"""Give a noun phrase of a parsed caption a quantifier, and the other number with all that agrees.

The rules read the tree for what belongs to the phrase and the chains for what refers to it, and
write into the caption's own text, so that nothing else of it changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from pipeline.errors import Refusal
from pipeline.language.closed_classes import POSSESSIVES, words
from pipeline.language.inflection import grammatical_number, plural, singular
from pipeline.language.noun_phrases import NounPhrase
from pipeline.language.pronoun_number import Changes, referring_words
from pipeline.language.verb_agreement import agreed, agreeing_verbs

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from pipeline.language.coref import Chain

QUANTITIES = frozenset({"several", "many", "few", "some", "numerous", "multiple", "various", "any"})
"""Words for an unclear number, whose place a quantifier takes."""
_NUMBERED = words(
    "toned tone tiered tier sided colored coloured wheeled wheeler legged storied paned layered "
    "layer bladed masted engined way story storey lane seat seater burner level handed sectioned "
    "pronged decker star foot inch year day"
)
"""What a numeral goes with without counting the noun after it."""


def determiners(doc: Doc, phrase: NounPhrase) -> list[Token]:
    """The words at the start of a phrase that a quantifier takes the place of.

    Articles, demonstratives, possessive pronouns, numerals and words for quantities; not a
    possessor ("the man's").
    """
    head = doc[phrase.head_token]
    found: list[Token] = []
    for index in range(phrase.first_token, head.i):
        token = doc[index]
        if not _gives_way(token, head) or (token.tag_ == "CD" and _in_compound(token, found)):
            break
        found.append(token)
    return found


def with_quantifier(doc: Doc, phrase: NounPhrase, quantifier: str) -> str:
    """The caption with a quantifier in the place of the phrase's determiner and numeral.

    Raises:
        Refusal: "possessor before the noun".
    """
    return _rewritten(doc, _quantified(doc, phrase, quantifier))


def in_number(
    doc: Doc, phrase: NounPhrase, quantifier: str, chains: Sequence[Chain], *, plural: bool
) -> str:
    """The caption with the phrase in the plural or singular, after a quantifier for it.

    Verbs, pronouns and possessed nouns follow.

    Args:
        chains: What refers to what in the caption.

    Raises:
        Refusal: "possessor before the noun", or "noun without a singular".
    """
    head = doc[phrase.head_token]
    changes = {verb.i: agreed(verb, plural=plural) for verb in agreeing_verbs(head)}
    changes |= referring_words(head, chains, plural=plural)
    changes |= _quantified(doc, phrase, quantifier)
    before, space, noun = changes.get(head.i, head.text).rpartition(" ")
    changes[head.i] = before + space + in_form(noun, plural=plural)
    return _rewritten(doc, changes)


@cache
def in_form(noun: str, *, plural: bool) -> str:
    """A noun in the plural or in the singular; mass nouns are counted as kinds ("foods").

    Raises:
        Refusal: "noun without a singular".
    """
    if not plural:
        if grammatical_number(noun) == "plural only":
            raise Refusal("noun without a singular", noun)
        return singular(noun)
    return _forced_plural(noun)


def _forced_plural(noun: str) -> str:
    changed, last = plural(noun), noun.lower()
    if changed != noun or grammatical_number(noun) != "mass":
        return changed
    if last.endswith(("s", "x", "z", "ch", "sh")):
        return noun + "es"
    return noun[:-1] + "ies" if last.endswith("y") and last[-2:-1] not in "aeiou" else noun + "s"


def _gives_way(token: Token, head: Token) -> bool:
    if token.lower_ in POSSESSIVES:
        return token.head.i >= head.i
    if token.lower_ in QUANTITIES or token.tag_ in ("DT", "PDT"):
        return True
    return token.tag_ == "CD"


def _in_compound(numeral: Token, before: list[Token]) -> bool:
    """Whether a numeral does not count the head: "a two story bus", "two toned shoes"."""
    article = bool(before) and before[-1].lower_ in ("a", "an")
    following = numeral.nbor().lower_
    return article or following == "-" or following in _NUMBERED


def _quantified(doc: Doc, phrase: NounPhrase, quantifier: str) -> Changes:
    given = determiners(doc, phrase)
    head = doc[phrase.head_token]
    first = given[-1].nbor() if given else doc[phrase.first_token]
    if any(token.tag_ == "POS" for token in doc[first.i : head.i]):
        raise Refusal("possessor before the noun", doc[first.i : head.i + 1].text)
    opens = _opens_sentence(doc[phrase.first_token])
    written = quantifier[0].upper() + quantifier[1:] if opens else quantifier
    changes = dict.fromkeys((token.i for token in given), "")
    lowered = opens and not given and _is_lowered(first)
    word = first.text[0].lower() + first.text[1:] if lowered else first.text
    return changes | {first.i: f"{written} {word}"}


def _is_lowered(first: Token) -> bool:
    """Whether the first word of a sentence is in lower case within it: "Giraffes", not "SUVs"."""
    return first.text[1:].islower() and first.tag_ not in ("NNP", "NNPS")


def _opens_sentence(first: Token) -> bool:
    before = (first.doc[i] for i in range(first.i - 1, -1, -1))
    mark = next((token.text for token in before if token.text not in "\"'("), ".")
    return mark[-1] in ".!?"


def _rewritten(doc: Doc, changes: Changes) -> str:
    """The caption's text with some tokens changed; a token that becomes empty takes its space."""
    text, written, done = _text(doc), [], 0
    for index in sorted(changes):
        token, new = doc[index], changes[index]
        written += [text[done : token.idx], new]
        done = token.idx + len(token) + (0 if new else len(token.whitespace_))
    return "".join([*written, text[done:]])


@lru_cache(maxsize=1)
def _text(doc: Doc) -> str:
    """The caption; joining its tokens takes a while, and a caption is rewritten many times."""
    return doc.text
