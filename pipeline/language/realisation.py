"""From a frame of imSitu to short English sentences with two roles (VALSE 3.5, A.5).

The verb's own sentence gives subject, order and prepositions, the annotators the nouns. What a
frame allows to say is said in several ways; which of them is best, a language model may rank.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pipeline.errors import Refusal
from pipeline.language import lexicons, wordnet
from pipeline.language.inflection import base_form, singular
from pipeline.language.likelihood import log_likelihoods
from pipeline.language.noun_choice import NounPhrase, best_word, noun_phrases
from pipeline.language.verb_forms import third_person_of_ing
from pipeline.language.verb_frames import Complement, VerbEntry, verb_entry
from pipeline.sources.records import Filler, Frame, Role

Span = tuple[int, int]

_PERSON = Filler("n00007846", ("person",))


@dataclass(frozen=True, slots=True)
class Realisation:
    """A sentence of subject, verb and one complement ("A man shouts at a woman.").

    Attributes:
        text: The sentence.
        entry: The verb with what it takes.
        subject: Who acts.
        preposition: What stands between verb and complement, empty before a direct object.
        object: The complement's noun phrase.
        object_role: The complement's role ("addressee").
        verb: The verb's form in the sentence ("shouts").
        spans: Where subject, verb, preposition and object stand in the text, in characters, end
            exclusive; of an absent preposition the end and the beginning are the same.
    """

    text: str
    entry: VerbEntry
    subject: NounPhrase
    preposition: str
    object: NounPhrase
    object_role: str
    verb: str
    spans: tuple[Span, Span, Span, Span]


def third_person(ing_form: str) -> str:
    """The third person singular present of a verb in -ing.

    >>> [third_person(ing) for ing in ("tattooing", "panicking", "tying", "skiing")]
    ['tattoos', 'panics', 'ties', 'skis']

    Raises:
        Refusal: It is no -ing form of a verb ("not an -ing form").
    """
    return third_person_of_ing(ing_form)


def realise(frame: Frame) -> list[Realisation]:
    """The sentences that a frame allows, the one expected to be best first.

    All are about the subject and the same second role: the first one, in the order of the verb's
    sentence, that most annotators filled with the same noun. They differ in articles and number.

    Raises:
        Refusal: The frame cannot be said with two roles: "no subject", "no agreement on the
            subject", "no second role", "no object", "needs a third role", "same noun twice", or a
            noun that is no name for a thing in general ("proper name", "vague noun").
    """
    entry = verb_entry(frame.verb, frame.abstract, tuple(role.name for role in frame.roles))
    roles = {role.name: role for role in frame.roles}
    if not entry.subject:
        raise Refusal("no subject", frame.verb)
    acting = _agreed(roles[entry.subject])
    if acting is None:
        raise Refusal("no agreement on the subject", frame.verb)
    if wordnet.kind(acting.id) == "body part":
        raise Refusal("a body part acts", best_word(acting))
    complement, filler = _second(entry, roles)
    return [
        sentence(entry, subject, preposition, noun, complement.role)
        for subject in noun_phrases(acting, several=_is_plural(entry.subject))
        for noun in _said(entry, complement, filler, subject)
        for preposition in (complement.preposition, *complement.variants)
    ]


def rank(
    alternatives: Sequence[Sequence[Realisation]], profile: str = "embedded"
) -> list[list[Realisation]]:
    """Put the sentences of each frame in order, the likeliest to the language model first.

    All frames go through the model together; one frame's order does not depend on the others.

    Raises:
        InputError: The profile's language model cannot be had.
    """
    texts = sorted({said.text for one in alternatives for said in one})
    scores = dict(zip(texts, log_likelihoods(texts, profile), strict=True))
    return [sorted(one, key=lambda said: -round(scores[said.text], 3)) for one in alternatives]


def sentence(
    entry: VerbEntry, subject: NounPhrase, preposition: str, noun: NounPhrase, role: str = ""
) -> Realisation:
    """Put a sentence together; the verb agrees with the subject.

    >>> sentence(shout, people, "at", woman).text
    'People shout at a woman.'
    """
    verb = base_form(entry.third) if subject.plural else entry.third
    text, spans = "", []
    for part in (subject.text, verb, preposition, noun.text):
        text += " " if text and part else ""
        spans.append((len(text), len(text) + len(part)))
        text += part
    first, second, third, fourth = spans
    text = text[:1].upper() + text[1:] + "."
    return Realisation(
        text, entry, subject, preposition, noun, role, verb, (first, second, third, fourth)
    )


def _second(entry: VerbEntry, roles: dict[str, Role]) -> tuple[Complement, Filler]:
    """The complement to say, with its noun.

    Raises:
        Refusal: There is none that can be said.
    """
    if not entry.complements:
        raise Refusal("no second role", entry.ing)
    if entry.ing in lexicons.words("verbs_of_three_roles"):
        raise Refusal("needs a third role", entry.ing)
    filled = {
        complement.role: filler
        for complement in entry.complements
        if (filler := _agreed(roles[complement.role])) is not None
    }
    for complement in entry.complements:
        if complement.role not in filled or complement.owner in filled:
            continue
        if complement.preposition and entry.transitive:
            break
        filler = filled[complement.role]
        oneself = entry.ing in lexicons.words("verbs_on_oneself")
        if complement.owner and (not oneself or _ever_filled(roles[complement.owner])):
            continue  # A part is not said without the one whose it is.
        if singular(best_word(filler)).startswith(entry.base):
            continue  # "A man parachutes with a parachute."
        own = complement.own or oneself or complement.preposition == "with"
        return replace(complement, own=own), filler
    raise Refusal("no object" if entry.transitive else "no second role", entry.ing)


def _said(
    entry: VerbEntry, complement: Complement, filler: Filler, subject: NounPhrase
) -> Iterator[NounPhrase]:
    """The ways to say a complement: what is the subject's as its own, its like as another one."""
    word, determiner = best_word(filler), ""
    several = _is_plural(complement.role) or (
        not complement.preposition and entry.ing in lexicons.words("verbs_of_several")
    )
    if complement.own and wordnet.kind(filler.id) == "body part":
        determiner = subject.pronoun
        several = several or subject.plural
    elif word == subject.noun:
        determiner, several = "another", False
    elif word in lexicons.words("kin_nouns") and subject.kind == "person":
        determiner = subject.pronoun
    yield from noun_phrases(
        filler, several=several, determiner=determiner, preposition=complement.preposition
    )


