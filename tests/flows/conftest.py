"""One Prefect server and one small source for all tests of flows."""

import json
import socket

import pytest

from flows.environment import prepare_environment
from pipeline import DATA

SAMPLE = DATA / "sample"


@pytest.fixture(scope="session", autouse=True)
def prefect_server(tmp_path_factory):
    """A Prefect server for flows in this process and in others; starting one takes ten seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PREFECT_HOME", str(tmp_path_factory.mktemp("prefect")))
        prepare_environment()
        from prefect.server.api.server import SubprocessASGIServer
        from prefect.settings import PREFECT_API_URL, temporary_settings

        # With a port of its own it is not the server that the code under test starts and stops.
        server = SubprocessASGIServer(port=_free_port())
        server.start(timeout=180)
        patch.setenv("PREFECT_API_URL", server.api_url)
        with temporary_settings({PREFECT_API_URL: server.api_url}):
            yield
        server.stop()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="session")
def small_source(tmp_path_factory):
    """The questions of the sample's first sixty pictures, in the official format."""
    content = json.loads((SAMPLE / "visual7w" / "dataset_v7w_telling.json").read_text())
    content["images"] = content["images"][:60]
    path = tmp_path_factory.mktemp("source") / "dataset_v7w_telling.json"
    path.write_text(json.dumps(content))
    return path
