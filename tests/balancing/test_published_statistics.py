"""The figures of VALSE's Table 5 (# lex. it., JS, JS of the valid pairs) on the half given here."""

import json

import pytest

from pipeline.balancing.divergence import histogram, jensen_shannon

# instrument: pairs, lexical items, divergence of all pairs, of those with two or three votes for
# the caption. Computed from the files by scipy's jensenshannon(base=2), outside this project's
# code. A half has fewer pairs than the table counts, so its figures are near the table's
# for few classes, and above them for many.
DEVELOPMENT_HALF = {
    "existence": (268, 21, 0.6248425, 0.6288540),
    "counting-hard": (510, 24, 0.1028605, 0.1199572),
    "counting-small-quant": (500, 4, 0.0790925, 0.1075483),
    "counting-adversarial": (396, 24, 1.0, 1.0),
    "plurals": (514, 455, 0.7694711, 0.8068568),
    "relations": (316, 37, 0.1920106, 0.2218428),
    "action-replacement": (398, 226, 0.5477177, 0.6213585),
    "actant-swap": (515, 315, 0.7755976, 0.8010089),
    "coreference-standard": (432, 2, 0.0393275, 0.0867410),
    "coreference-hard": (66, 2, 0.1030748, 0.1997031),
    "foil-it": (461, 72, 0.4579408, 0.4589140),
}


@pytest.mark.parametrize("instrument", DEVELOPMENT_HALF)
def test_published_files_give_the_figures_of_their_development_half(shared_data, instrument):
    path = shared_data / "valse" / f"{instrument}.json"
    pairs = list(json.loads(path.read_text()).values())
    valid = [pair for pair in pairs if pair["mturk"]["caption"] >= 2]
    count, lexical_items, of_all, of_valid = DEVELOPMENT_HALF[instrument]
    assert len(pairs) == count
    captions, foils = (histogram(p[name] for p in pairs) for name in ("classes", "classes_foil"))
    assert len(captions | foils) == lexical_items
    for half, expected in ((pairs, of_all), (valid, of_valid)):
        divergence = jensen_shannon(
            [pair["classes"] for pair in half], [pair["classes_foil"] for pair in half]
        )
        assert divergence == pytest.approx(expected, abs=1e-6)
