"""What the commands share: options, and Prefect's environment while a flow runs."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

CORES = os.cpu_count() or 1
HELP = {"help_option_names": ["-h", "--help"]}

Verbose = Annotated[bool, typer.Option("--verbose", help="Show what Prefect logs.")]
Workers = Annotated[
    int, typer.Option(min=1, help="How many processes; the result does not depend on it.")
]


@contextmanager
def running_prefect(verbose: bool) -> Iterator[None]:
    """Prefect's environment, with its temporary server stopped in the end."""
    from flows.environment import prepare_environment, temporary_server

    prepare_environment(verbose)
    print("Starting Prefect ...", file=sys.stderr)
    with temporary_server():
        yield
