"""The arithmetic of the metrics, written out, and what holds for any scores."""

import math
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.metrics import FIGURES, bootstrap_intervals, pair_metrics

NAN = float("nan")


def test_ranking_counts_ties_as_wrong_half_and_right():
    # Wins at 0.9 > 0.1 and 0.7 > 0.6, ties at 0.5 and 0.2, a loss at 0.3 < 0.8.
    figures = pair_metrics([0.9, 0.5, 0.3, 0.7, 0.2], [0.1, 0.5, 0.8, 0.6, 0.2])
    assert figures["acc_r"] == 2 / 5
    assert figures["acc_r_half_credit"] == (2 + 2 / 2) / 5
    assert figures["acc_r_paper"] == (2 + 2) / 5
    assert figures["tie_rate"] == 2 / 5
    assert (figures["n"], figures["n_failed"]) == (5, 0)


def test_without_probabilities_there_is_no_classification():
    figures = pair_metrics([3.0, 1.0], [2.0, 2.0])
    assert [figures[name] for name in ("acc", "p_c", "p_f", "min_p")] == [None] * 4


def test_classification_takes_one_half_as_no_match():
    # Captions above 0.5: 0.9 and 0.7 of four. Foils at 0.5 or below: 0.5, 0.1, 0.4 of four.
    captions, foils = [0.9, 0.5, 0.7, 0.2], [0.5, 0.1, 0.6, 0.4]
    figures = pair_metrics(captions, foils, captions, foils)
    assert figures["p_c"] == 2 / 4
    assert figures["p_f"] == 3 / 4
    assert figures["acc"] == (2 / 4 + 3 / 4) / 2
    assert figures["min_p"] == 2 / 4


def test_auroc_is_the_share_of_caption_and_foil_couples_in_order():
    # 3 beats 1 and 2 (2), 2 beats 1 and ties with 2 (1.5), 1 ties with 1 and loses to 2 (0.5),
    # over 3 captions x 3 foils; the foil 2 stands twice: 3 beats it once more, 2 ties once more.
    figures = pair_metrics([3.0, 2.0, 1.0], [1.0, 2.0, 2.0])
    assert figures["auroc"] == pytest.approx(((1 + 1 + 1) + (1 + 0.5 + 0.5) + (0.5 + 0 + 0)) / 9)


def test_auroc_ranks_probabilities_where_there_are_any():
    figures = pair_metrics([0.0, 0.0], [1.0, 1.0], [0.9, 0.8], [0.1, 0.2])
    assert figures["acc_r"] == 0.0
    assert figures["auroc"] == 1.0


def test_failed_pairs_are_counted_and_left_out():
    figures = pair_metrics([1.0, NAN, 0.0, 2.0], [0.0, 0.0, NAN, 3.0])
    assert figures["acc_r"] == 1 / 2
    assert (figures["n"], figures["n_failed"]) == (2, 2)
    missing_probability = pair_metrics([1.0, 1.0], [0.0, 0.0], [0.9, NAN], [0.1, 0.1])
    assert (missing_probability["n"], missing_probability["n_failed"]) == (1, 1)


@pytest.mark.parametrize("scores", [[], [NAN, NAN]])
def test_no_pair_left_gives_no_figure(scores):
    figures = pair_metrics(scores, scores, images=["a"] * len(scores))
    assert all(figures[name] is None for name in FIGURES)
    assert all(figures["intervals"][name] is None for name in FIGURES)
    assert (figures["n"], figures["n_failed"], figures["n_images"]) == (0, len(scores), 0)


