import pytest

from pipeline.errors import Refusal
from pipeline.language.countable_nouns import check_noun, is_kind_of, may_be_same_person

REFUSED = [
    ("luggage", "mass noun"),
    ("scissors", "plural only noun"),
    ("sheep", "one form only"),
    ("couple", "group or amount"),
    ("top", "part of something"),
    ("sky", "unique or unbounded"),
    ("picture", "the picture itself"),
    ("night", "act or time"),
    ("hands", "part of the body"),
    ("tracks", "plural by nature"),
    ("happiness", "no thing"),
    ("8-10", "not a word"),
]


@pytest.mark.parametrize(("noun", "reason"), REFUSED)
def test_a_noun_that_is_not_counted_is_refused(noun, reason, wordnet_installed):
    with pytest.raises(Refusal) as refusal:
        check_noun(noun, plural=noun.endswith("s"))
    assert refusal.value.reason in (reason, "mass noun")


@pytest.mark.parametrize("noun", ["dog", "umbrellas", "women", "fire-truck", "wave", "bench"])
def test_a_thing_can_be_counted(noun, wordnet_installed):
    check_noun(noun, plural=noun.endswith("s"))


def test_a_car_is_a_vehicle_and_no_dog(wordnet_installed):
    assert is_kind_of("car", "vehicle")
    assert not is_kind_of("car", "dog")


def test_a_man_may_be_among_people_and_not_among_women():
    assert may_be_same_person("man", "people", plural=True)
    assert may_be_same_person("man", "player", plural=True)
    assert not may_be_same_person("man", "woman", plural=True)
    assert not may_be_same_person("man", "player", plural=False)
