"""The command line: help, mistakes of the user, and how fast it answers."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from flows import cli, release_cli

COMMANDS = [
    ["build"],
    ["release"],
    ["release", "write"],
    ["release", "verify"],
    ["release", "import-valse"],
    ["release", "export-valse"],
    ["release", "export-checklist"],
    ["audit"],
    ["evaluate"],
    ["report"],
    ["convert"],
    ["pieces"],
    ["sources"],
    ["demo"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_explains_itself(command):
    result = CliRunner().invoke(cli.app, [*command, "--help"])
    assert result.exit_code == 0
    assert "Usage" in result.output


def test_every_command_is_in_this_test_and_in_the_readme(readme):
    released = [["release", c.name] for c in release_cli.release_app.registered_commands]
    top = [[c.name or c.callback.__name__] for c in cli.app.registered_commands]
    commands = [*top, ["release"], *released]
    assert sorted(commands) == sorted(COMMANDS)
    for command in commands:
        if command != ["release", "write"]:
            assert f"`foils {' '.join(command)}" in readme


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from flows import cli; "
        "print(*{'torch', 'transformers', 'prefect', 'pandas', 'datasets'} & set(sys.modules))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["build", "existance", "--source", "x", "--out", "y"],
            "foils: there is no piece or instrument named 'existance'. Did you mean existence?",
        ),
        (["release", "nowhere", "--to", "y"], "foils: nowhere: there is no such folder"),
        (["release", "verify", "nowhere"], "foils: nowhere: there is no such folder"),
    ],
)
def test_a_mistake_gets_one_line_and_exit_code_2(arguments, message, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["foils", *arguments])
    with pytest.raises(SystemExit) as exit_:
        cli.main()
    assert exit_.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(message)
