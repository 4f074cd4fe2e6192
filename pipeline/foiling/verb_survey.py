"""What the verbs of a corpus of frames take: which prepositions, subjects and objects."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from pipeline.errors import Refusal
from pipeline.language import wordnet
from pipeline.language.inflection import singular
from pipeline.language.noun_choice import NounPhrase
from pipeline.language.realisation import Realisation, realise
from pipeline.sources.records import Frame

# Vertebrates meet at this depth, insects too, and so do vehicles; dogs and bees do not.
_LIKE_SUBJECTS = 8
_DEEPEST = 99


@dataclass(frozen=True, slots=True)
class VerbUse:
    """How a corpus uses a verb with one preposition, or with a direct object.

    Attributes:
        verb: In its -ing form.
        preposition: What stands before the object, empty where nothing does.
        count: In how many frames.
        pairs: The ids of the nouns of subject and object, sorted and each pair once.
    """

    verb: str
    preposition: str
    count: int
    pairs: tuple[tuple[str, str], ...]


def survey_verbs(batches: Iterable[Sequence[Frame]], *, profile: str) -> tuple[VerbUse, ...]:
    """Collect the uses of all verbs, by preposition and verb; frames that say nothing are left out.

    Args:
        batches: All frames of the corpus; their order does not matter.
        profile: Not used; no model is asked.
    """
    counts: Counter[tuple[str, str]] = Counter()
    pairs: dict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
    for frame in (frame for batch in batches for frame in batch):
        try:
            said = realise(frame)[0]
        except Refusal:
            continue
        key = said.preposition, frame.verb
        counts[key] += 1
        if has_usual_kind(said.subject) and has_usual_kind(said.object):
            pairs[key].add((said.subject.noun_id, said.object.noun_id))
    return tuple(
        VerbUse(verb, preposition, times, tuple(sorted(pairs[preposition, verb])))
        for (preposition, verb), times in sorted(counts.items())
    )


def fits(use: VerbUse, said: Realisation, *, least_depth: int) -> bool:
    """Whether a verb takes the preposition, such a subject, and with it such an object.

    Args:
        use: How the corpus uses the verb.
        said: The sentence that the verb is to stand in.
        least_depth: How deep in WordNet's hierarchy of nouns the object has to meet an object that
            the corpus has with the verb; nouns meet their kinds, and persons persons.
    """
    return use.preposition == said.preposition and any(
        meeting_depth(said.subject.noun_id, subject) >= _LIKE_SUBJECTS
        and meeting_depth(said.object.noun_id, object_) >= least_depth
        for subject, object_ in use.pairs
    )


@cache
def has_usual_kind(phrase: NounPhrase) -> bool:
    """Whether a noun is of the kind that its word usually means.

    An annotator who picks the first "hot dog" of the list picks a person who does stunts; where
    WordNet does not know how frequent a sense is, only words with senses of one kind are sure.
    """
    word = singular(phrase.noun)
    ids = [f"n{sense.offset():08d}" for sense in wordnet.synsets(word, "n")]
    if not ids or wordnet.count(ids[0], word):
        return not ids or wordnet.kind(ids[0]) == phrase.kind
    return {wordnet.kind(noun_id) for noun_id in ids} == {phrase.kind}


@cache
def meeting_depth(noun_id: str, other_id: str) -> int:
    """The depth of the deepest synset that two nouns both are, or are a kind of; 0 across kinds.

    A noun meets itself deeper than anything, and so do persons, who all can do much the same.
    """
    kinds = {wordnet.kind(noun_id), wordnet.kind(other_id)}
    if noun_id == other_id or kinds == {"person"}:
        return _DEEPEST
    if len(kinds) > 1:
        return 0
    other = _depths(other_id)
    shared = [depth for name, depth in _depths(noun_id).items() if name in other]
    return max(shared, default=0)


@cache
def _depths(noun_id: str) -> dict[str, int]:
    """Synset -> its depth, of a noun and all that is above it."""
    synset = wordnet.noun(noun_id)
    if synset is None:
        return {}
    return {above.name(): above.max_depth() for path in synset.hypernym_paths() for above in path}
