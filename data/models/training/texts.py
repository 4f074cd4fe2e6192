"""The texts that the embedded language checkpoints learn from, read from the published files.

Everything is lower-cased and set with single spaces. No caption of COCO's val2017 is among the
training texts, so that every one of them can test the checkpoints.
"""

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path


def clean(text: str) -> str:
    """Lower case, single spaces, and no space before punctuation."""
    text = re.sub(r"\s+", " ", text.lower()).strip()
    text = re.sub(r" (?=[.,;:!?](?: |$))", "", text)
    return re.sub(r" (?='s\b|n't\b)", "", text)


def same(text: str) -> str:
    """What two texts share that differ in case, spaces and punctuation only."""
    return re.sub(r"\W+", " ", text.lower()).strip()


def coco_val2017(data: Path) -> list[tuple[int, str]]:
    """The image and the text of every caption of val2017, in file order."""
    content = json.loads((data / "coco/annotations/captions_val2017.json").read_text("utf-8"))
    return [(entry["image_id"], clean(entry["caption"])) for entry in content["annotations"]]


def captions(data: Path) -> list[str]:
    """COCO val2014, Conceptual Captions and VSR, without what val2017 says too; each text once."""
    texts = [
        *_lines(data / "coco/captions_val2014_text.txt"),
        *_lines(data / "cc3m/validation_captions.txt"),
        *(entry["caption"] for entry in _json_lines(data / "vsr/all_vsr_validated_data.jsonl")),
    ]
    return _without_tests(texts, data)


def plain_captions(data: Path) -> list[str]:
    """The captions without Conceptual Captions, whose texts are often no sentences or phrases."""
    texts = [
        *_lines(data / "coco/captions_val2014_text.txt"),
        *(entry["caption"] for entry in _json_lines(data / "vsr/all_vsr_validated_data.jsonl")),
        *(text for pair in snli(data) for text in pair[1:]),
    ]
    return _without_tests(texts, data)


def inference_sentences(data: Path) -> list[str]:
    """The sentences of SNLI's test part, Breaking NLI and MED; each once."""
    texts = [text for pair in (*snli(data), *breaking_nli(data), *med(data)) for text in pair[1:]]
    return _without_tests(texts, data)


def snli(data: Path) -> Iterator[tuple[str, str, str]]:
    """Label, premise and hypothesis of SNLI's test part."""
    with (data / "snli/snli_1.0_test.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield row[0].strip(), clean(row[1]), clean(row[2])


def breaking_nli(data: Path) -> Iterator[tuple[str, str, str]]:
    """Label, premise and hypothesis of Breaking NLI."""
    for entry in _json_lines(data / "breaking_nli/dataset.jsonl"):
        yield entry["gold_label"], clean(entry["sentence1"]), clean(entry["sentence2"])


def med(data: Path) -> Iterator[tuple[str, str, str]]:
    """Label, premise and hypothesis of MED."""
    with (data / "med/MED.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield row["gold_label"], clean(row["sentence1"]), clean(row["sentence2"])


def blimp(data: Path) -> Iterator[tuple[str, str, str]]:
    """Paradigm, acceptable and unacceptable sentence of BLiMP."""
    for entry in _json_lines(data / "blimp/blimp.jsonl"):
        yield entry["UID"], clean(entry["sentence_good"]), clean(entry["sentence_bad"])


def _without_tests(texts: list[str], data: Path) -> list[str]:
    kept_for_tests = {same(text) for _, text in coco_val2017(data)}
    once = {same(text): clean(text) for text in texts if text.strip()}
    return [text for key, text in once.items() if key not in kept_for_tests]


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _json_lines(path: Path) -> Iterator[dict]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)
