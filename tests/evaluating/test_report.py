"""The report: all of a release on one page, whatever its texts say."""

import re

import pytest
from PIL import Image

from pipeline.errors import InputError
from pipeline.evaluating.report import GALLERY, render_report
from pipeline.evaluating.runner import evaluate, read_results, write_results
from pipeline.evaluating.scorers import open_scorer
from pipeline.releasing.write import write_release
from tests.releasing.small_builds import TEXTS, make_instance, write_build

HOSTILE = "There are <script>alert(1)</script> \"dogs\" & 'cats'."


def picture(image):
    if image.file_name == "v7w_0.jpg":
        raise InputError("there is no such image", where=image.file_name)
    return Image.new("RGB", (40, 30), "green")


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    texts = [*TEXTS, (HOSTILE, HOSTILE.replace("are", "are no", 1))]
    kept = [make_instance(number, *pair) for number, pair in enumerate(texts * 6)]
    return write_release([write_build(folder / "build", kept)], folder / "release")


@pytest.fixture(scope="module")
def evaluation(release):
    return evaluate(release.instances("existence"), open_scorer("random"), picture)


@pytest.fixture(scope="module")
def page(release, evaluation):
    return render_report(release, [evaluation], picture)


def test_texts_of_strangers_are_escaped(page):
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &#34;dogs&#34; &amp; &#39;cats&#39;" in page


def test_nothing_is_loaded_from_elsewhere(page):
    assert set(re.findall(r'(?:src|href)="(\w+)', page)) == {"data"}
    assert "url(" not in page


def test_the_gallery_marks_what_differs(page, release):
    assert page.count("<li>") == GALLERY
    assert "There is <mark>a</mark> boat." in page
    assert "There is <mark>no</mark> boat." in page


def test_a_picture_that_is_not_at_hand_is_named(release):
    def none_at_hand(image):
        raise InputError("there is no such image")

    page = render_report(release, [], none_at_hand)
    assert page.count("is not at hand") == GALLERY
    assert "Scores</h2>" not in page


def test_funnel_and_metrics_stand_on_the_page(page, evaluation):
    assert "1 vague answer" in page
    assert f"{100 * evaluation.metrics['existence']['acc_r']:.1f}" in page


def test_results_are_found_again_only_if_whole_and_of_the_same_fingerprint(evaluation, tmp_path):
    write_results(tmp_path, evaluation, "abc")
    found = read_results(tmp_path, "abc")
    assert found.metrics["existence"]["acc_r"] == evaluation.metrics["existence"]["acc_r"]
    assert found.scores == evaluation.scores
    assert read_results(tmp_path) is not None
    assert read_results(tmp_path, "other") is None
    (tmp_path / "scores.parquet").write_bytes(b"changed")
    assert read_results(tmp_path) is None
    assert read_results(tmp_path / "nowhere") is None
