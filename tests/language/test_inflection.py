import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pipeline.language.dictionary import can_be
from pipeline.language.inflection import (
    base_form,
    grammatical_number,
    plural,
    singular,
    third_person,
)

PAIRS = [
    ("dog", "dogs"),
    ("bus", "buses"),
    ("bench", "benches"),
    ("couch", "couches"),
    ("toothbrush", "toothbrushes"),
    ("tomato", "tomatoes"),
    ("photo", "photos"),
    ("knife", "knives"),
    ("calf", "calves"),
    ("giraffe", "giraffes"),
    ("roof", "roofs"),
    ("child", "children"),
    ("grandchild", "grandchildren"),
    ("woman", "women"),
    ("fisherman", "fishermen"),
    ("snowman", "snowmen"),
    ("German", "Germans"),
    ("human", "humans"),
    ("person", "people"),
    ("townsperson", "townspeople"),
    ("foot", "feet"),
    ("tooth", "teeth"),
    ("goose", "geese"),
    ("mongoose", "mongooses"),
    ("mouse", "mice"),
    ("passerby", "passersby"),
    ("mother-in-law", "mothers-in-law"),
    ("runner-up", "runners-up"),
    ("hot-dog", "hot-dogs"),
    ("fire hydrant", "fire hydrants"),
    ("ski", "skis"),
    ("taxi", "taxis"),
    ("kiwi", "kiwis"),
    ("glass", "glasses"),
    ("lens", "lenses"),
    ("cactus", "cacti"),
    ("walrus", "walruses"),
    ("hippopotamus", "hippopotamuses"),
    ("selfie", "selfies"),
    ("cookie", "cookies"),
    ("teddy", "teddies"),
    ("minibus", "minibuses"),
    ("SUV", "SUVs"),
    ("TV", "TVs"),
    ("GPS", "GPSs"),
    ("Frisbee", "Frisbees"),
    ("trash can", "trash cans"),
    ("stove", "stoves"),
]


@pytest.mark.parametrize(("one", "several"), PAIRS)
def test_singular_and_plural_lead_to_each_other(one, several):
    assert plural(one) == several
    assert singular(several) == one
    assert (grammatical_number(one), grammatical_number(several)) == ("singular", "plural")


@pytest.mark.parametrize("word", [several for _, several in PAIRS])
def test_a_plural_is_not_pluralised_again(word):
    assert plural(word) == word


@pytest.mark.parametrize("word", [one for one, _ in PAIRS])
def test_a_singular_is_not_cut(word):
    assert singular(word) == word


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("luggage", "mass"),
        ("furniture", "mass"),
        ("broccoli", "mass"),
        ("silverware", "mass"),
        ("tennis", "mass"),
        ("news", "mass"),
        ("sheep", "either"),
        ("deer", "either"),
        ("goldfish", "either"),
        ("aircraft", "either"),
        ("fruit", "either"),
        ("scissors", "plural only"),
        ("pants", "plural only"),
        ("sunglasses", "plural only"),
        ("sun glasses", "plural only"),
        ("clothes", "plural only"),
    ],
)
def test_words_of_one_form_stay(word, number):
    assert grammatical_number(word) == number
    assert plural(word) == singular(word) == word


@pytest.mark.parametrize(
    ("base", "third"),
    [
        ("wear", "wears"),
        ("carry", "carries"),
        ("touch", "touches"),
        ("have", "has"),
        ("do", "does"),
        ("fly", "flies"),
        ("tie", "ties"),
        ("buzz", "buzzes"),
        ("panic", "panics"),
        ("lie", "lies"),
    ],
)
def test_verbs_agree_there_and_back(base, third):
    assert third_person(base) == third
    assert base_form(third) == base


@example("baary")
@given(st.from_regex(r"\A[b-df-hj-np-tv-z][aeiou]{1,2}[bdgklmnprtv]{1,2}(er|o|y|ch|x|sh|le)?s?\Z"))
@settings(max_examples=150, deadline=None)
def test_words_nobody_knows_survive_the_way_there_and_back(word):
    assert plural(plural(word)) == plural(word)
    assert singular(singular(word)) == singular(word)
    known = can_be(word, "NOUN") or can_be(plural(word), "NOUN")
    if grammatical_number(word) == "singular" and not known:
        assert singular(plural(word)) == word