def _is_plural(role: str) -> bool:
    """Whether a role's name says that there are several ("boaters", "items")."""
    return role.endswith("s") and not role.endswith("ss")


def _ever_filled(role: Role) -> bool:
    return any(filler.id for filler in role.fillers)


def _agreed(role: Role) -> Filler | None:
    """The noun that most annotators gave, or None.

    Different ids of the same word agree; a kind and its genus agree on the genus; and different
    kinds of persons ("worker", "man") on "person".
    """
    given = [filler for filler in role.fillers if filler.id]
    enough = len(role.fillers) // 2 + 1
    if len(given) < enough:
        return None
    for same in (_identity, _word):
        groups = Counter(map(same, given))
        (most, times), *_ = groups.most_common(1)
        if times >= enough:
            return next(filler for filler in given if same(filler) == most)
    for general in given:
        synset = wordnet.noun(general.id)
        name = synset.name() if synset is not None else ""
        if sum(wordnet.is_below(filler.id, name) for filler in given) >= enough:
            return general
    return _PERSON if all(wordnet.is_person(filler.id) for filler in given) else None


def _identity(filler: Filler) -> str:
    return filler.id


def _word(filler: Filler) -> str:
    """The noun's word in the singular, or its id where it cannot be said."""
    try:
        return singular(best_word(filler))
    except Refusal:
        return filler.id
