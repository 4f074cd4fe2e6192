"""Parsed captions: tags, morphology, lemmas and dependencies in the scheme of en_core_web_md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline import DATA
from pipeline.errors import InputError

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

EMBEDDED_PARSER = DATA / "models" / "parser" / "pipeline"

_BATCH_SIZE = 256


def parse(texts: Iterable[str], *, batch_size: int = _BATCH_SIZE) -> Iterator[Doc]:
    """Yield one parsed document per text, in order; the texts are read as they are needed.

    The trees do not depend on the batch size.

    Raises:
        InputError: There is no parser where the project keeps it.
    """
    yield from open_parser(EMBEDDED_PARSER).pipe(texts, batch_size=batch_size)


@cache
def open_parser(folder: Path) -> Language:
    """Open a spaCy pipeline and check that it does what rewriting needs.

    Raises:
        InputError: The folder holds no spaCy pipeline, or one without tagger, parser or lemmatizer.
    """
    import spacy

    remedy = "give the folder of an English spaCy pipeline, such as en_core_web_md"
    if not (folder / "meta.json").is_file():
        raise InputError("there is no spaCy pipeline here", where=folder, remedy=remedy)
    try:
        nlp = spacy.load(folder, exclude=["ner", "senter"])
    except (OSError, ValueError) as error:
        problem = f"the spaCy pipeline cannot be opened: {error}"
        raise InputError(problem, where=folder, remedy=remedy) from error
    missing = [name for name in ("tagger", "parser", "lemmatizer") if not nlp.has_pipe(name)]
    if missing:
        problem = f"the spaCy pipeline has no {' and no '.join(missing)}"
        raise InputError(problem, where=folder, remedy=remedy)
    _multiply_with_numpy(nlp)
    return nlp


def _multiply_with_numpy(nlp: Language) -> None:
    """Let numpy's matrix product run the networks: up to three times as fast as thinc's default."""
    from thinc.api import NumpyOps

    for _, pipe in nlp.pipeline:
        model = getattr(pipe, "model", None)
        for node in model.walk() if model is not None else ():
            if type(node.ops) is NumpyOps:
                node.ops = NumpyOps(use_blis=False)
