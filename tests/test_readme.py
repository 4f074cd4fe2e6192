"""The README keeps its word."""

import re
import tomllib

import pytest

from pipeline.balancing.selection import METHODS
from pipeline.evaluating.scorers import SCORERS
from pipeline.filtering import FILTERS
from pipeline.foiling import FOILING
from pipeline.sources import SOURCES
from tests.conftest import ROOT

KINDS = ["source", "foiling", "filter", "balance", "model"]


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


@pytest.mark.parametrize("registry", [SOURCES, FOILING, FILTERS, METHODS, SCORERS], ids=KINDS)
def test_everything_that_has_a_name_is_in_the_readme(registry, readme):
    assert list(registry)
    for name in registry:
        assert f"`{name}`" in readme, f"{registry.kind} {name}"
