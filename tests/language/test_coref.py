"""Chains of coreference: by the rules on the embedded parser's trees, and from coreferee."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
import spacy
from spacy.tokens import Doc

from pipeline.language.coref import Chain, Mention, chains_of, resolve

CASES = json.loads((Path(__file__).parents[1] / "cases" / "coreference.json").read_text())["chains"]


def shown(doc, chains):
    return [
        [" ".join(doc[token].text for token in mention.tokens) for mention in chain.mentions]
        for chain in chains
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"])
def test_mentions_of_the_same_thing_make_a_chain(case):
    ((doc, chains),) = resolve([case["text"]])
    assert shown(doc, chains) == case["chains"], case["why"]


def test_chains_do_not_depend_on_the_batch():
    texts = [case["text"] for case in CASES]
    by_one = [chains for _, chains in resolve(texts, batch_size=1)]
    assert by_one == [chains for _, chains in resolve(texts)]


def test_a_mention_stands_in_one_chain_only_unless_it_is_also_coordinated():
    for _, chains in resolve(case["text"] for case in CASES):
        mentions = [mention for chain in chains for mention in chain.mentions]
        assert len(mentions) == len(set(mentions))
        assert all(len(chain.mentions) > 1 for chain in chains)


@dataclass
class CorefereeMention:
    """What coreferee calls a mention."""

    token_indexes: list[int]


class CorefereeChain(list):
    """What coreferee calls a chain: it can be gone through, and knows its mentions."""

    @property
    def mentions(self):
        return list(self)


@pytest.fixture
def extension():
    """The extension that coreferee registers."""
    Doc.set_extension("coref_chains", default=None, force=True)
    yield
    Doc.remove_extension("coref_chains")


def test_chains_of_coreferee_are_taken_as_they_are(extension):
    words = ["He", "and", "she", "left", "with", "their", "dog", "and", "it", "barked"]
    doc = Doc(spacy.blank("en").vocab, words=words)
    doc._.coref_chains = [
        CorefereeChain([CorefereeMention([6]), CorefereeMention([8])]),
        CorefereeChain([CorefereeMention([2, 0]), CorefereeMention([5])]),
    ]
    assert chains_of(doc) == [
        Chain((Mention((0, 2)), Mention((5,)))),
        Chain((Mention((6,)), Mention((8,)))),
    ]


def test_a_document_made_without_coreferee_gets_the_chains_of_the_rules(extension):
    ((doc, chains),) = resolve(["A dog with its owner."])
    assert doc._.coref_chains is None
    assert shown(doc, chains) == [["dog", "its"]]
