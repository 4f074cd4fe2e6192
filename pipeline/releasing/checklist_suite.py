"""Pairs as a test suite of CheckList (Ribeiro et al., ACL 2020), run by CheckList's own runner.

An example is a tuple of an image's file name and a text. A model answers each with a prediction,
which no test looks at, and a confidence: how well the two match, on any scale, or an array whose
last entry is that.

The minimum functionality test asks whether the caption matches better than the foil. Directional
expectation tests ask the same of one kind of change at a time: from the denial to the affirmation,
from "on" to "under". The invariance test asks whether a full stop and the case of the first letter
change what the model prefers.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipeline import store
from pipeline.balancing.directions import direction_shares
from pipeline.checklist_import import import_checklist
from pipeline.errors import InputError
from pipeline.instance import Instance

Example = tuple[str, str]

# CheckList's own names of capabilities (its section 3), by piece; some instruments differ.
_CAPABILITIES = {
    "existence": "Negation",
    "plurality": "Vocabulary",
    "counting": "Logic",
    "relations": "Vocabulary",
    "actions": "Vocabulary",
    "actant-swap": "SRL",
    "coreference": "Coref",
    "nouns": "Taxonomy",
}
_OTHERWISE = "Vocabulary"
_ENOUGH = 20
"""Pairs that a kind of change needs, to have a test of its own."""


def checklist_suite(pairs: Mapping[str, Sequence[Instance]]) -> Any:
    """A `checklist.test_suite.TestSuite` of the pairs of each instrument.

    Raises:
        InputError: CheckList is not installed.
    """
    types, expect = import_checklist("test_types"), import_checklist("expect").Expect
    suite = import_checklist("test_suite").TestSuite()
    above, below, same = _expectations()
    for instrument, instances in pairs.items():
        capability = _capability(instances[0])
        suite.add(
            types.MFT(
                [[_example(i, i.caption), _example(i, i.foil)] for i in instances],
                expect=expect.testcase(above),
            ),
            name=f"{instrument}: the caption matches better than the foil",
            capability=capability,
            description="The caption is true of the image; the foil, which differs in one word or "
            "phrase, is not.",
        )
        for kind, changed in _kinds(instances).items():
            suite.add(
                types.DIR(
                    [[_example(i, i.caption), _example(i, i.foil)] for i in changed],
                    expect=expect.testcase(below),
                ),
                name=f"{instrument}, {kind}: the foil matches less",
                capability=capability,
                description="The caption, then its foil.",
            )
        suite.add(
            types.INV(
                [
                    [_example(i, text) for text in (i.caption, _retyped(i.caption), i.foil)]
                    for i in instances
                ],
                expect=expect.testcase(same),
            ),
            name=f"{instrument}: a full stop and a capital do not change the preference",
            capability="Robustness",
            description="The caption, the same typed differently, and the foil: both captions "
            "match better than the foil, or neither does.",
        )
    return suite


def write_suite(pairs: Mapping[str, Sequence[Instance]], to: Path) -> Path:
    """Write the suite, and beside it its examples as text, one a line, for models run elsewhere.

    The suite is a pickle, CheckList's own format. Loading a pickle runs what is in it, so load
    only suites that you made yourself.

    Returns:
        The file of the examples, with the ending .tsv: image and text, parted by a tab. Answers in
        the same order go into the suite by its `run_from_file`.

    Raises:
        InputError: CheckList is not installed, or one of the files is there already.
    """
    examples = to.with_suffix(".tsv")
    for path in (to, examples):
        if path.exists():
            raise InputError("is there already", where=path, remedy="Choose another --to.")
    suite = checklist_suite(pairs)
    # Also notes in the suite which lines belong to which test.
    lines = suite.get_raw_examples(file_format="tsv")
    to.parent.mkdir(parents=True, exist_ok=True)
    unfinished = to.with_name(f".{to.name}.unfinished")
    suite.save(str(unfinished))
    unfinished.replace(to)
    store.write_text(examples, "\n".join(lines) + "\n")
    return examples


def _example(instance: Instance, text: str) -> Example:
    return instance.image.file_name, text


def _capability(instance: Instance) -> str:
    known = (_CAPABILITIES.get(name) for name in (instance.instrument, instance.piece))
    return next((capability for capability in known if capability), _OTHERWISE)


def _kinds(instances: Sequence[Instance]) -> dict[str, list[Instance]]:
    """The pairs by what changes in them; kinds with few pairs are left out."""
    kinds: dict[str, list[Instance]] = {}
    for instance in instances:
        kinds.setdefault(_kind(instance), []).append(instance)
    return {kind: changed for kind, changed in sorted(kinds.items()) if len(changed) >= _ENOUGH}


def _kind(instance: Instance) -> str:
    direction = next(iter(direction_shares([instance])), "")
    edit = instance.edit
    return direction or f"{', '.join(edit.classes)} -> {', '.join(edit.classes_foil)}"


def _retyped(caption: str) -> str:
    """The caption with or without a full stop, and its first letter in the other case."""
    first = caption[:1]
    turned = first.lower() if first.isupper() else first.upper()
    text = turned + caption[1:]
    return text.removesuffix(".").rstrip() if text.endswith(".") else f"{text}."


def _expectations() -> tuple[Any, Any, Any]:
    """What each type of test expects: one truth value for each example of a test case.

    They are local functions, which are stored whole in the suite; of others only the name would
    be, and it could not be loaded where this project is not installed.
    """

    def match(confidence: Any) -> float:
        return float(np.ravel(confidence)[-1])

    def above(xs: Any, preds: Any, confs: Any, labels: Any = None, meta: Any = None) -> Any:
        return np.full(2, match(confs[0]) > match(confs[1]))

    def below(xs: Any, preds: Any, confs: Any, labels: Any = None, meta: Any = None) -> Any:
        return np.array([True, match(confs[1]) < match(confs[0])])

    def same(xs: Any, preds: Any, confs: Any, labels: Any = None, meta: Any = None) -> Any:
        caption, retyped, foil = (match(confidence) for confidence in confs)
        return np.array([True, (caption > foil) == (retyped > foil), True])

    return above, below, same
