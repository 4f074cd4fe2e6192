"""Answers to counting questions as numbers, under the name that callers know.

The readers of sources need this too and may not import from here, so it lives beside them.
"""

from pipeline.sources.answers import parse_answer

__all__ = ["parse_answer"]
