import json
import random
from dataclasses import replace

import numpy as np
import pytest

from pipeline.auditing import blind_check, write_audit
from pipeline.auditing.groups import related
from pipeline.errors import InputError
from pipeline.instance import Votes
from pipeline.releasing.pairs import read_pairs
from tests.filtering.pairs import pair

NOUNS = ["dog", "cat", "bus", "bird", "boat", "chair", "horse", "plane", "girl", "man"]
PLACES = ["street", "beach", "table", "roof", "field", "lawn", "sofa", "bridge", "lake", "bed"]


def pairs(caption_word: str, foil_word: str, seed: int = 0, mirrored: bool = False):
    """A hundred pairs, of which every second is the other way round where `mirrored`."""
    made = []
    texts = [f"A {noun} {{}} the {place}" for noun in NOUNS for place in PLACES]
    random.Random(seed).shuffle(texts)
    for number, text in enumerate(texts):
        words = [caption_word, foil_word]
        if mirrored and number % 2:
            words.reverse()
        caption, foil = (text.format(word) for word in words)
        made.append(pair(str(number), caption, foil, f"{number}.jpg"))
    return made


def test_a_word_that_only_foils_have_gives_them_away():
    check = blind_check(pairs("on", "under"))
    assert (check.pairs, check.images, check.groups) == (100, 100, 100)
    assert check.accuracy == 1.0
    assert check.interval == (1.0, 1.0)
    captions = [t for t in check.telling if t.weight > 0]
    assert [(t.captions, t.foils) for t in captions if t.words in ("on", "on the")] == [
        (100, 0),
        (100, 0),
    ]
    assert {t.words for t in check.telling if t.weight < 0} >= {"under", "under the"}


def test_the_control_is_chance_even_where_the_words_tell_all():
    check = blind_check(pairs("on", "under"))
    low, high = check.control_interval
    assert low <= 0.5 <= high
    assert high - low < 0.2


def test_words_that_are_on_both_sides_equally_often_tell_nothing():
    assert blind_check(pairs("on", "under", mirrored=True)).accuracy < 0.6


def test_upper_case_and_marks_are_seen():
    given = [replace(p, foil=p.caption.lower() + " .") for p in pairs("on", "on")]
    assert blind_check(given).accuracy == 1.0


def test_equal_texts_are_ties_and_never_right():
    check = blind_check(pairs("on", "on"))
    assert (check.accuracy, check.ties, check.control) == (0.0, 1.0, 0.5)
    assert check.telling == ()


def test_the_answer_depends_on_the_seed_alone():
    given = pairs("on", "under", mirrored=True)
    assert blind_check(given, seed=3) == blind_check(given, seed=3)
    assert blind_check(given, seed=3) != blind_check(given, seed=4)


def test_pairs_are_related_by_image_by_any_text_and_through_others():
    given = [
        pair("a", "A dog.", "A cat.", "1.jpg"),
        pair("b", "A bus.", "A car.", "1.jpg"),
        pair("c", "a  car", "A boat.", "2.jpg"),
        pair("d", "A bird.", "A plane.", "3.jpg"),
    ]
    groups = related(given)
    assert len(np.unique(groups)) == 2
    assert groups[0] == groups[1] == groups[2] != groups[3]


def test_related_pairs_are_never_both_learnt_and_asked():
    # Each text is on the right side in its group; in any other group it is not there.
    rng = random.Random(0)
    given = []
    for group in range(60):
        right, wrong = f"word{group}a", f"word{group}b"
        for copy in range(3):
            texts = (f"{right} {copy}", f"{wrong} {copy}")
            given.append(pair(f"{group}-{copy}", *texts, image=f"{group}.jpg"))
    rng.shuffle(given)
    assert blind_check(given).accuracy < 0.6


def test_nothing_is_said_where_all_pairs_are_related():
    assert blind_check([pair("a", "A dog.", "A cat."), pair("b", "A bus.", "A car.")]) is None
    assert blind_check([pair("a", "A dog.", "A cat.")]) is None


def test_pairs_are_read_from_valses_files_where_annotators_confirmed_them(tmp_path, shared_data):
    path = shared_data / "valse/existence.json"
    confirmed, every = read_pairs([path]), read_pairs([path], unconfirmed=True)
    assert list(confirmed) == ["existence"]
    assert len(confirmed["existence"]) < len(every["existence"])
    assert all(p.votes.caption >= 2 for p in confirmed["existence"])
    assert set(read_pairs([path, path])) == {f"existence ({path})"}


def test_a_published_instrument_is_as_easy_as_measured(shared_data):
    check = blind_check(read_pairs([shared_data / "valse/existence.json"])["existence"])
    assert 0.75 < check.accuracy < 0.87
    assert 0.45 < check.control < 0.55


def test_what_cannot_be_read_is_named(tmp_path):
    with pytest.raises(InputError, match="no such folder"):
        read_pairs([tmp_path / "nowhere"])


def test_pairs_without_votes_are_all_taken(monkeypatch, tmp_path):
    given = [pair("a", "A.", "B."), replace(pair("b", "A.", "C."), votes=Votes(1, 2))]
    monkeypatch.setattr("pipeline.releasing.pairs._instruments", lambda path: {"x": given})
    assert read_pairs([tmp_path]) == {"x": given[:1]}
    assert read_pairs([tmp_path], unconfirmed=True) == {"x": given}


def test_words_of_the_source_are_escaped_on_the_page(tmp_path):
    given = [replace(p, foil=f"{p.foil} <b>") for p in pairs("on", "on")]
    write_audit({"spatial": blind_check(given), "one": None}, tmp_path / "audit.html")
    page = (tmp_path / "audit.html").read_text(encoding="utf-8")
    assert "&lt;" in page
    assert "<b>" not in page
    assert "all pairs are related" in page


def test_json_holds_the_same_figures(tmp_path):
    check = blind_check(pairs("on", "under"))
    write_audit({"spatial": check}, tmp_path / "audit.json")
    read = json.loads((tmp_path / "audit.json").read_text(encoding="utf-8"))
    assert read["spatial"]["blind_check"]["accuracy"] == check.accuracy
    assert read["spatial"]["blind_check"]["telling"][0]["words"] == check.telling[0].words
