"""Fixtures that several test folders use."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of published data sets beside the checkout, where there is one."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the published data sets are not beside this checkout")
    return folder
