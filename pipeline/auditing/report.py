"""Blind checks as a file to keep: JSON for programs, or one HTML page."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from pipeline import store
from pipeline.auditing.blind import BlindCheck
from pipeline.errors import InputError

Checks = Mapping[str, BlindCheck | None]


def write_audit(checks: Checks, to: Path) -> None:
    """Write checks by instrument, as the ending of the file's name says.

    Raises:
        InputError: The name ends neither in .json nor in .html.
    """
    content = {
        name: {"blind_check": asdict(check) if check else None} for name, check in checks.items()
    }
    if to.suffix == ".json":
        store.write_text(to, json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    else:
        store.write_text(to, _page(checks))


def require_writable(to: Path) -> None:
    """Check before anything is computed that the file can be written.

    Raises:
        InputError: It is there already, or its name ends neither in .json nor in .html.
    """
    if to.suffix not in (".json", ".html"):
        raise InputError("ends neither in .html nor in .json", where=to)
    if to.exists():
        raise InputError("is there already", where=to, remedy="Choose another --to.")


def _page(checks: Checks) -> str:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,  # words come from source files
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("audit.html.jinja").render(checks=checks)
