"""Questions whose subject stands behind the verb: "How many legs does the giraffe have?".

Subject and verb are found by word classes, the sentence is put back into the order of statements,
and the counted phrase becomes the object.
"""

from pipeline.errors import Refusal
from pipeline.language.inflection import grammatical_number, third_person
from pipeline.language.question import CountingQuestion
from pipeline.language.word_classes import (
    bare,
    belongs,
    can_be,
    is_base_verb,
    is_participle,
    is_plural,
    past_tense,
)

Tokens = tuple[str, ...]


def is_subject(rest: Tokens, be: str) -> bool:
    """Whether what follows a form of "be" begins with a subject rather than a predicate."""
    first = rest[0]
    if bare(first) in ("a", "an", "each", "every"):
        return _progressive(rest) is not None
    if bare(first) in ("all", "both", "either", "neither", "any", "no", "another"):
        return False
    if belongs(first, "determiner", "pronoun"):
        # "the same color" and "the color blue" say what the counted things are.
        return bare(rest[1] if len(rest) > 1 else "") not in ("same", "color", "colour", "only")
    if is_plural(first) and len(rest) > 1 and rest[1].endswith("ing") and is_participle(rest[1]):
        # "trains are people waiting for"; "people are men wearing hats" is of the same form.
        if not belongs(rest[-1], "preposition"):
            raise Refusal("unclear subject", _text(rest))
        return True
    if be in ("is", "was") and not belongs(first, "preposition", "state", "adverb"):
        singular = grammatical_number(bare(first)) == "singular" and can_be(bare(first), "NOUN")
        return singular and not is_participle(first) and _progressive(rest) is not None
    return first.endswith("'s") and _progressive(rest) is not None


def object_of_be(parts: CountingQuestion, number: str) -> str:
    """Turn "How many bags is the man carrying" -> "The man is carrying N bags"."""
    rest, be = parts.rest, _be(parts)
    counted = f"{number} {_text(parts.counted)}"
    verb = _progressive(rest)
    if verb is not None:
        subject, after = rest[:verb], rest[verb + 1 :]
        return f"{_text(subject)} {be} {rest[verb]} {_with_object(counted, after)}"
    if len(rest) > 1 and belongs(rest[-1], "preposition"):
        return f"{_text(rest[:-1])} {be} {rest[-1]} {counted}"
    if any(bare(token) in ("to", "going", "able") for token in rest):
        raise Refusal("unclear verb", _text(rest))
    measures = any(belongs(word, "measure", "dimension") for word in parts.counted)
    if measures or (parts.finite in ("is", "was") and not belongs(rest[0], "pronoun")):
        return f"{_text(rest)} {be} {counted}"
    raise Refusal("unclear subject", _text(rest))


def is_modal_subject(rest: Tokens) -> bool:
    """Whether what follows "can" begins with a subject ("can the boat hold")."""
    first = 0
    while first < len(rest) - 1 and belongs(rest[first], "adverb"):
        first += 1
    if belongs(rest[first], "pronoun"):
        return True
    if bare(rest[first]) in ("all", "both", "at") or bare(rest[first]) == "be":
        return False
    if belongs(rest[first], "determiner"):
        return bare(rest[first + 1] if first + 1 < len(rest) else "be") != "be"
    return bare(rest[first]) != "be" and not is_base_verb(rest[first])


def object_of_modal(parts: CountingQuestion, number: str) -> str:
    """Turn "How many people can the boat hold" -> "The boat can hold N people".

    "How many people can you see" gives "You see N people", as in the authors' statements.
    """
    rest = parts.rest
    verb = _base_verb(rest)
    counted = f"{number} {_text(parts.counted)}"
    after = rest[verb + 1 :]
    seen = bare(rest[0]) in ("you", "we", "i") and bare(rest[verb]) == "see" and verb == 1
    stranded = len(after) == 1 and belongs(after[0], "preposition")
    if seen and not parts.negated and not stranded:
        return f"{_text(rest[:verb])} see {counted} {_text(after)}"
    modal = modal_with_negation(parts)
    verb_group, after = _extended(rest[verb], rest[verb], after)
    adverb = verb
    while adverb > 1 and belongs(rest[adverb - 1], "adverb"):
        adverb -= 1
    verb_group = f"{_text(rest[adverb:verb])} {verb_group}"
    return f"{_text(rest[:adverb])} {modal} {verb_group} {_with_object(counted, after, rest[verb])}"


