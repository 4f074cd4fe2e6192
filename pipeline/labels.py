"""Which output of a classifier means what: read from its configuration, never assumed.

Two checkpoints for the same task may count their classes differently, and a wrong order gives
figures that look right.
"""

from __future__ import annotations

import re
from typing import Any

from pipeline.errors import InputError

_ENTAILMENT = ("entail", "neutral", "contradict")
_GENERIC = re.compile(r"LABEL_(\d+)")


def entailment_order(config: Any) -> tuple[int, int, int]:
    """The outputs of a three-way entailment classifier: entailment, neutral, contradiction.

    Names are compared without case, and by how they begin ("CONTRADICT" is contradiction).

    Args:
        config: A configuration of `transformers`; its `id2label` is read.

    Returns:
        Column numbers of the logits, each of 0 to 2 once.

    Raises:
        InputError: The labels are not these three, or have no names of their own.
    """
    names = _names(config)
    found = [
        [index for index, name in names.items() if name.lower().startswith(beginning)]
        for beginning in _ENTAILMENT
    ]
    if len(names) != 3 or any(len(indices) != 1 for indices in found):
        wanted = "entailment, neutral and contradiction"
        raise _wrong_labels(config, f"the three labels must be {wanted}", wanted)
    (entailment,), (neutral,), (contradiction,) = found
    return entailment, neutral, contradiction


def acceptable_index(config: Any) -> int:
    """The output of an acceptability classifier that means "acceptable".

    Labels without names of their own (LABEL_0, LABEL_1) are those of CoLA, the corpus that such
    classifiers are trained on (Warstadt et al., TACL 2019): 1 is acceptable. GRUEN reads them so.

    Args:
        config: A configuration of `transformers`; its `id2label` is read.

    Returns:
        The column number of the logits, 0 or 1.

    Raises:
        InputError: There are not two labels, or none of them or both are named "acceptable".
    """
    names = _names(config)
    if len(names) == 2 and all(_GENERIC.fullmatch(name) for name in names.values()):
        return 1
    found = [index for index, name in names.items() if name.lower() == "acceptable"]
    if len(names) != 2 or len(found) != 1:
        problem = "the two labels must be acceptable and unacceptable"
        raise _wrong_labels(config, problem, "acceptable and unacceptable")
    return found[0]


def _names(config: Any) -> dict[int, str]:
    return {int(index): str(name).strip() for index, name in config.id2label.items()}


def _wrong_labels(config: Any, problem: str, wanted: str) -> InputError:
    names = ", ".join(_names(config).values()) or "none"
    return InputError(
        f"{problem}, but the configuration names {names}",
        where=getattr(config, "name_or_path", ""),
        remedy=f"Look up the order in the model's card and write {wanted} into the id2label of "
        "its config.json",
    )
