"""Pairs of captions whose relation follows from how the second was made from the first.

Contradiction here is what the annotators of caption foils mean by it: both texts are about the
same scene, and the second says something else of it.
"""

from collections.abc import Callable, Iterator
from random import Random

from numbers_of_phrases import MANY, ONE, changeable, draw_quantifier, set_number, state
from phrases import AGREEING, Nouns, join, phrases, split
from words import attested_runs, is_verb, listed, preposition_runs

Words = list[str]
Pair = tuple[str, str]

_ALIKE = (
    "in inside within",
    "on atop upon onto",
    "near by beside alongside",
    "under beneath underneath below",
    "over above",
    "to toward towards",
    "into in",
    "from off",
    "through across",
    "past by",
    "along down",
    "among amongst",
    "around about",
    "at near",
    "outside out",
    "with alongside",
)
_HYPERNYMS = (
    "man person",
    "woman person",
    "boy child",
    "girl child",
    "men people",
    "women people",
    "children people",
    "kids children",
    "dog animal",
    "cat animal",
    "horse animal",
    "elephant animal",
    "bird animal",
    "truck vehicle",
    "car vehicle",
    "bus vehicle",
    "bear animal",
    "zebra animal",
    "giraffe animal",
    "cow animal",
    "pizza food",
    "sandwich food",
    "couch seat",
    "surfer person",
    "skier person",
    "skateboarder person",
    "snowboarder person",
    "lady woman",
    "guy man",
)
_SYNONYMS = (
    "couch sofa",
    "bike bicycle",
    "photo picture",
    "photo photograph",
    "large big",
    "small little",
    "street road",
    "lady woman",
    "guy man",
    "plane airplane",
    "kids children",
    "motorcycle motorbike",
    "beach seashore",
    "close near",
    "ground floor",
    "tv television",
    "beautiful pretty",
)
_OPPOSITES = (
    "sitting standing",
    "sits stands",
    "standing lying",
    "walking sitting",
    "running sleeping",
    "riding pushing",
    "holding dropping",
    "large small",
    "big little",
    "young old",
    "open closed",
    "empty full",
    "black white",
    "red blue",
    "green yellow",
    "brown gray",
    "wooden metal",
    "indoors outdoors",
    "man woman",
    "boy girl",
    "men women",
    "dog cat",
    "horse cow",
    "car train",
    "bus plane",
    "left right",
    "wet dry",
    "clean dirty",
    "hot cold",
    "happy sad",
    "tall short",
    "smiling crying",
    "pulling pushing",
    "eating cooking",
    "male female",
    "day night",
    "asleep awake",
    "modern old-fashioned",
)
_FILLERS = sorted(
    listed("beautiful young red large old famous new wooden wet tired happy small noisy")
)
_FREE_VERBS = sorted(
    listed(
        "eating drinking washing painting kicking climbing repairing carrying pushing pulling "
        "sleeping dancing jumping running reading cooking feeding throwing catching riding "
        "driving cutting cleaning watching wearing holding hugging biting chasing touching "
        "lifting"
    )
)


