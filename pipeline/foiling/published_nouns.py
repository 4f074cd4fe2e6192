"""Nouns as FOIL-it foiled them (Shekhar et al., ACL 2017), with the captions they were made of.

A foil stays as published but for its articles: "a airplane", which stands in foils only, would
give it away.
"""

import re
from collections.abc import Iterator
from random import Random

from pipeline.errors import Refusal
from pipeline.foiling.nouns import replace_noun
from pipeline.foiling.target import Target, instance_of
from pipeline.instance import Instance, find_edit
from pipeline.language.coco_objects import namings, vocabulary
from pipeline.sources.records import FoiledCaption

VERSION = 1

_WORD = re.compile(r"\w+|[^\w\s]")


def published_nouns(pair: FoiledCaption, rng: Random, target: Target) -> Iterator[Instance]:
    """Yield the instance of a caption and its published foil.

    Raises:
        Refusal: "part of a name" where the foil changes half of a name to something that is none
            ("cell laptop", "fire bench").
    """
    edit = find_edit(pair.caption, pair.foil)
    name = pair.foil[edit.foil_start : edit.foil_end]
    _refuse_half_names(pair.caption, edit.caption_start, edit.caption_end, name)
    yield instance_of(
        target,
        pair,
        pair.caption,
        replace_noun(pair.caption, edit.caption_start, edit.caption_end, name),
        classes=(pair.target.lower(),),
        classes_foil=(pair.replacement.lower(),),
        function="published_nouns",
        version=VERSION,
    )


def _refuse_half_names(caption: str, start: int, end: int, name: str) -> None:
    found = list(_WORD.finditer(caption))
    for naming in namings([word[0].lower() for word in found]):
        first, last = found[naming.start].start(), found[naming.end - 1].end()
        if first <= start and end <= last and (first, last) != (start, end):
            changed = f"{caption[first:start]}{name}{caption[end:last]}"
            if tuple(changed.lower().split()) not in vocabulary().names:
                raise Refusal("part of a name", f"{caption[first:last]} -> {changed}")
