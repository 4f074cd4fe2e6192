"""Prefect's environment: ours where the user has said nothing, and no server left behind."""

import json
import os
import subprocess
import sys
import time

import pytest

from flows.environment import prepare_environment, temporary_server


class _Server:
    """Prefect's temporary server, without a server."""

    server_process = None

    def start(self):
        self.server_process = sleeper("prefect.server")

    def stop(self):
        self.server_process.kill()
        self.server_process.wait()


@pytest.fixture(autouse=True)
def server(monkeypatch):
    server = _Server()
    monkeypatch.setattr("prefect.server.api.server.SubprocessASGIServer", lambda: server)
    return server


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path / "prefect"))
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    return tmp_path / "prefect"


def sleeper(*arguments):
    code = "import time; print(flush=True); time.sleep(60)"
    process = subprocess.Popen([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE)
    # Its command line can be read only once it runs.
    process.stdout.readline()
    return process


def leave_note(home, server, run):
    note = home / "temporary_servers" / f"server-of-{run}.json"
    note.parent.mkdir(parents=True)
    note.write_text(json.dumps({"server": server, "run": run}))
    return note


def test_what_the_user_has_set_stays(home, monkeypatch):
    monkeypatch.setenv("PREFECT_LOGGING_LEVEL", "DEBUG")
    monkeypatch.delenv("DO_NOT_TRACK", raising=False)
    prepare_environment()
    assert os.environ["PREFECT_LOGGING_LEVEL"] == "DEBUG"
    assert os.environ["DO_NOT_TRACK"] == "1"
    assert home.is_dir()


def test_a_run_writes_down_its_server_and_forgets_it_in_the_end(home, server):
    note = home / "temporary_servers" / f"server-of-{os.getpid()}.json"
    with temporary_server():
        deadline = time.monotonic() + 10
        while not note.exists():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert server.server_process.poll() is None
    assert server.server_process.poll() is not None
    assert not note.exists()


def test_the_server_of_a_killed_run_is_stopped(home):
    run = sleeper()
    run.kill()
    run.wait()
    server = sleeper("prefect.server")
    note = leave_note(home, server.pid, run.pid)
    with temporary_server():
        assert server.wait(timeout=10) != 0
        assert not note.exists()


@pytest.mark.parametrize(
    ("server", "run"),
    [(("prefect.server",), ("foils",)), (("another program",), ("gone",))],
    ids=["the run goes on", "the number was given to another program"],
)
def test_a_process_that_is_not_an_orphan_is_left_alone(home, server, run):
    processes = [sleeper(*server), sleeper(*run)]
    leave_note(home, *(process.pid for process in processes))
    with temporary_server():
        assert processes[0].poll() is None
    for process in processes:
        process.kill()
        process.wait()
