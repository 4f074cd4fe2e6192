"""Texts from strangers in Markdown: shown as they are, never read as markup."""

import re
from typing import Any

# Whatever starts markup in CommonMark, GitHub's tables and strikethrough, or mathematics.
_MARKUP = re.compile(r"([\\`*_{}\[\]#|~$!^=])")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;"}
# Addresses become links, and ":smile:" a picture, on many sites.
_COLON = re.compile(r":(?=\S)")
_LEADING = re.compile(r"^([-+]|\d+[.)])(?=\s|$)")


class Markdown(str):
    """Text that is Markdown already and goes into a page unchanged."""

    __slots__ = ()


def as_markdown(value: Any) -> Markdown:
    """The text of a value on one line, with all that Markdown or HTML would read escaped."""
    if isinstance(value, Markdown):
        return value
    text = " ".join("".join(c if c.isprintable() else " " for c in str(value)).split())
    text = _MARKUP.sub(r"\\\1", text)
    text = "".join(_ENTITIES.get(character, character) for character in text)
    text = _COLON.sub("&#58;", text).replace("www.", "www&#46;")
    text = _LEADING.sub(lambda match: f"{match[1][:-1]}\\{match[1][-1]}", text)
    return Markdown(text)


def code_block(text: str, language: str = "") -> Markdown:
    """A fenced block whose fence is longer than any in the text."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return Markdown(f"{fence}{language}\n{text.rstrip()}\n{fence}")


def table(head: list[str], rows: list[list[Any]]) -> Markdown:
    """A table; numbers are set to the right."""
    numeric = [bool(rows) and all(_is_figure(row[i]) for row in rows) for i in range(len(head))]
    rule = ["---:" if right else "---" for right in numeric]
    lines: list[list[str]] = [[as_markdown(cell) for cell in row] for row in (head, *rows)]
    lines.insert(1, rule)
    return Markdown("\n".join(f"| {' | '.join(line)} |" for line in lines))


def _is_figure(value: Any) -> bool:
    return isinstance(value, int | float) or bool(re.fullmatch(r"[\d.,]+ ?%?", str(value)))
