from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.balancing.selection import ANOTHER_FOIL, METHODS, select
from pipeline.errors import InputError
from pipeline.instance import Instance, Verdict
from tests.balancing.candidates import candidate, candidates_of

NUMBERS = st.integers(0, 5)
RECORDS = st.lists(
    st.tuples(NUMBERS, st.lists(NUMBERS, min_size=1, max_size=5, unique=True)).filter(
        lambda record: record[0] not in record[1]
    ),
    max_size=40,
)
SIZES = st.one_of(st.none(), st.integers(1, 30))
OPTIONS = {
    "matched_classes": {},
    "matched_swaps": {},
    "uniform_foils": {},
    "directions": {"grouping": "magnitude"},
}
EXAMPLES = settings(max_examples=25, deadline=None)


def drawn(judged: list[Instance]) -> list[Instance]:
    return [instance for instance in judged if instance.kept]


def captions_and_foils(instances: list[Instance]) -> tuple[Counter, Counter]:
    return (
        Counter(instance.edit.classes for instance in instances),
        Counter(instance.edit.classes_foil for instance in instances),
    )


@pytest.mark.parametrize("method", list(METHODS))
@EXAMPLES
@given(records=RECORDS, size=SIZES, order=st.randoms(use_true_random=False))
def test_every_candidate_is_judged_and_one_of_a_record_drawn_in_any_order(
    method, records, size, order
):
    candidates = candidates_of(records)
    judged = select(candidates, method, size=size, seed=7, **OPTIONS[method])
    assert [instance.id for instance in judged] == [instance.id for instance in candidates]
    assert all(i.verdicts[-1].filter == "balance" for i in judged)
    assert all(bool(i.verdicts[-1].reason) != i.kept for i in judged)
    kept = drawn(judged)
    assert len({instance.source.id for instance in kept}) == len(kept)
    assert size is None or len(kept) <= size
    # Records in another order, candidates within each in the same.
    order.shuffle(places := list(dict.fromkeys(i.source.id for i in candidates)))
    moved = sorted(candidates, key=lambda instance: places.index(instance.source.id))
    again = select(moved, method, size=size, seed=7, **OPTIONS[method])
    assert {i.id for i in drawn(again)} == {i.id for i in kept}


@EXAMPLES
@given(records=RECORDS, size=SIZES, context=st.booleans())
def test_matched_classes_are_as_frequent_in_foils_as_in_captions(records, size, context):
    candidates = candidates_of(records)
    kept = drawn(select(candidates, "matched_classes", size=size, seed=1, match_context=context))
    captions, foils = captions_and_foils(kept)
    assert captions == foils


@EXAMPLES
@given(records=RECORDS, size=SIZES)
def test_uniform_foils_differ_by_one_at_most(records, size):
    candidates = candidates_of(records)
    kept = drawn(select(candidates, "uniform_foils", size=size, seed=1))
    offered = {instance.edit.classes_foil for instance in candidates}
    counts = [captions_and_foils(kept)[1][name] for name in offered]
    assert not counts or max(counts) - min(counts) <= 1


@EXAMPLES
@given(records=RECORDS, size=SIZES, similar=st.booleans())
def test_directions_have_the_same_number(records, size, similar):
    options = {"grouping": "magnitude", "similar": similar}
    kept = drawn(select(candidates_of(records), "directions", size=size, seed=1, **options))
    larger = sum(int(i.edit.classes_foil[0]) > int(i.edit.classes[0]) for i in kept)
    assert 2 * larger == len(kept)


def test_a_balance_that_exists_is_found_in_full():
    # Ten cycles 1 -> 2 -> 3 -> 1; no two records alone match.
    candidates = candidates_of([(1, [2]), (2, [3]), (3, [1])] * 10)
    judged = select(candidates, "matched_classes", size=None, seed=1)
    assert len(drawn(judged)) == 30


def test_what_cannot_be_matched_is_not_drawn():
    candidates = candidates_of([(1, [2]), (2, [1]), (5, [6, 7])])
    judged = select(candidates, "matched_classes", size=10, seed=1)
    assert [i.kept for i in judged] == [True, True, False, False]
    assert judged[-1].rejection == "balance: no matching foil class"


def test_preferred_candidates_are_drawn_where_the_balance_allows():
    candidates = candidates_of([(1, [2, 3]), (2, [1, 3]), (3, [1, 2])] * 4)
    kept = drawn(select(candidates, "matched_classes", size=8, seed=3, preferred=1))
    assert len(kept) == 8
    assert {(i.edit.classes[0], i.edit.classes_foil[0]) for i in kept} == {("1", "2"), ("2", "1")}


def test_the_exact_size_is_reached_with_cycles_of_other_lengths():
    candidates = candidates_of([(1, [2]), (2, [1])] * 10 + [(3, [4]), (4, [5]), (5, [3])])
    for size in (2, 3, 9, 20, 21):
        assert len(drawn(select(candidates, "matched_classes", size=size, seed=1))) == size
    # Ten cycles of two and one of three cannot make 22.
    assert len(drawn(select(candidates, "matched_classes", size=22, seed=1))) == 21


