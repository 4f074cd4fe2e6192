import io
import random
from xml.etree import ElementTree

import matplotlib as mpl
import pytest
from PIL import Image

from pipeline.balancing.figures import draw_frequencies
from tests.balancing.candidates import candidate

PAIRS = [candidate(str(n), str(n % 5), str((n + 1) % 7)) for n in range(40)]


def test_the_same_instances_give_the_same_bytes_in_any_order():
    shuffled = random.Random(1).sample(PAIRS, len(PAIRS))
    assert draw_frequencies(PAIRS, title="Counting") == draw_frequencies(shuffled, title="Counting")


def test_both_forms_can_be_opened():
    drawing = draw_frequencies(PAIRS)
    assert Image.open(io.BytesIO(drawing.png)).size[0] > 600
    assert ElementTree.fromstring(drawing.svg).tag.endswith("svg")


def test_settings_of_the_process_stay_as_they_were():
    with mpl.rc_context({"font.size": 31, "svg.hashsalt": "mine"}):
        theirs = draw_frequencies(PAIRS)
        assert (mpl.rcParams["font.size"], mpl.rcParams["svg.hashsalt"]) == (31, "mine")
    assert theirs == draw_frequencies(PAIRS)


@pytest.mark.parametrize(
    "name", ["$x^2$", "$\\frac{1}", "two\nlines", "\x00\x1b", "-->", "狗", "_" * 300, "<b>&", ""]
)
def test_texts_of_strangers_are_drawn_as_they_are(name):
    drawing = draw_frequencies([candidate("1", name, "in", piece="relations")], title=name)
    ElementTree.fromstring(drawing.svg)


def test_many_classes_stand_in_columns():
    pairs = [candidate(str(n), f"word {n}", f"word {n + 1}", piece="nouns") for n in range(60)]
    wide = Image.open(io.BytesIO(draw_frequencies(pairs, top=60).png))
    narrow = Image.open(io.BytesIO(draw_frequencies(pairs, top=10).png))
    assert wide.width > narrow.width
    assert wide.height < 3 * narrow.height


@pytest.mark.parametrize("by", ["classes", "words"])
def test_no_instances_give_a_figure_all_the_same(by):
    assert draw_frequencies([], by=by).png.startswith(b"\x89PNG")
