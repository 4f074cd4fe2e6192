"""The README keeps its word."""

import re
import tomllib

from tests.conftest import ROOT


def test_every_make_target_it_names_exists(readme):
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"(?:`|^)make ([a-z]+)", readme, re.MULTILINE))
    assert named
    assert named <= targets


def test_every_file_it_links_to_exists(readme):
    links = re.findall(r"\]\((?!https?:)([^)#]+)", readme)
    assert links
    for link in links:
        assert (ROOT / link).exists(), link


def test_ci_runs_the_test_command_of_the_readme(readme):
    assert "make test" in readme
    assert "\nmake test\n" in (ROOT / ".ci/run").read_text()


def test_the_version_is_in_the_changelog():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    changelog = (ROOT / "CHANGELOG.md").read_text()
    assert "## Unreleased" in changelog or f"## {project['version']}" in changelog
