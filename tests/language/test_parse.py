"""The embedded parser: what rewriting relies on."""

import json

import pytest

from pipeline.errors import InputError
from pipeline.language.parse import parse
from pipeline.models import load_from


def one(text: str):
    """Parse one text."""
    return next(parse([text]))


def test_tags_finite_verbs_of_captions():
    texts = [
        "A man sits on a bench.",
        "a woman laughs at a dog",
        "A TRAIN TRAVELS DOWN THE TRACKS.",
        "Two giraffes graze in a field.",
    ]
    verbs = [
        [(token.text, token.tag_) for token in doc if token.dep_ == "ROOT"] for doc in parse(texts)
    ]
    assert verbs == [
        [("sits", "VBZ")],
        [("laughs", "VBZ")],
        [("TRAVELS", "VBZ")],
        [("graze", "VBP")],
    ]


def test_uses_the_labels_of_spacys_english_models():
    doc = one("The dogs that are on the bed were given food by a man.")
    labels = {token.text: token.dep_ for token in doc}
    assert labels["that"] == "nsubj"
    assert labels["are"] == "relcl"
    assert labels["on"] == "prep"
    assert labels["bed"] == "pobj"
    assert labels["were"] == "auxpass"
    assert labels["by"] == "agent"


def test_gives_noun_chunks_and_sentences():
    doc = one("A man is riding a horse. Two dogs run beside it.")
    assert [chunk.text for chunk in doc.noun_chunks] == ["A man", "a horse", "Two dogs", "it"]
    assert len(list(doc.sents)) == 2


@pytest.mark.parametrize(
    ("text", "word", "lemma"),
    [
        ("Two women are sitting.", "women", "woman"),
        ("Two women are sitting.", "are", "be"),
        ("Two women are sitting.", "sitting", "sit"),
        ("A man carries boxes.", "carries", "carry"),
        ("The grass is green.", "grass", "grass"),
    ],
)
def test_gives_lemmas(text, word, lemma):
    assert {token.text: token.lemma_ for token in one(text)}[word] == lemma


def test_trees_do_not_depend_on_the_batch_size(shared_data):
    path = shared_data / "coco" / "captions_val2014_text.txt"
    with path.open(encoding="utf-8") as lines:
        texts = [next(lines).strip() for _ in range(300)]
    expected, *others = (
        [json.dumps(doc.to_json()) for doc in parse(texts, batch_size=size)] for size in (256, 1, 7)
    )
    assert all(other == expected for other in others)


def test_refuses_a_folder_without_a_pipeline(tmp_path):
    with pytest.raises(InputError, match="no checkpoint"):
        load_from("parser", str(tmp_path))


def test_refuses_a_pipeline_without_parser(tmp_path):
    import spacy

    spacy.blank("en").to_disk(tmp_path)
    with pytest.raises(InputError, match="no tagger and no parser and no lemmatizer"):
        load_from("parser", str(tmp_path))
