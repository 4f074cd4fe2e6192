"""The words that foiling proposes or changes, which the checkpoints must know best."""

import re
from collections import Counter
from collections.abc import Iterable


def listed(words: str) -> frozenset[str]:
    """The words of a list written with spaces between them."""
    return frozenset(words.split())


PREPOSITIONS = frozenset(
    listed(
        "about above across after against along alongside amid among amongst around as at atop "
        "away back before behind below beneath beside besides between beyond by despite down "
        "during for from in inside into like near of off on onto opposite out outside over past "
        "per through throughout to toward towards under underneath until up upon via with within "
        "without"
    )
)
NUMBERS = frozenset(
    listed(
        "no one two three four five six seven eight nine ten eleven twelve single some several "
        "many few both all each every another dozen"
    )
)
_FREQUENT_VERBS = frozenset(
    {"is", "are", "was", "were", "has", "have", "sits", "sit", "stand", "stands"}
)
_VERB_ENDINGS = re.compile(r"\w{2,}ing$")
_NOT_VERBS = frozenset(
    listed(
        "building something nothing anything everything morning evening ceiling railing wedding "
        "clothing king ring string wing thing spring painting"
    )
)


def is_verb(word: str) -> bool:
    """Whether a word of a caption is probably a verb: an -ing form or a frequent one."""
    auxiliary = word in {
        "is",
        "are",
        "was",
        "were",
        "has",
        "have",
        "sits",
        "sit",
        "stand",
        "stands",
    }
    return auxiliary or (_VERB_ENDINGS.match(word) is not None and word not in _NOT_VERBS)


def preposition_runs(words: list[str], longest: int = 3) -> list[tuple[int, int]]:
    """Start and end of every run of one to `longest` prepositions and no longer."""
    runs, start = [], None
    for place, word in enumerate([*words, ""]):
        if word in PREPOSITIONS:
            start = place if start is None else start
        elif start is not None:
            if place - start <= longest:
                runs.append((start, place))
            start = None
    return runs


def attested_runs(texts: Iterable[str], at_least: int) -> Counter[str]:
    """How often each run of prepositions occurs in the texts, without the rare ones."""
    counts: Counter[str] = Counter()
    for text in texts:
        words = re.findall(r"[\w'-]+|[^\w\s]", text)
        counts.update(" ".join(words[start:end]) for start, end in preposition_runs(words))
    return Counter({run: count for run, count in counts.items() if count >= at_least})