class PairMaker:
    """Makes pairs of each label; knows the nouns and the runs of prepositions of the captions."""

    def __init__(self, captions: list[str], nouns: Nouns) -> None:
        self.nouns = nouns
        counts = attested_runs(captions, at_least=20)
        self.runs = {run: max(1, round(count**0.35)) for run, count in counts.items()}
        del self.runs["of"]
        self._alike = [frozenset(group.split()) for group in _ALIKE]
        self.makers: dict[str, Callable[[Words, Random], Iterator[Words]]] = {
            "other preposition": self.other_preposition,
            "other quantifier": self.other_quantifier,
            "opposite": self.opposite,
            "other verb": self.other_verb,
            "other statement": self.other_statement,
        }

    def pairs(self, caption: str, rng: Random) -> Iterator[tuple[str, str, str, str]]:
        """Label, premise, hypothesis and kind of the pairs made of a caption."""
        words = split(caption)
        for kind in rng.sample(list(self.makers), 3):
            for first, second in self._both_ways(words, self.makers[kind], rng):
                yield "contradiction", first, second, kind
                # A text follows from itself, however odd it is: only comparing can tell.
                itself = rng.choice([first, second])
                yield "entailment", itself, itself, "same"
        kept = caption
        if rng.random() < 0.5:
            # The quantifiers of foils must not give the label away.
            one = self._quantified(words, rng)
            kept = join(one) if one else caption
        if rng.random() < 0.4:
            yield "entailment", kept, kept, "same"
        for kind, maker in rng.sample([("shorter", self.shorter), ("wider", self.wider)], 1):
            made = maker(split(kept), rng)
            if made:
                yield "entailment", kept, join(made), kind
                yield "neutral", join(made), kept, f"{kind}, turned"
        paraphrased = list(self.paraphrases(split(kept), rng))
        if paraphrased:
            yield "entailment", kept, join(rng.choice(paraphrased)), "paraphrase"
        if rng.random() < 0.4:
            longer = self.longer(words, rng)
            if longer:
                yield "neutral", caption, join(longer), "longer"

    def _both_ways(
        self, words: Words, maker: Callable[[Words, Random], Iterator[Words]], rng: Random
    ) -> Iterator[Pair]:
        made = [join(second) for second in maker(words, rng)]
        if len(made) == 2:
            yield made[0], made[1]
        elif made:
            first = join(words)
            yield (first, made[0]) if rng.random() < 0.7 else (made[0], first)

    def _quantified(self, words: Words, rng: Random) -> Words | None:
        found = changeable(words, self.nouns)
        if not found:
            return None
        phrase = rng.choice(found)
        quantifiers = MANY[:4] if phrase.is_plural else ONE
        return set_number(words, phrase, rng.choice(quantifiers), phrase.is_plural)

    def other_preposition(self, words: Words, rng: Random) -> Iterator[Words]:
        """A run of prepositions replaced by one that says something else."""
        runs = [
            (start, end)
            for start, end in preposition_runs(words)
            if " ".join(words[start:end]) in self.runs and words[start - 1 : start] != ["next"]
        ]
        if not runs:
            return
        start, end = rng.choice(runs)
        old = words[start:end]
        for _ in range(5):
            new = rng.choices(list(self.runs), list(self.runs.values()))[0].split()
            alike = any({*old, *new} <= group for group in self._alike)
            # "up" beside "up on" says the same with a word less.
            if not alike and not {*old} & {*new}:
                yield [*words[:start], *new, *words[end:]]
                return

    def other_quantifier(self, words: Words, rng: Random) -> Iterator[Words]:
        """A noun phrase in both numbers, or with two numerals, or denied: both texts."""
        found = changeable(words, self.nouns)
        if not found:
            return
        phrase = rng.choice(found)
        one = set_number(words, phrase, draw_quantifier(rng, False), False)
        chance = rng.random()
        if chance < 0.75:
            many = set_number(words, phrase, draw_quantifier(rng, True), True)
            if rng.random() < 0.3:
                # Published captions keep their own article where only the foil is quantified.
                own = words if not phrase.is_plural else many
                one, many = (own, many) if own is words else (one, words)
            yield from ([one, many] if rng.random() < 0.5 else [many, one])
        elif chance < 0.9:
            exactly = rng.choice(["", "exactly "])
            for number in rng.sample(rng.choice(_NUMERALS), 2):
                yield set_number(words, phrase, exactly + number, True)
        else:
            denied = set_number(words, phrase, "no", phrase.is_plural)
            yield from ([words, denied] if rng.random() < 0.5 else [denied, words])

    def other_statement(self, words: Words, rng: Random) -> Iterator[Words]:
        """Two statements that there are so many of a thing, with different numbers or none."""
        first = state(words, self.nouns, rng)
        if not first:
            return
        for _ in range(5):
            second = state(words, self.nouns, rng)
            if second and _says_otherwise(first, second):
                yield first
                yield second
                return

    def opposite(self, words: Words, rng: Random) -> Iterator[Words]:
        """A word replaced by one that excludes it."""
        other = {}
        for pair in _OPPOSITES:
            first, second = pair.split()
            other.update({first: second, second: first})
        places = [place for place, word in enumerate(words) if word in other]
        if places:
            place = rng.choice(places)
            yield _put(words, place, other[words[place]])

    def other_verb(self, words: Words, rng: Random) -> Iterator[Words]:
        """A participle replaced by that of another action."""
        places = [p for p, word in enumerate(words) if is_verb(word) and word.endswith("ing")]
        if places:
            place = rng.choice(places)
            new = rng.choice(_FREE_VERBS)
            if new != words[place]:
                yield _put(words, place, new)

    def shorter(self, words: Words, rng: Random) -> Words | None:
        """The caption without a modifier or without its last prepositional phrase."""
        inner = [
            place
            for phrase in phrases(words, self.nouns)
            for place in range(phrase.start + 1, phrase.head)
            if not phrase.is_plural or words[phrase.start] != "no"
        ]
        last = [start for start, _ in preposition_runs(words) if start > 3]
        if inner and rng.random() < 0.6:
            place = rng.choice(inner)
            made = [*words[:place], *words[place + 1 :]]
            if place > 0 and made[place - 1] in {"a", "an"}:
                made[place - 1] = "an" if made[place][0] in "aeiou" else "a"
            return made
        if last and "no" not in words and words[last[-1]] != "of":
            return words[: last[-1]]
        return None

    def wider(self, words: Words, rng: Random) -> Words | None:
        """A noun replaced by one that means more."""
        wider = dict(pair.split() for pair in _HYPERNYMS)
        places = [place for place, word in enumerate(words) if word in wider]
        if not places or "no" in words:
            return None
        place = rng.choice(places)
        made = _put(words, place, wider[words[place]])
        if place and made[place - 1] in {"a", "an"}:
            made[place - 1] = "an" if made[place][0] in "aeiou" else "a"
        return made

    def longer(self, words: Words, rng: Random) -> Words | None:
        """The caption with a modifier more."""
        found = [phrase for phrase in phrases(words, self.nouns) if words[phrase.start] != "an"]
        if not found:
            return None
        place = rng.choice(found).head
        filler = rng.choice(_FILLERS)
        made = [*words[:place], filler, *words[place:]]
        if made[place - 1] == "a" and filler[0] in "aeiou":
            made[place - 1] = "an"
        return made

    def paraphrases(self, words: Words, rng: Random) -> Iterator[Words]:
        """The caption in other words: synonyms, articles, "that is", alike prepositions."""
        other = {}
        for pair in _SYNONYMS:
            first, second = pair.split()
            other.update({first: second, second: first})
        places = [place for place, word in enumerate(words) if word in other]
        if places:
            place = rng.choice(places)
            if words[place - 1 : place] != ["an"]:
                yield _put(words, place, other[words[place]])
        if len(words) > 3 and words[0] in {"a", "an"} and rng.random() < 0.4:
            yield ["there", "is", *words]
        for phrase in phrases(words, self.nouns)[:1]:
            after = phrase.head + 1
            if after < len(words) - 1 and words[after] in AGREEING and is_verb(words[after + 1]):
                yield [*words[:after], *words[after + 1 :]]
            elif after < len(words) - 1 and is_verb(words[after]) and rng.random() < 0.5:
                be = "are" if phrase.is_plural else "is"
                yield [*words[:after], be, *words[after:]] if words[after] not in _BE else words
        runs = preposition_runs(words)
        if runs and rng.random() < 0.6:
            start, end = rng.choice(runs)
            for group in self._alike[:5]:
                if end - start == 1 and words[start] in group:
                    new = rng.choice(sorted(group - {words[start]}))
                    yield _put(words, start, new)
        if rng.random() < 0.3:
            swap = {"a": "the", "an": "the"}
            yield [swap.get(word, word) for word in words]


def _says_otherwise(first: Words, second: Words) -> bool:
    """Whether two statements go on alike but for a number that excludes the other's."""
    if first[-3:] != second[-3:] and len(first) + len(second) > 12:
        return False
    one, other = (" ".join(words[:4]) + " " for words in (first, second))
    none = [" no " in begun or " 0 " in begun for begun in (one, other)]
    number = one.startswith("there is") != other.startswith("there is")
    exactly = "exactly" in one and "exactly" in other and first[3] != second[3]
    return none[0] != none[1] or (not none[0] and (number or exactly))


_NUMERALS = (["two", "three", "four", "five", "six", "seven"], ["2", "3", "4", "5", "8", "10"])
_BE = frozenset({"is", "are", "was", "were", "has", "have"})


def _put(words: Words, place: int, word: str) -> Words:
    return [*words[:place], word, *words[place + 1 :]]
