"""A build that is killed goes on, and ends with the same bytes."""

import os
import signal
import subprocess
import sys
import time

import pytest

from pipeline import DATA
from tests.flows.folders import bytes_below

SOURCE = DATA / "sample" / "visual7w" / "dataset_v7w_telling.json"


def start(out):
    # One shard holds 100 records here, so that there is something to go on with.
    code = (
        "import sys, pipeline.sources.stage as stage; stage.SHARD = 100; "
        "from flows.cli import main; main()"
    )
    arguments = ["build", "existence", "--source", SOURCE, "--out", out, "--workers", "1"]
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def finish(out):
    process = start(out)
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors.decode()


@pytest.mark.parametrize("stage", ["read/part-00000", "foil/part-00002", "balance/part-00000"])
def test_a_build_killed_in_a_stage_ends_with_the_bytes_of_an_undisturbed_one(
    stage, tmp_path, undisturbed
):
    process = start(tmp_path)
    deadline = time.monotonic() + 120
    while not (tmp_path / "existence" / f"{stage}.parquet").exists():
        assert process.poll() is None, process.stderr.read().decode()
        assert time.monotonic() < deadline
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not (tmp_path / "existence" / "build.json").exists()
    finish(tmp_path)
    assert bytes_below(tmp_path) == undisturbed


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    finish(folder)
    return bytes_below(folder)
