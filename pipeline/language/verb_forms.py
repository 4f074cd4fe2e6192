"""From the -ing form of a verb to its other forms, by lemminflect's dictionary."""

from functools import cache

from pipeline.errors import Refusal
from pipeline.language import dictionary, inflection


@cache
def base_of_ing(ing: str) -> str:
    """The base form of a verb in -ing: "skiing" -> "ski", "tying" -> "tie", "mimicking" -> "mimic".

    Of verbs that share the form ("putting", "bathing") the more frequent is taken.

    Raises:
        Refusal: It is no -ing form of a verb ("not an -ing form").
    """
    word = ing.lower()
    if not (word.isalpha() and word.endswith("ing") and len(word) > 4):
        raise Refusal("not an -ing form", ing)
    listed = [lemma for lemma in dictionary.lemmas(word, "VERB") if lemma != word]
    base = listed[0] if listed else _guess(word)
    if base == word:
        raise Refusal("not an -ing form", ing)
    # The dictionary has the rare "mimick" beside "mimic".
    return base[:-1] if base.endswith("ick") and dictionary.third_persons(base[:-1]) else base


def third_person_of_ing(ing: str) -> str:
    """The third person singular present of a verb in -ing: "panicking" -> "panics".

    Raises:
        Refusal: It is no -ing form of a verb ("not an -ing form").
    """
    return inflection.third_person(base_of_ing(ing))


def _guess(word: str) -> str:
    """The base of a verb that the dictionary has not ("vlogging"), by lemminflect's rules."""
    import lemminflect

    return lemminflect.getLemma(word, "VERB")[0]
