"""Settings that let Prefect run from one command: no server to set up, nothing asked of outside."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_DEFAULTS = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    # A loaded machine needs longer than Prefect's 20 seconds to start its temporary server.
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "180",
    # The temporary server prints a long traceback when it is stopped; its work is done by then.
    "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
    # The command line reports errors itself, on one line.
    "PREFECT_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_TO_API_ENABLED": "false",
}


def prepare_environment(verbose: bool = False) -> None:
    """Set Prefect's environment where the user has not; call it before Prefect is imported.

    Args:
        verbose: Let Prefect log what it does.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    os.environ.setdefault("PREFECT_HOME", str(cache / "valse-foils" / "prefect"))
    # Prefect makes the folder but not those above it.
    Path(os.environ["PREFECT_HOME"]).mkdir(parents=True, exist_ok=True)
    if verbose:
        os.environ.setdefault("PREFECT_LOGGING_LEVEL", "INFO")
    for name, value in _DEFAULTS.items():
        os.environ.setdefault(name, value)


@contextmanager
def temporary_server() -> Iterator[None]:
    """Start a Prefect server for this run, and stop it in the end.

    A run that is killed cannot stop its server, so each run writes down which process serves it,
    and stops those that killed runs left behind. Does nothing where the user names a server of
    their own by PREFECT_API_URL.
    """
    if os.environ.get("PREFECT_API_URL"):
        yield
        return
    for note in _notes().glob("server-of-*.json"):
        _stop_orphan(note)
    from prefect.server.api.server import SubprocessASGIServer

    # Prefect's flows use the server that this singleton has started.
    server = SubprocessASGIServer()
    over = threading.Event()
    noting = threading.Thread(target=_note_server, args=(server, over), daemon=True)
    noting.start()
    try:
        server.start()
        yield
    finally:
        over.set()
        noting.join()
        server.stop()
        _note_of(os.getpid()).unlink(missing_ok=True)


def _note_server(server: Any, over: threading.Event) -> None:
    """Write down the server's process as soon as there is one; it is ready only seconds later."""
    while server.server_process is None:
        if over.wait(0.02):
            return
    note = _note_of(os.getpid())
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text(json.dumps({"server": server.server_process.pid, "run": os.getpid()}))


def _notes() -> Path:
    return Path(os.environ["PREFECT_HOME"]) / "temporary_servers"


def _note_of(run: int) -> Path:
    return _notes() / f"server-of-{run}.json"


def _stop_orphan(note: Path) -> None:
    try:
        pids = json.loads(note.read_text())
        server, run = int(pids["server"]), int(pids["run"])
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        # The run was killed before its note was whole.
        return
    if "flows" in _command_of(run) or "foils" in _command_of(run):
        return
    if "prefect.server" in _command_of(server):
        os.kill(server, signal.SIGTERM)
    note.unlink(missing_ok=True)


def _command_of(pid: int) -> str:
    """The command line of a running process; empty if there is none."""
    if sys.platform == "linux":
        try:
            return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
        except OSError:
            return ""
    listed = subprocess.run(
        ["ps", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return listed.stdout
