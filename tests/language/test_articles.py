import pytest

from pipeline.language.articles import indefinite_article


@pytest.mark.parametrize(
    "following",
    [
        "hour",
        "honest man",
        "heir",
        "umbrella",
        "elephant",
        "unidentified object",
        "SUV",
        "X-ray",
        "MP3",
        "LED light",
        "RV",
        "8-ball",
        "11-year-old",
        "18 wheeler",
        "80-year-old",
        "11,000 dollar car",
        "'orange' sign",
        "S-curve",
        "IKEA shelf",
        "Apple",
    ],
)
def test_an_before_a_vowel_sound(following):
    assert indefinite_article(following) == "an"


@pytest.mark.parametrize(
    "following",
    [
        "dog",
        "uniform",
        "unicorn",
        "European",
        "eucalyptus",
        "ewe",
        "one-way street",
        "UFO",
        "USB stick",
        "utensil",
        "ukulele",
        "user",
        "T-shirt",
        "U-turn",
        "1-year-old",
        "12-pack",
        "118th",
        "NASA rocket",
        "BUS",
        "horse",
        "hotel",
        "yellow car",
        "ouija board",
        "",
    ],
)
def test_a_before_a_consonant_sound(following):
    assert indefinite_article(following) == "a"