def modal_with_negation(parts: CountingQuestion) -> str:
    """The modal as it stands in a statement: "can", "cannot", "will not"."""
    if not parts.negated:
        return parts.finite
    return "cannot" if parts.finite == "can" else f"{parts.finite} not"


def object_of_do(parts: CountingQuestion, number: str) -> str:
    """Turn "How many legs does the giraffe have" -> "The giraffe has N legs"."""
    rest = parts.rest
    counted = f"{number} {_text(parts.counted)}"
    if belongs(rest[0], "perceiver") and belongs(rest[1], "opinion"):
        raise Refusal("asks for an opinion", _text(rest[:2]))
    verb = _base_verb(rest)
    finite, after = _extended(rest[verb], _finite(parts, verb), rest[verb + 1 :])
    if bare(rest[0]) == "there":
        finite = f"{_finite(parts, verb, third=False)} {finite.partition(' ')[2]}"
    return f"{_text(rest[:verb])} {finite} {_with_object(counted, after, rest[verb])}"


def trailing_clause(counted: Tokens) -> Tokens:
    """The subject at the end of "windows the train (has)", or nothing."""
    for position in range(1, len(counted)):
        token, before = counted[position], counted[position - 1]
        if belongs(before, "preposition", "relative", "conjunction"):
            return ()
        if belongs(token, "preposition", "relative", "conjunction") or is_participle(token):
            return ()
        if belongs(token, "pronoun", "determiner"):
            return counted[position:]
    return ()


def object_of_clause(parts: CountingQuestion, number: str, subject: Tokens) -> str:
    """Turn "How many windows the train has" -> "The train has N windows"."""
    counted = parts.counted[: len(parts.counted) - len(subject)]
    return _text((*subject, parts.finite, number, *counted, *parts.rest))


def is_perfect(parts: CountingQuestion) -> bool:
    """Whether "have" is an auxiliary with its subject behind it ("have they been open").

    Raises:
        Refusal: "unclear subject", where possession and perfect cannot be told apart.
    """
    rest = parts.rest
    if belongs(rest[0], "pronoun") and len(rest) > 1 and is_participle(rest[1]):
        return True
    participle = next((i for i in range(2, len(rest)) if is_participle(rest[i])), None)
    if (
        participle is None
        or not belongs(rest[0], "determiner")
        or bare(rest[0]) in ("a", "an", "their", "all", "both", "no", "any", "some")
    ):
        return False
    if parts.finite == "has":
        return True
    if participle == len(rest) - 1 and not rest[participle].endswith("ing"):
        raise Refusal("unclear subject", _text(rest))
    return False


def object_of_perfect(parts: CountingQuestion, number: str) -> str:
    """Turn "How many slices has the man eaten" -> "The man has eaten N slices"."""
    rest = parts.rest
    verb = next(i for i in range(1, len(rest)) if is_participle(rest[i]))
    counted = f"{number} {_text(parts.counted)}"
    subject, after = f"{_text(rest[:verb])} {parts.finite}", rest[verb + 1 :]
    if belongs(parts.counted[-1], "time"):
        return f"{subject} {_text(rest[verb:])} {counted}"
    if after and is_participle(after[0]):
        return f"{subject} {_text(rest[verb : verb + 2])} {_with_object(counted, after[1:])}"
    return f"{subject} {rest[verb]} {_with_object(counted, after)}"


def _text(tokens: Tokens) -> str:
    return " ".join(tokens)