def test_infinite_scores_are_scores():
    figures = pair_metrics([math.inf, -math.inf, 0.0], [0.0, -math.inf, math.inf])
    assert (figures["acc_r"], figures["tie_rate"], figures["n"]) == (1 / 3, 1 / 3, 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0], [1.0, 2.0]), "one length"),
        (([1.0], [1.0], [0.5]), "neither"),
        (([1.0], [1.0], [0.5], [0.5, 0.5]), "one length"),
        (([1.0], [1.0], [1.5], [0.5]), "between 0 and 1"),
        (([[1.0]], [[1.0]]), "lists"),
        (([1.0], [1.0], None, None, ["a", "b"]), "2 images for 1 pairs"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        pair_metrics(*arguments)


@pytest.mark.parametrize("options", [{"repeats": 0}, {"level": 1.0}])
def test_senseless_intervals_are_refused(options):
    with pytest.raises(ValueError, match="repeats must be positive"):
        bootstrap_intervals([1.0], [0.0], images=["a"], **options)


def test_one_image_gives_no_interval():
    intervals = bootstrap_intervals([1.0, 0.0], [0.0, 1.0], images=["a", "a"])
    assert set(intervals.values()) == {None}


def test_intervals_resample_whole_images():
    # Two images, one all right, one all wrong: a draw gives 0, 1/2 or 1, each extreme with 1/4.
    captions, foils = [1.0] * 50 + [0.0] * 50, [0.5] * 100
    images = ["right"] * 50 + ["wrong"] * 50
    assert bootstrap_intervals(captions, foils, images=images)["acc_r"] == (0.0, 1.0)
    apart = bootstrap_intervals(captions, foils, images=list(range(100)))["acc_r"]
    assert apart is not None
    assert 0.35 < apart[0] < 0.45 < 0.55 < apart[1] < 0.65


def test_intervals_agree_with_a_plain_bootstrap():
    generator = np.random.default_rng(3)
    images = generator.integers(40, size=150)
    captions, foils = generator.random(150).round(1), generator.random(150).round(1) - 0.1
    fast = bootstrap_intervals(captions, foils, images=images.tolist(), repeats=2000)
    draws = []
    for _ in range(1000):
        drawn = generator.choice(np.unique(images), size=len(np.unique(images)))
        rows = np.concatenate([np.flatnonzero(images == image) for image in drawn])
        draws.append(pair_metrics(captions[rows], foils[rows]))
    for name in ("acc_r", "tie_rate", "auroc"):
        plain = np.quantile([draw[name] for draw in draws], (0.025, 0.975))
        assert fast[name] == pytest.approx(tuple(plain), abs=0.02)


def test_intervals_repeat_with_their_seed_and_leave_global_randomness_alone():
    generator = np.random.default_rng(5)
    captions, foils = generator.random(60), generator.random(60)
    state = np.random.get_state()[1].copy()
    arguments = {"images": list(range(60)), "repeats": 50}
    first = bootstrap_intervals(captions, foils, seed=1, **arguments)
    assert first == bootstrap_intervals(captions, foils, seed=1, **arguments)
    assert first != bootstrap_intervals(captions, foils, seed=2, **arguments)
    assert (np.random.get_state()[1] == state).all()


def test_intervals_of_a_whole_benchmark_take_seconds():
    generator = np.random.default_rng(7)
    captions, foils = generator.random(15_404), generator.random(15_404)
    images = generator.integers(6_226, size=15_404).tolist()
    start = time.perf_counter()
    bootstrap_intervals(captions, foils, captions, foils, images=images)
    assert time.perf_counter() - start < 10


SCORE = st.sampled_from([0.0, 0.2, 0.4, 0.5, 0.6, 0.9, 1.0])
PAIRS = st.lists(st.tuples(SCORE, SCORE, st.integers(0, 4)), min_size=1, max_size=25)


@settings(max_examples=40, deadline=None)
@given(PAIRS)
def test_figures_keep_their_order_and_sum(pairs):
    captions, foils, images = (list(column) for column in zip(*pairs, strict=True))
    figures = pair_metrics(captions, foils, captions, foils, images)
    assert all(0 <= figures[name] <= 1 for name in FIGURES)
    assert figures["acc_r"] <= figures["acc_r_half_credit"] <= figures["acc_r_paper"]
    assert figures["acc_r_paper"] == pytest.approx(figures["acc_r"] + figures["tie_rate"])
    assert figures["min_p"] <= figures["acc"]
    for interval in figures["intervals"].values():
        assert interval is None or 0 <= interval[0] <= interval[1] <= 1


@settings(max_examples=40, deadline=None)
@given(PAIRS, st.randoms(use_true_random=False))
def test_swapping_roles_and_shuffling_do_what_they_must(pairs, random):
    captions, foils, _ = (list(column) for column in zip(*pairs, strict=True))
    figures, swapped = pair_metrics(captions, foils), pair_metrics(foils, captions)
    assert swapped["acc_r_paper"] == pytest.approx(1 - figures["acc_r"])
    assert swapped["auroc"] == pytest.approx(1 - figures["auroc"])
    shuffled = random.sample(pairs, len(pairs))
    captions, foils, _ = (list(column) for column in zip(*shuffled, strict=True))
    assert pair_metrics(captions, foils) == pytest.approx(figures)
