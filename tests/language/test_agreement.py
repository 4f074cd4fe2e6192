import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.errors import Refusal
from pipeline.language.agreement import set_number, speaks_of_several
from pipeline.language.dependents import with_one_each

THERE_AND_BACK = [
    ("There are 3 people wearing hats.", "There is 1 person wearing hats."),
    ("There are exactly 3 dogs.", "There is exactly 1 dog."),
    ("There were 3 cats.", "There was 1 cat."),
    ("There are 3 sheep in the pen.", "There is 1 sheep in the pen."),
    ("There are 3 sports cars.", "There is 1 sports car."),
    ("There are 3 solid blue umbrellas.", "There is 1 solid blue umbrella."),
    ("There are 3 white and black horses.", "There is 1 white and black horse."),
    ("There are 3 blonde haired people.", "There is 1 blonde haired person."),
    ("There are 3 lit up signs.", "There is 1 lit up sign."),
    ("There are 3 trash cans shown.", "There is 1 trash can shown."),
    ("There are 3 people crossing the street.", "There is 1 person crossing the street."),
    ("There are 3 parking meters.", "There is 1 parking meter."),
    ("There are 3 females shown.", "There is 1 female shown."),
    ("There are 3 pieces of fruit.", "There is 1 piece of fruit."),
    ("There are 3 buses that are parked.", "There is 1 bus that is parked."),
    ("There are 3 dogs who have collars.", "There is 1 dog who has collars."),
    ("There are 3 motorcycles parked outside.", "There is 1 motorcycle parked outside."),
    ("On the table are 3 cups.", "On the table is 1 cup."),
    ("Exactly 3 vases can be seen.", "Exactly 1 vase can be seen."),
    ("3 windows in the photo have lights on.", "1 window in the photo has lights on."),
    ("3 corners of the photo touch the sky.", "1 corner of the photo touches the sky."),
    ("3 birds fly over the house.", "1 bird flies over the house."),
    ("3 pieces have been taken from the pizza.", "1 piece has been taken from the pizza."),
    ("3 dogs do not have collars.", "1 dog does not have collars."),
    ("3 of the people are wearing hats.", "1 of the people is wearing hats."),
    ("3 of the cows appear to be standing.", "1 of the cows appears to be standing."),
    ("In the picture, 3 dogs are running.", "In the picture, 1 dog is running."),
    ("You see 3 headrests.", "You see 1 headrest."),
    ("The giraffe has 3 legs.", "The giraffe has 1 leg."),
    ("The number 5 bus has 3 windows.", "The number 5 bus has 1 window."),
    ("3 directions can cars travel on the road.", "1 direction can cars travel on the road."),
]


@pytest.mark.parametrize(("several", "one"), THERE_AND_BACK)
def test_noun_and_verb_follow_the_number_there_and_back(several, one):
    assert set_number(several, 1) == one
    assert set_number(one, 3) == several


@pytest.mark.parametrize(
    ("several", "one"),
    [
        ("There are 3 kinds of animals.", "There is 1 kind of animal."),
        ("There are 3 women players.", "There is 1 woman player."),
        ("3 people's faces can be seen.", "1 person's face can be seen."),
        ("3 animals have their head in the bars.", "1 animal has its head in the bars."),
        ("3 people have their hands up.", "1 person has their hands up."),
        ("3 men stand with their backs to it.", "1 man stands with their back to it."),
        ("3 plates have food on them.", "1 plate has food on it."),
        ("There are 3 window.", "There is 1 window."),
    ],
)
def test_what_belongs_to_the_noun_follows_it(several, one):
    assert set_number(several, 1) == one


@pytest.mark.parametrize(
    ("one", "three"),
    [
        ("1 man has his hands up.", "3 men have their hands up."),
        ("There is 1 ski over his shoulder.", "There are 3 skis over his shoulder."),
        ("There's 1 dog.", "There are 3 dogs."),
    ],
)
def test_several_have_what_one_has(one, three):
    assert set_number(one, 3) == three


@pytest.mark.parametrize(
    ("statement", "number", "reason"),
    [
        ("There are dogs.", 1, "no numeral"),
        ("There are 3 dogs and cats.", 1, "coordinated nouns"),
        ("There are 3 luggage.", 1, "mass noun"),
        ("There are 3 white shorts.", 1, "noun without a singular"),
        ("There are 3 wearing hats.", 1, "no counted noun"),
        ("There are 3.", 1, "no counted noun"),
        ("The oxen are 3 colors.", 1, "copula before the numeral"),
        ("3 people are women.", 1, "plural predicate"),
        ("3 flags are the people holding.", 1, "ambiguous subject"),
        ("There are 3 people with their dogs.", 1, "distributive plural"),
        ("There are 3 yellow signs do we see.", 1, "two verbs"),
    ],
)
def test_what_cannot_be_done_surely_is_refused(statement, number, reason):
    with pytest.raises(Refusal) as refusal:
        set_number(statement, number)
    assert refusal.value.reason == reason


def test_a_negative_number_is_an_error_of_the_caller():
    with pytest.raises(ValueError, match="-1"):
        set_number("There are 3 dogs.", -1)


@pytest.mark.parametrize(
    ("hats", "hat"),
    [
        ("There is 1 person wearing white hats.", "There is 1 person wearing a white hat."),
        ("There is 1 person on skateboards.", "There is 1 person on a skateboard."),
        ("Exactly 1 player has helmets.", "Exactly 1 player has a helmet."),
        ("There is 1 man not wearing shirts.", "There is 1 man not wearing a shirt."),
        (
            "There is 1 boy in shirts and ties.",
            "There is 1 boy in a shirt and a tie.",
        ),
    ],
)
def test_one_person_has_one_of_what_several_have_one_each(hats, hat):
    assert with_one_each(hats) == hat


@pytest.mark.parametrize(
    "statement",
    [
        "There are 3 people wearing hats.",
        "There is 1 person wearing glasses.",
        "There is 1 person wearing 2 hats.",
        "There is 1 person under the umbrellas.",
        "1 of the men is wearing hats.",
    ],
)
def test_other_plurals_stay(statement):
    assert with_one_each(statement) == statement


def test_statements_of_several_are_known():
    assert speaks_of_several("There are 2 cars parked side by side.")
    assert not speaks_of_several("There are 2 cars parked.")


@given(
    noun=st.sampled_from(["dogs", "buses", "women", "knives", "fire hydrants", "red cars"]),
    place=st.sampled_from(["", " in the photo", " wearing red", " that are big", " shown"]),
    number=st.integers(0, 10**6).filter(lambda number: number != 1),
)
@settings(max_examples=60, deadline=None)
def test_the_number_one_and_back_changes_nothing(noun, place, number):
    statement = f"There are exactly {number} {noun}{place}."
    one = set_number(statement, 1)
    assert re.match(r"There is exactly 1 \w", one)
    assert set_number(one, 1) == one
    assert set_number(one, number) == statement
