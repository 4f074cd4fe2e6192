import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.errors import Refusal
from pipeline.sources.answers import parse_answer

EXACT = {
    "4.": 4,
    "0": 0,
    "1,000": 1000,
    "12,345 people": 12345,
    "Four.": 4,
    "Zero.": 0,
    "None.": 0,
    "None of them.": 0,
    "No one.": 0,
    "No people.": 0,
    "There aren't any.": 0,
    "A dozen.": 12,
    "two dozen": 24,
    "Half a dozen.": 6,
    "A hundred.": 100,
    "one hundred and five": 105,
    "Twenty-one.": 21,
    "two thousand three hundred and four": 2304,
    "Just one.": 1,
    "Exactly 3": 3,
    "There are 3.": 3,
    "They have two.": 2,
    "Two of them.": 2,
    "Both.": 2,
    "A single person.": 1,
}
VAGUE = [
    "About 20.",
    "Many.",
    "A few.",
    "More than 10",
    "2-3",
    "2 to 3",
    "2 or 3",
    "At least 4",
    "several",
    "Over 100",
    "Lots",
    "A couple.",
    "Dozens.",
    "20+",
    "Around ten.",
    "Too many to count",
    "Almost fifty.",
    "~20",
]
NO_NUMBER = [
    *["Blue.", "", "  ", "No.", "No idea.", "3.5", "1/2", "50%", "1st", "-2", "2:30", "A man."],
    *[
        "2 men and 1 woman.",
        "one, two",
        "1,00",
        "one two",
        "twenty ten",
        "I",
        "\N{SUPERSCRIPT TWO}",
    ],
]


@pytest.mark.parametrize(("answer", "number"), EXACT.items())
def test_exact_answers_are_numbers(answer, number):
    assert parse_answer(answer) == number


@pytest.mark.parametrize("answer", VAGUE)
def test_estimates_ranges_and_bounds_are_vague(answer):
    with pytest.raises(Refusal) as refusal:
        parse_answer(answer)
    assert refusal.value.reason == "vague answer"


@pytest.mark.parametrize("answer", NO_NUMBER)
def test_anything_else_is_not_a_number(answer):
    with pytest.raises(Refusal) as refusal:
        parse_answer(answer)
    assert refusal.value.reason == "not a number"


@given(st.integers(0, 10**9))
@settings(max_examples=50, deadline=None)
def test_digits_mean_themselves_with_and_without_thousands(number):
    assert parse_answer(f"{number}.") == parse_answer(f"{number:,}") == number


@given(st.integers(0, 999_999))
@settings(max_examples=50, deadline=None)
def test_number_words_mean_their_number(number):
    inflect = pytest.importorskip("inflect").engine()
    assert parse_answer(inflect.number_to_words(number).replace(",", "")) == number


@given(st.text(max_size=40))
@settings(max_examples=200, deadline=None)
def test_any_text_gives_a_count_or_a_refusal(text):
    try:
        assert parse_answer(text) >= 0
    except Refusal as refusal:
        assert refusal.reason in ("vague answer", "not a number")
