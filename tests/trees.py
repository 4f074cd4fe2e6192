"""Parsed texts that are built by hand."""

import spacy
from spacy.tokens import Doc

VOCABULARY = spacy.blank("en").vocab


def parsed(tree: str) -> Doc:
    """Build a document from words "text/tag/label/head", heads counted from zero."""
    words = [word.rsplit("/", 3) for word in tree.split()]
    return Doc(
        VOCABULARY,
        words=[text for text, *_ in words],
        tags=[tag for _, tag, *_ in words],
        deps=[label for *_, label, _ in words],
        heads=[int(head) for *_, head in words],
    )