def test_a_class_before_a_word_is_matched_before_the_same_word():
    candidates = [
        candidate(
            f"{number} {noun} {copy}",
            str(number),
            str(other),
            caption=f"There are exactly {number} {noun}.",
            foil=f"There are exactly {other} {noun}.",
        )
        for copy in range(12)
        for noun in ("cups", "dogs")
        for number, other in ((2, 3), (3, 2))
    ]
    kept = drawn(select(candidates, "matched_classes", size=20, seed=5))
    assert len(kept) == 20
    captions, foils = Counter(i.caption for i in kept), Counter(i.foil for i in kept)
    assert captions == foils


@pytest.mark.parametrize("cap", [3, 0.25])
def test_a_class_cap_holds_and_is_given_as_the_reason(cap):
    pairs = [(1, [2, 3]), (2, [1, 3]), (3, [1, 2])]
    candidates = candidates_of(pairs * 8 + [(4, [5]), (5, [4])] * 3)
    judged = select(candidates, "matched_classes", size=12, seed=1, class_cap=cap)
    assert len(drawn(judged)) == 12
    assert max(captions_and_foils(drawn(judged))[0].values()) <= 3
    assert "balance: class cap" in {instance.rejection for instance in judged}


def test_statements_repeat_only_where_there_is_no_new_one():
    texts = ["There are no people."] * 8 + [f"There are no {n}." for n in "abcd"]
    denying = [
        candidate(f"no {place}", "0", "1", caption=text, foil=text.replace("no ", ""))
        for place, text in enumerate(texts)
    ]
    affirming = [
        candidate(f"yes {n}", "2", "0", caption=f"There are {n}.", foil=f"There are no {n}.")
        for n in range(30)
    ]
    judged = select([*denying, *affirming], "directions", size=12, seed=1)
    captions = Counter(i.caption for i in drawn(judged))
    assert sum(captions.values()) == 12
    assert captions["There are no people."] == 2

    capped = select([*denying, *affirming], "directions", size=None, seed=1, statement_cap=3)
    captions = Counter(i.caption for i in drawn(capped))
    assert captions["There are no people."] == 3
    assert sum(captions.values()) == 14
    reasons = Counter(instance.rejection for instance in capped)
    assert reasons["balance: statement cap"] == 5
    assert reasons["balance: direction is full"] == 30 - 7


def test_the_richer_direction_is_drawn_like_the_scarcer_one():
    nouns = ["dogs", "red cars", "people in the photo"]
    denying = [
        candidate(noun, "0", "1", caption=f"There are no {noun}.", foil=f"There are {noun}.")
        for noun in nouns
    ]
    affirming = [
        candidate(f"{noun}+", "2", "0", caption=f"There are {noun}.", foil=f"There are no {noun}.")
        for noun in [*nouns, *(f"{letter} things" for letter in "abcdefghij")]
    ]
    kept = drawn(select([*denying, *affirming], "directions", size=None, seed=2))
    assert Counter(i.caption for i in kept) == Counter(i.foil for i in kept)


def test_rejected_candidates_stay_as_they_are():
    candidates = candidates_of([(1, [2]), (2, [1])])
    rejected = candidates[0].judged(Verdict("identity", keep=False, reason="same text"))
    judged = select([rejected, candidates[1]], "matched_classes", size=None, seed=1)
    assert judged[0] == rejected
    assert drawn(judged) == []


def test_other_candidates_of_a_drawn_record_say_so():
    judged = select(candidates_of([(1, [2, 3]), (2, [1])]), "matched_classes", size=2, seed=1)
    assert [i.rejection for i in judged] == ["", f"balance: {ANOTHER_FOIL}", ""]


def test_another_seed_draws_others():
    candidates = candidates_of([(1, [2]), (2, [1])] * 40)
    draws = {
        tuple(i.id for i in drawn(select(candidates, "matched_classes", size=10, seed=seed)))
        for seed in range(3)
    }
    assert len(draws) == 3


@pytest.mark.parametrize("method", list(METHODS))
def test_nothing_to_draw_from_draws_nothing(method):
    assert select([], method, size=5, seed=1) == []


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        ("matched_clases", {}, "Did you mean matched_classes"),
        ("matched_classes", {"cap": 3}, "has no option 'cap'"),
        ("matched_classes", {"class_cap": 0}, "class_cap has to be"),
        ("uniform_foils", {"class_cap": 1.5}, "class_cap has to be"),
        ("matched_classes", {"class_cap": "many"}, "class_cap has to be"),
        ("uniform_foils", {"preferred": 0}, "preferred has to be"),
        ("directions", {"grouping": "size"}, "no grouping named 'size'"),
        ("directions", {"statement_cap": 0}, "statement_cap has to be"),
        ("directions", {"statement_cap": "3"}, "statement_cap has to be"),
        ("directions", {"size": 0}, "size has to be at least 1"),
    ],
)
def test_wrong_options_are_one_clear_line(method, options, message):
    with pytest.raises(InputError, match=message):
        select(candidates_of([(1, [2])]), method, **{"size": 4, "seed": 1, **options})
