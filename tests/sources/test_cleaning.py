import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import Refusal
from pipeline.sources.cleaning import check_caption, clean


@pytest.mark.parametrize(
    ("typed", "cleaned"),
    [
        ("A dog on a bed.", "A dog on a bed."),
        (" a dog\non  a bed ", "A dog on a bed."),
        ("A DOG WATCHING TV ON THE SOFA", "A dog watching TV on the sofa."),
        ("tHERE ARE TWO MEN AND I", "There are two men and I."),
        ("A Man Riding A Horse On The Beach", "A man riding a horse on the beach."),
        ("A boy watches the tv.", "A boy watches the TV."),
        ("Donald Duck meets Mickey at Disney World.", "Donald Duck meets Mickey at Disney World."),
        ("A bus in the USA passes an ATM.", "A bus in the USA passes an ATM."),
        ("A cat , a dog and a bird .", "A cat, a dog and a bird."),
        ("A chair,couch and suitcase", "A chair, couch and suitcase."),
        ("Two dogs by a fence..", "Two dogs by a fence."),
        ("A view of a street,", "A view of a street."),
        ("A street.A bus is there", "A street. A bus is there."),
        ("A room with a t.v. in it", "A room with a t.v. in it."),
        ('A sign that says " No Stops ".', 'A sign that says "No Stops".'),
        ('A sign that says "stop.', "A sign that says stop."),
        ('"A dog on a bed"', "A dog on a bed."),
        ("A man\u2019s hat \u2013 in red", "A man's hat - in red."),
        ("What a jump!", "What a jump!"),
        ("The time is 4:21", "The time is 4:21."),
    ],
)
def test_a_caption_is_brought_into_one_form(typed, cleaned):
    assert clean(typed) == cleaned


@given(st.text(alphabet="aB t.v,;:!?\"' \n-1\u2019", max_size=30))
def test_cleaning_twice_changes_nothing_more(text):
    assert clean(clean(text)) == clean(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no caption"),
        ("...", "no caption"),
        ("There is no image here to provide a caption for.", "no caption"),
        ("I am unable to see an image above.", "no caption"),
        ("Unable to see this image in this particular hit.", "no caption"),
        ("No image again there are a lot of these lately.", "no caption"),
        ("I am not sure what this image is.", "no caption"),
        ("Giraffes.", "one word"),
        ("Why would the cow be grazing here?", "question"),
        ("\u5ba4\u5185\u7684\u4e00\u5f20\u5e8a \u548c\u684c\u5b50.", "not English"),
    ],
)
def test_what_describes_no_image_is_refused(text, reason):
    with pytest.raises(Refusal) as refused:
        check_caption(text)
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    "text",
    [
        "An image of a dog.",
        "A dog that has not seen the image of a cat.",
        "A photo of a sign that says no parking.",
        "A bench with no back.",
        "The ball this hit is high in the air.",
    ],
)
def test_what_speaks_of_images_is_kept(text):
    check_caption(text)
