"""Fixtures that several test folders use."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of published data sets beside the checkout, where there is one."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the published data sets are not beside this checkout")
    return folder


@pytest.fixture(scope="session")
def readme() -> str:
    """The README's text."""
    return (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def wordnet_installed() -> None:
    """WordNet; where neither NLTK's server nor a Debian archive was in reach, there is none."""
    from pipeline.errors import InputError
    from pipeline.language import wordnet

    try:
        wordnet.synsets("dog", "n")
    except InputError as error:
        pytest.skip(str(error))
