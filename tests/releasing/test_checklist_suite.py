import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from pipeline.errors import InputError
from pipeline.releasing.checklist_suite import checklist_suite, write_suite
from pipeline.releasing.pairs import read_pairs
from tests.filtering.pairs import pair

pytest.importorskip("checklist", reason="CheckList is an optional extra")

MAIN = "counting: the caption matches better than the foil"
LARGER = "counting, foil is larger: the foil matches less"
TYPING = "counting: a full stop and a capital do not change the preference"


@pytest.fixture
def counting():
    """Thirty pairs whose foil is larger, and five whose foil is smaller."""
    return [
        pair(str(n), f"There are exactly 2 dogs {n}.", f"There are exactly 3 dogs {n}.", f"{n}.jpg")
        if n < 30
        else replace(
            pair(str(n), f"There are exactly 3 cats {n}.", f"There are exactly 2 cats {n}."),
            edit=replace(pair("x", "", "").edit, classes=("3",), classes_foil=("2",)),
        )
        for n in range(35)
    ]


def fail_rates(suite, score):
    """Test -> share of failures, of a model that gives each example a score."""
    suite.run(lambda xs: ([1] * len(xs), [score(*x) for x in xs]), verbose=False, overwrite=True)
    return {name: test.get_stats().get("fail_rate") for name, test in suite.tests.items()}


def test_a_suite_has_tests_of_all_types_and_capabilities_of_checklist(counting):
    suite = checklist_suite({"counting": counting})
    assert {name: (i["type"], i["capability"]) for name, i in suite.info.items()} == {
        MAIN: ("MFT", "Logic"),
        LARGER: ("DIR", "Logic"),
        TYPING: ("INV", "Robustness"),
    }


def test_a_model_that_knows_passes_and_one_that_prefers_foils_fails(counting):
    suite = checklist_suite({"counting": counting})
    true = {(i.image.file_name, i.caption.casefold().rstrip(".")) for i in counting}

    def knows(image, text):
        return float((image, text.casefold().rstrip(".")) in true)

    assert fail_rates(suite, knows) == {MAIN: 0.0, LARGER: 0.0, TYPING: 0.0}
    wrong = fail_rates(suite, lambda image, text: -knows(image, text))
    assert wrong == {MAIN: 100.0, LARGER: 100.0, TYPING: 0.0}


def test_equal_scores_are_failures(counting):
    rates = fail_rates(checklist_suite({"counting": counting}), lambda image, text: 0.5)
    assert rates == {MAIN: 100.0, LARGER: 100.0, TYPING: 0.0}


def test_a_model_that_goes_by_marks_is_found_out(counting):
    suite = checklist_suite({"counting": counting})
    # It prefers what ends in a full stop: the captions against no foil, but not as retyped.
    rates = fail_rates(suite, lambda image, text: text.endswith(".") + 0.1 * ("2 dogs" in text))
    assert rates[TYPING] == pytest.approx(100 * 30 / 35)


def test_confidences_may_be_the_probabilities_of_both_answers(counting):
    suite = checklist_suite({"counting": counting})
    rates = fail_rates(suite, lambda image, text: np.array([0.1, 0.9 if "2 dogs" in text else 0.2]))
    assert rates[LARGER] == 0.0


def test_a_sample_can_be_run_and_summarised(counting, capsys):
    suite = checklist_suite({"counting": counting})
    suite.run(lambda xs: ([1] * len(xs), [0.0] * len(xs)), n=5, seed=1, verbose=False)
    suite.summary(n=1)
    assert "Test cases run:  5" in capsys.readouterr().out


def test_a_stored_suite_runs_where_only_checklist_is_installed(counting, tmp_path):
    suite = tmp_path / "out" / "suite.pkl"
    examples = write_suite({"counting": counting}, suite)
    lines = examples.read_text(encoding="utf-8").splitlines()
    assert lines[:2] == [
        "0.jpg\tThere are exactly 2 dogs 0.",
        "0.jpg\tThere are exactly 3 dogs 0.",
    ]
    answers = tmp_path / "answers.txt"
    answers.write_text("".join(f"1 {float('2 dogs' in line)}\n" for line in lines))
    code = (
        "import sys; from checklist.test_suite import TestSuite;"
        f"suite = TestSuite.from_file({str(suite)!r});"
        f"suite.run_from_file({str(answers)!r}, file_format='pred_and_conf');"
        "print(*(test.get_stats().fails for test in suite.tests.values()));"
        "assert 'pipeline' not in sys.modules"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert ran.stdout.split() == ["5", "0", "0"], ran.stderr


def test_builds_and_releases_can_be_exported(build, release):
    for path in (build, build.parent, release.path):
        suite = checklist_suite(read_pairs([path]))
        assert next(iter(suite.info.values()))["capability"] == "Negation"


def test_nothing_is_overwritten(counting, tmp_path):
    write_suite({"counting": counting}, tmp_path / "suite.pkl")
    with pytest.raises(InputError, match="is there already"):
        write_suite({"counting": counting}, tmp_path / "suite.pkl")
