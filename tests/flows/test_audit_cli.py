import sys

import pytest

from flows import cli
from pipeline.auditing import blind


@pytest.fixture
def audited(monkeypatch, capsys, shared_data):
    def run(*options: str):
        path = str(shared_data / "valse/existence.json")
        monkeypatch.setattr(sys, "argv", ["foils", "audit", path, *options])
        monkeypatch.setattr(blind, "_SWAPS", 1)
        code = 0
        try:
            cli.main()
        except SystemExit as exit_:
            code = exit_.code
        return code, capsys.readouterr()

    return run


def test_a_table_is_printed_and_a_page_written(audited, tmp_path):
    code, printed = audited("--to", str(tmp_path / "audit.html"), "--at-most", "0.95")
    assert code == 0
    assert "existence" in printed.out
    assert (tmp_path / "audit.html").is_file()


def test_the_gate_names_what_is_too_easy(audited):
    code, printed = audited("--at-most", "0.6")
    assert code == 2
    (line,) = printed.err.splitlines()
    assert line.startswith("foils: captions can be told by their words in more than 0.6: existence")


def test_a_report_of_another_kind_is_refused_before_the_work(audited, tmp_path):
    code, printed = audited("--to", str(tmp_path / "audit.pdf"))
    assert code == 2
    assert "neither in .html nor in .json" in printed.err
