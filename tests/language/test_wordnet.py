import subprocess

import pytest

from pipeline.errors import InputError
from pipeline.language import wordnet, wordnet_files
from pipeline.language.wordnet import (
    are_antonyms,
    count,
    is_animal,
    is_below,
    is_person,
    kind,
    noun,
    related,
    synsets,
)

uses_wordnet = pytest.mark.usefixtures("wordnet_installed")


@uses_wordnet
@pytest.mark.parametrize(
    ("verb", "other", "relation"),
    [
        ("phone", "telephone", "synonym"),
        ("walk", "walk", "synonym"),
        ("walk", "move", "hypernym"),
        ("move", "walk", "hyponym"),
        ("walk", "swim", None),
        ("push", "pull", None),
        # Only in its second sense, "be in charge of", is to "run" to "direct".
        ("run", "direct", "hypernym"),
        # "walk" - "travel" - "swim": siblings are unlike enough.
        ("jog", "sprint", None),
        ("zzz", "walk", None),
    ],
)
def test_verbs_are_related_in_any_of_their_senses(verb, other, relation):
    assert related(verb, other) == relation


@uses_wordnet
def test_antonyms_are_known_both_ways():
    assert are_antonyms("push", "pull")
    assert are_antonyms("pull", "push")
    assert not are_antonyms("push", "press")


@uses_wordnet
def test_base_form_is_not_stemmed():
    assert all("found" in synset.lemma_names() for synset in synsets("found", "v"))
    assert not synsets("walked", "v")


@uses_wordnet
@pytest.mark.parametrize(
    ("noun_id", "expected"),
    [
        ("n10287213", "person"),  # man
        ("n07942152", "person"),  # people
        ("n08208560", "person"),  # team
        ("n08276720", "other"),  # school, the institution
        ("n02084071", "animal"),  # dog
        ("n05564590", "body part"),  # hand
        ("n03544360", "place"),  # house
        ("n07697100", "thing"),  # hamburger
        ("n07007945", "other"),  # opera
        ("n99999999", "other"),
        ("", "other"),
    ],
)
def test_nouns_have_kinds(noun_id, expected):
    assert kind(noun_id) == expected
    assert is_person(noun_id) == (expected == "person")
    assert is_animal(noun_id) == (expected == "animal")


@uses_wordnet
def test_sense_that_is_no_thing_gives_way_to_the_usual_one():
    assert noun("n00814665").name() == "scissors.n.02"
    assert kind("n00814665") == "thing"


@uses_wordnet
def test_noun_ids_are_places_in_wordnet():
    assert noun("n10287213").name() == "man.n.01"
    assert noun("n10287214") is None
    assert count("n10287213", "man") > count("n10287213", "adult male") == 0
    assert is_below("n07697100", "food.n.01")
    assert not is_below("n10287213", "food.n.01")


@uses_wordnet
def test_nouns_of_imsitu_are_wordnets(shared_data):
    from pipeline.sources.swig import read

    fillers = {
        filler
        for split in ("train", "dev", "test")
        for frame in read(shared_data / "imsitu" / f"{split}.json")
        for role in frame.roles
        for filler in role.fillers
        if filler.id
    }
    for filler in fillers:
        words = [name.replace("_", " ") for name in noun(filler.id).lemma_names()]
        assert set(filler.words) <= set(words)


def test_missing_wordnet_is_one_clear_line(monkeypatch):
    import nltk

    monkeypatch.setattr(nltk.data, "path", [])
    absent = nltk.corpus.LazyCorpusLoader("wordnet", nltk.corpus.WordNetCorpusReader, None)
    monkeypatch.setattr(nltk.corpus, "wordnet", absent)
    with pytest.raises(InputError, match=r"WordNet is not installed\. Run `make setup`"):
        wordnet._wordnet.__wrapped__()


@pytest.fixture
def packages(tmp_path):
    """A folder like the one that Debian's packages install."""
    folder = tmp_path / "usr" / "share" / "wordnet"
    folder.mkdir(parents=True)
    for name in wordnet_files.FILES:
        (folder / name).write_text(name)
    return folder


def test_files_are_copied_from_installed_packages(packages, tmp_path, monkeypatch):
    monkeypatch.setattr(wordnet_files, "_from_nltk", lambda folder: False)
    monkeypatch.setattr(wordnet_files, "_DEBIAN_FOLDER", packages)
    data = tmp_path / "nltk_data"
    assert "installed" in wordnet_files.install(data)
    copied = data / "corpora" / "wordnet"
    assert sorted(path.name for path in copied.iterdir()) == sorted(
        [*wordnet_files.FILES, "lexnames"]
    )
    assert (copied / "lexnames").read_text().splitlines()[0] == "00\tadj.all\t3"
    assert len((copied / "lexnames").read_text().splitlines()) == 45
    assert wordnet_files.install(data) == "there already"


def test_what_to_install_is_said_where_nothing_is_in_reach(tmp_path, monkeypatch):
    def fails(command, **_):
        raise subprocess.CalledProcessError(100, command)

    monkeypatch.setattr(wordnet_files, "_from_nltk", lambda folder: False)
    monkeypatch.setattr(wordnet_files, "_DEBIAN_FOLDER", tmp_path)
    monkeypatch.setattr(subprocess, "run", fails)
    with pytest.raises(InputError, match="apt-get install wordnet-base wordnet-sense-index"):
        wordnet_files.install(tmp_path / "nltk_data")
