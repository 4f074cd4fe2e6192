from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.balancing.selection import select
from pipeline.errors import InputError
from pipeline.instance import ImageRef, Instance
from tests.balancing.candidates import candidate, candidates_of

NUMBERS = st.integers(0, 4)
RECORDS = st.lists(
    st.tuples(NUMBERS, st.lists(NUMBERS, min_size=1, max_size=4, unique=True)).filter(
        lambda record: record[0] not in record[1]
    ),
    max_size=40,
)
SIZES = st.one_of(st.none(), st.integers(1, 30))


def drawn(candidates: list[Instance], **options) -> list[Instance]:
    judged = select(candidates, "matched_swaps", seed=3, **{"size": None} | options)
    return [instance for instance in judged if instance.kept]


def reasons(candidates: list[Instance], **options) -> Counter:
    judged = select(candidates, "matched_swaps", seed=3, **{"size": None} | options)
    return Counter(instance.verdicts[-1].reason for instance in judged if not instance.kept)


@settings(max_examples=50, deadline=None)
@given(records=RECORDS, size=SIZES)
def test_every_swap_has_as_many_that_go_back(records, size):
    kept = drawn(candidates_of(records), size=size)
    swaps = Counter((i.edit.classes, i.edit.classes_foil) for i in kept)
    assert all(count == swaps[foil, caption] for (caption, foil), count in swaps.items())
    assert size is None or len(kept) <= size


def test_the_counterpart_with_the_same_words_around_it_is_drawn():
    texts = {"on": "A cat sits on a mat.", "under": "A cat sits under a mat."}
    other = "A dog runs under a car."
    candidates = [
        candidate("1", "on", "under", caption=texts["on"], foil=texts["under"]),
        candidate("2", "under", "on", caption=other, foil=other.replace("under", "on")),
        candidate("3", "under", "on", caption=texts["under"], foil=texts["on"]),
    ]
    assert {i.source.id for i in drawn(candidates, size=2)} == {"1", "3"}


def test_no_class_has_more_captions_than_the_cap():
    candidates = candidates_of([(1, [2]), (2, [1])] * 10 + [(3, [4]), (4, [3])] * 10)
    captions = Counter(i.edit.classes for i in drawn(candidates, size=20, class_cap=0.2))
    assert captions == {("1",): 4, ("2",): 4, ("3",): 4, ("4",): 4}
    assert reasons(candidates, size=20, class_cap=0.2) == {"class cap": 24}


def test_no_image_has_more_instances_than_the_cap():
    candidates = [
        replace(instance, image=ImageRef("photos", f"{number % 3}.jpg"))
        for number, instance in enumerate(candidates_of([(1, [2]), (2, [1])] * 6))
    ]
    images = Counter(i.image.file_name for i in drawn(candidates, per_image=1))
    assert images.most_common(1)[0][1] == 1


def test_couples_are_of_one_stratum_and_strata_are_equally_large():
    def pair(record: str, caption: str, foil: str) -> Instance:
        start = caption.index("?") + 2
        made = candidate(
            record, caption[start:-1].lower(), foil[start:-1].lower(), caption=caption, foil=foil
        )
        return replace(made, edit=replace(made.edit, caption_start=start, foil_start=start))

    yes, no = "A cat. {} it? Yes.", "A cat. {} it? No."
    candidates = []
    for form, (many_yes, many_no) in {"Is": (5, 3), "Does": (2, 4), "Can": (1, 0)}.items():
        for number in range(many_yes):
            candidates.append(pair(f"{form} yes {number}", yes.format(form), no.format(form)))
        for number in range(many_no):
            candidates.append(pair(f"{form} no {number}", no.format(form), yes.format(form)))
    forms = Counter(i.source.id.split()[0] for i in drawn(candidates, stratum="question form"))
    assert forms == {"Is": 6, "Does": 4}
    without = [i for i in candidates if not i.source.id.startswith("Can")]
    equal = drawn(without, stratum="question form", equal_strata=True)
    assert Counter(i.source.id.split()[0] for i in equal) == {"Is": 4, "Does": 4}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"class_cap": 1.5}, "class_cap"),
        ({"per_image": 0}, "per_image"),
        ({"stratum": "quantifier"}, "Did you mean quantifiers"),
    ],
)
def test_an_option_out_of_range_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        drawn(candidates_of([(1, [2])]), **options)
