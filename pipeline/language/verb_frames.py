"""What a verb's own sentence in imSitu says of it: who acts, on what, and with which preposition.

The sentences ("an AGENT shouts at an ADDRESSEE in a PLACE") were written by many hands: some stand
in the past or with "is ...ing", some say "uses a TOOL to paste an ITEM", some hold remarks in
parentheses. What is read off is the order of the roles and the words before each.
"""

import re
from dataclasses import dataclass, replace
from functools import cache

from pipeline.language import dictionary, lexicons
from pipeline.language.verb_forms import base_of_ing, third_person_of_ing

PLACE = "place"

_DETERMINERS = frozenset(["a", "an", "the", "their", "its", "his", "her", "then", "clear"])
_ROLE = re.compile(r"\b[A-Z]{2,}[A-Z0-9]*s?\b")
_USES = re.compile(
    r"(?:is )?us(?:es|ed|ing) (?P<tool>(?:[a-z]+ )?[A-Z]{2,}(?:s\b)?)"
    r" to (?!an? |the |[A-Z])(?P<rest>[^.]*)"
)
_REPAIRS = (
    (re.compile(r"\([^)]*\)"), " "),
    (re.compile(r"[’']s"), " 's "),
    (re.compile(r"(?<=[A-Z])s'"), " 's "),
    (re.compile(r"his/her"), "their"),
    (re.compile(r"/\w+"), ""),
    (re.compile(r"[.,]"), " "),
    (re.compile(r"\s+"), " "),
)


@dataclass(frozen=True, slots=True)
class Complement:
    """A role after the verb.

    Attributes:
        role: The role's name in lower case ("addressee").
        preposition: The words before it ("at", "because of"), empty for a direct object.
        own: Whether the verb's sentence says that it belongs to the subject ("their AGENTPART").
        owner: The role whose part it is ("victim" of "bodypart"), or empty.
        variants: Other prepositions that may fit the noun better ("commutes on a bicycle").
    """

    role: str
    preposition: str
    own: bool = False
    owner: str = ""
    variants: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class VerbEntry:
    """A verb with what it takes.

    Attributes:
        ing: "shouting".
        base: "shout".
        third: "shouts".
        subject: The role that acts, empty for the weather ("it rains").
        complements: The other roles in the order in which they are said; "place" is not among them.
    """

    ing: str
    base: str
    third: str
    subject: str
    complements: tuple[Complement, ...]

    @property
    def transitive(self) -> bool:
        """Whether the verb takes a direct object."""
        return any(not complement.preposition for complement in self.complements)

    @property
    def preposition(self) -> str:
        """What stands before the first complement; empty for a direct object and where is none."""
        return self.complements[0].preposition if self.complements else ""

    @property
    def object_role(self) -> str:
        """The role of the first complement, or empty."""
        return self.complements[0].role if self.complements else ""


@cache
def verb_entry(ing: str, abstract: str, order: tuple[str, ...]) -> VerbEntry:
    """Read a verb's sentence.

    Args:
        ing: The verb as imSitu names it ("shouting").
        abstract: Its sentence with role names in capitals.
        order: The names of its roles.

    Raises:
        Refusal: `ing` is no -ing form of a verb.
    """
    base = base_of_ing(ing)
    words = _without_uses(_plain(abstract)).split(" ")
    roles = [_role(word, order) for word in words]
    places = [index for index, role in enumerate(roles) if role]
    verb = _verb_index(words, base, places)
    subject = next((roles[index] for index in places if index < verb), "")
    complements = []
    before = verb
    for index in (index for index in places if index > verb):
        complements.append((roles[index], words[before + 1 : index]))
        before = index
    found = _complements(ing, complements)
    return VerbEntry(ing, base, third_person_of_ing(ing), subject, found)


def _complements(ing: str, parts: list[tuple[str, list[str]]]) -> tuple[Complement, ...]:
    found: list[Complement] = []
    whole: Complement | None = None
    for role, before in parts:
        corrected, *variants = _corrections().get((ing, role), (None,))
        preposition = _preposition(before) if corrected is None else corrected.strip("0")
        if "'s" in before and whole:
            # "kisses the COAGENT's COAGENTPART"
            found.append(Complement(role, whole.preposition, owner=whole.role))
        elif preposition == "of" and found and not found[-1].preposition:
            # "massages the COAGENTPART of the COAGENT": first whom, then where.
            found[-1:] = [Complement(role, ""), replace(found[-1], owner=role)]
        elif role != PLACE and preposition is not None and preposition != "-":
            own = _is_own(role, before)
            whole = Complement(role, preposition, own, variants=tuple(map(str, variants)))
            found.append(whole)
            continue
        whole = None
    return tuple(found)


def _is_own(role: str, before: list[str]) -> bool:
    return role == "agentpart" or bool({"their", "its", "his"}.intersection(before))


def _preposition(before: list[str]) -> str | None:
    """The preposition that the words before a role come down to, or None where it is none."""
    said = [word for word in before if word not in _DETERMINERS]
    if said in ([], ["up"]):
        return ""
    known = lexicons.pairs("frame_prepositions")
    endings = ("_".join(said[start:]) for start in range(len(said)))
    return next((known[ending].replace("_", " ") for ending in endings if ending in known), None)


@cache
def _corrections() -> dict[tuple[str, str], list[str]]:
    rows = (line.split(maxsplit=2) for line in lexicons.entries("frame_corrections"))
    return {(verb, role): prepositions.split("/") for verb, role, prepositions in rows}


def _plain(abstract: str) -> str:
    text = abstract
    for pattern, replacement in _REPAIRS:
        text = pattern.sub(replacement, text)
    return text.strip()


def _without_uses(text: str) -> str:
    """From "uses a TOOL to paste an ITEM at a PLACE" to "paste an ITEM with a TOOL at a PLACE"."""
    uses = _USES.search(text)
    if not uses:
        return text
    rest = uses["rest"].strip()
    place = re.search(r" (?:in|at)(?: an?| the)? PLACE", rest)
    at = place.start() if place else len(rest)
    return f"{text[: uses.start()]}{rest[:at]} with {uses['tool']}{rest[at:]}".strip()


def _role(word: str, order: tuple[str, ...]) -> str:
    """The role that a word of the sentence names ("AGENTs" -> "agent"), or empty."""
    if not _ROLE.fullmatch(word):
        return ""
    lower = word.lower()
    return next((role for role in order if lower in (role, role + "s", role.removesuffix("s"))), "")


def _verb_index(words: list[str], base: str, places: list[int]) -> int:
    """Where the verb is: a form of it, or the first content word after the subject."""
    for index, word in enumerate(words):
        lower = word.lower()
        is_form = lower.startswith(base) or base in dictionary.lemmas(lower, "VERB")
        if is_form and index not in places:
            return index
    first = places[0] if places else 0
    rest = range(first + 1, len(words))
    return next((i for i in rest if words[i] not in ("is", "to", "'s")), first)
