"""How a pipeline of spaCy is opened, for trees and, with coreferee, for chains of coreference."""

from __future__ import annotations

from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.checkpoints import Checkpoint
from pipeline.errors import InputError

if TYPE_CHECKING:
    from spacy.language import Language


def open_parser(checkpoint: Checkpoint) -> Language:
    """Open a spaCy pipeline and check that it does what rewriting needs.

    Raises:
        InputError: The folder holds no spaCy pipeline, or one without tagger, parser or lemmatizer.
    """
    import spacy

    folder = checkpoint.folder
    # Names, which only coreferee looks at, would take a third of the time.
    unused = ["senter"] if checkpoint.coreferee else ["ner", "senter"]
    remedy = "give the folder of an English spaCy pipeline, such as en_core_web_md"
    if not (folder / "meta.json").is_file():
        raise InputError("there is no spaCy pipeline here", where=folder, remedy=remedy)
    try:
        nlp = spacy.load(folder, exclude=unused)
    except (OSError, ValueError) as error:
        problem = f"the spaCy pipeline cannot be opened: {error}"
        raise InputError(problem, where=folder, remedy=remedy) from error
    missing = [name for name in ("tagger", "parser", "lemmatizer") if not nlp.has_pipe(name)]
    if missing:
        problem = f"the spaCy pipeline has no {' and no '.join(missing)}"
        raise InputError(problem, where=folder, remedy=remedy)
    _multiply_with_numpy(nlp)
    if checkpoint.coreferee:
        _add_coreferee(nlp, folder)
    return nlp


def _add_coreferee(nlp: Language, folder: Path) -> None:
    """Add coreferee's component, whose chains then stand in `doc._.coref_chains`."""
    import coreferee  # noqa: F401  (registers the component)

    try:
        # It prints what it raises.
        with redirect_stdout(StringIO()):
            nlp.add_pipe("coreferee")
    except Exception as error:
        # Its errors have no common class.
        problem = " ".join(f"coreferee cannot be added ({error})".split())
        remedy = (
            "`python -m coreferee install en` installs its English model; it knows en_core_web_sm, "
            "_md, _lg and _trf of spaCy 3.4 to 3.8, and no other pipeline"
        )
        raise InputError(problem, where=folder, remedy=remedy) from error


def _multiply_with_numpy(nlp: Language) -> None:
    """Let numpy's matrix product run the networks: up to three times as fast as thinc's default."""
    from thinc.api import NumpyOps

    for _, pipe in nlp.pipeline:
        model = getattr(pipe, "model", None)
        for node in model.walk() if model is not None else ():
            if type(node.ops) is NumpyOps:
                node.ops = NumpyOps(use_blis=False)
