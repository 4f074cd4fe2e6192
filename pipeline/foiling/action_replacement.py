"""Action replacement: somebody does something else than what the caption says (VALSE 3.5, A.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from pipeline import models
from pipeline.errors import Refusal
from pipeline.foiling.actions import replace_verb_at
from pipeline.foiling.frame_sentences import say
from pipeline.foiling.target import Target, instance_of
from pipeline.foiling.verb_survey import VerbUse, fits, has_usual_kind
from pipeline.instance import Instance
from pipeline.language import lexicons
from pipeline.language.inflection import base_form
from pipeline.language.realisation import Realisation, third_person
from pipeline.language.verb_forms import base_of_ing
from pipeline.language.verb_relations import relation_between, seen_alike
from pipeline.proposing import propose
from pipeline.sources.records import Frame

VERSION = 1


@dataclass(frozen=True, slots=True)
class Replaceable:
    """A frame as a sentence, with the verbs that may stand in it instead of its own.

    Attributes:
        verbs: In their -ing form, the most plausible first.
        refusal: Why there is no sentence; the other fields are empty then.
    """

    said: Realisation | None
    verbs: tuple[str, ...] = ()
    refusal: Refusal | None = None


def action_replacement(
    frame: Frame, rng: Random, target: Target, *, prepared: Replaceable
) -> Iterator[Instance | Refusal]:
    """Yield one candidate per verb that may replace the frame's own, the most plausible first.

    Raises:
        Refusal: The reasons of `realise`; "true of any picture", where the frame's own verb is so
            general; "doubtful noun", where its word mostly means another kind of thing; "no other
            verb fits".
    """
    if prepared.said is None:
        raise prepared.refusal or Refusal("no sentence")
    if not prepared.verbs:
        raise Refusal("no other verb fits", prepared.said.text)
    for verb in prepared.verbs:
        yield instance_of(
            target,
            frame,
            prepared.said.text,
            replace_verb_at(prepared.said.text, prepared.said.spans[1], verb),
            classes=(frame.verb,),
            classes_foil=(verb,),
            function="action_replacement",
            version=VERSION,
        )


def prepare_actions(
    records: Sequence[Frame],
    *,
    profile: str,
    survey: tuple[VerbUse, ...],
    top_k: int = 10,
    least_depth: int = 7,
    shortlist: int = 350,
) -> list[Replaceable]:
    """Say each frame, and ask the masked language model for the verbs that fit it.

    Args:
        records: A batch of frames; the result for one does not depend on the others.
        profile: Names the checkpoints of the roles "lm" and "mlm".
        survey: What `survey_verbs` found in the corpus.
        top_k: How many verbs to give for a frame.
        least_depth: See `fits`.
        shortlist: Of how many proposals of the model, in VALSE's manner, verbs are taken.
    """
    ways = say(records, profile=profile)
    sentences = [_sayable(frame, said) for frame, said in zip(records, ways, strict=True)]
    said = [one for one in sentences if isinstance(one, Realisation)]
    ranked = iter(_ranked(said, survey, profile, shortlist))
    prepared = []
    for one in sentences:
        if isinstance(one, Refusal):
            prepared.append(Replaceable(None, refusal=one))
            continue
        allowed = {u.verb for u in survey if fits(u, one, least_depth=least_depth)}
        verbs = (verb for verb in next(ranked) if verb in allowed and may_replace(verb, one))
        prepared.append(Replaceable(one, tuple(verbs)[:top_k]))
    return prepared


def may_replace(verb: str, said: Realisation) -> bool:
    """Whether a verb would be false of what a sentence is about, as far as the words tell.

    VALSE allows neither synonyms nor direct hypernyms and hyponyms. What one picture can show at
    once is not allowed either.
    """
    own = said.entry.ing
    if verb == own or verb in lexicons.words("verbs_of_any_picture") or verb in seen_alike(own):
        return False
    return relation_between(base_of_ing(own), base_of_ing(verb), indirect=True) is None


def _sayable(frame: Frame, said: Realisation | Refusal) -> Realisation | Refusal:
    if isinstance(said, Realisation) and frame.verb in lexicons.words("verbs_of_any_picture"):
        return Refusal("true of any picture", frame.verb)
    if isinstance(said, Realisation) and not has_usual_kind(said.object):
        return Refusal("doubtful noun", said.object.noun)
    return said


def _ranked(
    said: Sequence[Realisation], survey: tuple[VerbUse, ...], profile: str, shortlist: int
) -> list[list[str]]:
    """The verbs of the corpus that the model finds most likely in each sentence, best first."""
    verbs = sorted({use.verb for use in survey})
    found: dict[int, list[str]] = {}
    for plural in (False, True):
        numbers = [number for number, one in enumerate(said) if one.subject.plural == plural]
        if not numbers:
            continue
        forms = {_form(verb, plural=plural): verb for verb in verbs}
        model = models.load("mlm", profile)
        proposals = propose(
            [said[number].text for number in numbers],
            [said[number].spans[1] for number in numbers],
            list(forms),
            model.model,
            model.tokenizer,
            top_k=shortlist,
        )
        for number, proposed in zip(numbers, proposals, strict=True):
            found[number] = [forms[proposal.text] for proposal in proposed]
    return [found[number] for number in range(len(said))]


def _form(verb: str, *, plural: bool) -> str:
    return base_form(third_person(verb)) if plural else third_person(verb)
