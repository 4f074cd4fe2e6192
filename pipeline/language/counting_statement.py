"""A statement that counts: "There are 3 X", "3 X are ..." or "You see 3 X", taken apart."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pipeline.errors import Refusal
from pipeline.language import closed_classes as classes
from pipeline.language.dictionary import verb_forms
from pipeline.language.noun_phrase import Token, counting_numeral, head_noun, tokenize

Frame = Literal["existential", "subject", "object"]

COPULAS = frozenset({"is", "are", "was", "were"})


@dataclass(frozen=True)
class CountingStatement:
    """A statement's tokens, and what its numeral counts.

    Attributes:
        numeral: The index of the numeral.
        frame: Whether what is counted follows "there is", is the subject of its clause, or neither.
        verb: The index of the verb before the numeral that agrees with it, or -1.
    """

    tokens: list[Token]
    numeral: int
    frame: Frame
    verb: int = -1

    def word(self, index: int) -> str:
        """The token in lower case, or "" where there is none."""
        return self.tokens[index].lower if 0 <= index < len(self.tokens) else ""

    @property
    def number(self) -> int:
        """The number that the statement gives."""
        return int(self.tokens[self.numeral].text)

    @property
    def partitive(self) -> bool:
        """Whether it counts some of several ("3 of the people")."""
        return self.word(self.numeral + 1) == "of"

    @cached_property
    def head(self) -> int:
        """The index of the noun counted, or of the last word of "3 of the people".

        Raises:
            Refusal: The reasons of `head_noun`.
        """
        first = self.numeral + 1
        if not self.partitive:
            subject = self.frame == "subject"
            return head_noun(self.tokens, first, plural=self.number != 1, subject=subject)
        first = index = first + 1
        while self.word(index) in classes.DETERMINERS:
            index += 1
        following = self.word(index)
        if following in classes.OBJECT_PRONOUNS:
            return index
        if index > first and following in classes.AUXILIARIES | classes.MODALS:
            return index - 1
        return head_noun(self.tokens, index, plural=True, subject=False)


def read_statement(text: str) -> CountingStatement:
    """Find the numeral that counts, and tell the three kinds of statement apart.

    Raises:
        Refusal: "no numeral", "copula before the numeral".
    """
    tokens = tokenize(text)
    numeral = counting_numeral(tokens)
    start = numeral - (numeral > 0 and tokens[numeral - 1].lower == "exactly")
    words = [token.lower for token in tokens[:start]]
    if not words or words[-1] == ",":
        return CountingStatement(tokens, numeral, "subject")
    if words[-1] == "there's":
        return CountingStatement(tokens, numeral, "existential", start - 1)
    if words[-1] in COPULAS:
        inverted = words[0] in classes.PREPOSITIONS or words[-2:-1] in (["there"], ["here"])
        if not inverted and not classes.is_past_participle(words[0]):
            raise Refusal("copula before the numeral", " ".join(words[-2:]))
        return CountingStatement(tokens, numeral, "existential", start - 1)
    before_is_verb = words[-1] in classes.CLOSED or {"VB", "VBZ", "VBD"} & verb_forms(words[-1])
    if words[0] in classes.PREPOSITIONS and not before_is_verb:
        return CountingStatement(tokens, numeral, "subject")
    return CountingStatement(tokens, numeral, "object")


def rewritten(text: str, tokens: list[Token], changes: dict[int, str]) -> str:
    """The text with some of its tokens (index -> new text) replaced."""
    for index in sorted(changes, reverse=True):
        token = tokens[index]
        text = text[: token.start] + changes[index] + text[token.end :]
    return text