def _be(parts: CountingQuestion) -> str:
    """The form of "be" that agrees with the subject behind it, and its negation."""
    single = bare(parts.rest[0]) in ("he", "she", "it", "each", "every", "this", "that")
    be = {"are": "is", "were": "was"}.get(parts.finite, parts.finite) if single else parts.finite
    return f"{be} not" if parts.negated else be


def _progressive(rest: Tokens) -> int | None:
    """Where the participle stands that the subject's predicate begins with."""
    start = 1 if belongs(rest[0], "pronoun") or not belongs(rest[0], "determiner") else 2
    for position in range(start, len(rest)):
        if is_participle(rest[position]) and not belongs(rest[position - 1], "determiner"):
            return position
    return None


def _with_object(counted: str, after: Tokens, verb: str = "") -> str:
    """Put the counted phrase behind the verb, or behind the preposition that it belongs to."""
    if after and belongs(counted.rpartition(" ")[2], "time") and belongs(after[0], "determiner"):
        duration = "" if counted.endswith("times") else "for "
        return f"{_text(after)} {duration}{counted}"
    if after and belongs(after[-1], "preposition") and bare(verb) not in ("have", "wear"):
        return f"{_text(after)} {counted}"
    if after and belongs(after[0], "particle") and len(after) > 1 and _opens_phrase(after[1]):
        return f"{after[0]} {counted} {_text(after[1:])}"
    return f"{counted} {_text(after)}"


def _opens_phrase(token: str) -> bool:
    return belongs(token, "preposition") and not belongs(token, "determiner")


def _base_verb(rest: Tokens) -> int:
    """Where the verb of an inverted clause stands, behind its subject.

    Raises:
        Refusal: "unclear verb".
    """
    first = 1
    if not belongs(rest[0], "pronoun") and bare(rest[0]) != "there":
        first = 2 if belongs(rest[0], "determiner") or rest[0].endswith("'s") else 1
    places = [
        place
        for place in range(first, len(rest))
        if is_base_verb(rest[place])
        and not is_participle(rest[place])
        and not belongs(rest[place - 1], "determiner", "preposition")
    ]
    # No base form follows another directly, so the first is a noun ("the word stop appears").
    places = [place for place in places if place + 1 not in places or bare(rest[place]) == "have"]
    sure = [p for p in places if bare(rest[p]) == "have"]
    listed = [p for p in places if belongs(rest[p], "verb", "perceive")]
    verbs = [p for p in places if not can_be(bare(rest[p]), "NOUN")]
    found = sure or listed or verbs or places
    if not found:
        raise Refusal("unclear verb", _text(rest))
    return found[0]


def _finite(parts: CountingQuestion, verb: int, third: bool | None = None) -> str:
    """The verb with the tense and person that "do", "does" or "did" carried."""
    base = bare(parts.rest[verb])
    if parts.finite == "did":
        return past_tense(base)
    if third is None:
        third = parts.finite == "does" or _singular_subject(parts.rest[:verb])
    return third_person(base) if third else base


def _singular_subject(subject: Tokens) -> bool:
    """Whether "do" was a slip for "does" ("do the man have")."""
    if len(subject) == 1:
        return bare(subject[0]) in ("he", "she", "it")
    if any(belongs(word, "conjunction", "preposition") for word in subject):
        return False
    return belongs(subject[0], "determiner") and not is_plural(subject[-1])


def _extended(base: str, finite: str, after: Tokens) -> tuple[str, Tokens]:
    """Draw "to have", "to be wearing" to the verb: "appears to have"."""
    taken = 0
    infinitive = len(after) > 1 and bare(after[0]) == "to" and is_base_verb(after[1])
    if infinitive and belongs(base, "catenative"):
        taken = 2
        if bare(after[1]) == "be" and len(after) > 2 and is_participle(after[2]):
            taken = 3
    return " ".join((finite, *after[:taken])), after[taken:]
