"""The card says what the manifest says, and shows texts from strangers as they are."""

from pathlib import Path

import pytest
import yaml

from pipeline.instance import find_edit
from pipeline.releasing.credits import read_credits
from pipeline.releasing.markdown import Markdown, as_markdown, code_block, table
from pipeline.releasing.read import Release
from pipeline.releasing.write import write_release
from tests.releasing.small_builds import write_build


def front_matter(release: Release) -> dict:
    return yaml.safe_load((release.path / "README.md").read_text().split("---\n")[1])


def test_the_front_matter_is_what_hubs_read(release: Release) -> None:
    fields = front_matter(release)
    assert fields["configs"] == [
        {
            "config_name": "existence",
            "default": True,
            "data_files": [{"split": "test", "path": "existence/test-*.parquet"}],
        }
    ]
    assert fields["pretty_name"] == "Foils: Existence"
    assert fields["license"] == "mit"
    assert fields["language"] == ["en"]
    assert fields["size_categories"] == ["n<1K"]
    assert fields["annotations_creators"] == ["machine-generated"]


def test_the_card_says_how_it_was_made_and_where_records_went(release: Release) -> None:
    card = (release.path / "README.md").read_text()
    for text in (
        "## Existence",
        "Is there one or not?",
        "  min: 0.8",
        "| read | 5 | 4 | vague answer (1) |",
        "| filter | 4 | 3 | duplicates: seen before (1) |",
        "| existence | existence | 3 | 3 | 0.286 | visual7w |",
        "| Jensen-Shannon divergence of classes | 0.286 |",
        "Rejected instances: 1. Refused source records: 1.",
        "![How often captions and foils have each class](figures/existence.png)",
        "No annotator has judged these pairs.",
        "@inproceedings{zhu2016visual7w,",
        "@inproceedings{parcalabescu2022valse,",
        'load_dataset("path/to/this/folder", "existence", split="test")',
    ):
        assert text in card, text
    assert "\n\n\n" not in card


def test_embedded_pictures_need_no_adding(build: Path, pictures: Path, tmp_path: Path) -> None:
    release = write_release([build], tmp_path / "release", embed_images=pictures)
    card = (release.path / "README.md").read_text()
    assert "The column `image` holds the picture itself." in card
    assert "How to add the pictures" not in card


def test_texts_from_strangers_do_nothing_on_the_card(tmp_path: Path, instances, changed) -> None:
    caption = "There are no <script>alert(1)</script> | [x](http://evil) `---` *a*\n\n# b --- $c$"
    foil = caption.replace("no ", "")
    edit = find_edit(caption, foil, ("0",), ("1",))
    stranger = changed(instances[0], caption=caption, foil=foil, edit=edit)
    release = write_release([write_build(tmp_path / "build", [stranger])], tmp_path / "release")
    card = (release.path / "README.md").read_text()
    for dangerous in ("<script>", "http://evil", "\n# b", "$c$ |", "*a*"):
        assert dangerous not in card, dangerous
    assert r"&lt;script&gt;alert(1)&lt;/script&gt; \| \[x\](http&#58;//evil)" in card
    assert front_matter(release)["language"] == ["en"]


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("plain words, as they are.", "plain words, as they are."),
        ("a_b | c*d", r"a\_b \| c\*d"),
        ("# head", r"\# head"),
        ("- item", r"\- item"),
        ("1. item", r"1\. item"),
        ("two\nlines\x00\u202e", "two lines"),
        ("<b>&", "&lt;b&gt;&amp;"),
        ("www.a.org me@a.org :cat:", "www&#46;a.org me&#64;a.org &#58;cat:"),
        (Markdown("**kept**"), "**kept**"),
        (12, "12"),
    ],
)
def test_markup_is_escaped(text: object, escaped: str) -> None:
    assert as_markdown(text) == escaped


def test_a_fence_is_longer_than_those_inside() -> None:
    assert code_block("a\n```\nb", "yaml") == "````yaml\na\n```\nb\n````"


def test_columns_of_figures_are_set_to_the_right() -> None:
    assert table(["a", "b"], [["x", "1,200"], ["y", 3]]).splitlines() == [
        "| a | b |",
        "| --- | ---: |",
        "| x | 1,200 |",
        "| y | 3 |",
    ]


def test_every_source_has_licence_and_citation() -> None:
    known = read_credits()
    assert {"visual7w", "coco", "swig", "imsitu", "visdial", "foil-it", "valse"} <= known.keys()
    for name, credit in known.items():
        assert credit.license and credit.texts and credit.images, name
        assert credit.citation.count("{") == credit.citation.count("}"), name
        # The sample world is ours; there is nothing to cite and no other place.
        if name != "sample":
            assert credit.url and credit.citation.startswith("@"), name
