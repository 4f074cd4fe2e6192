"""Records as VALSE publishes them, one of each kind that is written in a way of its own."""

import json
from pathlib import Path

EXISTENCE = {
    "dataset": "visual7w",
    "dataset_idx": "12",
    "image_file": "v7w_12.jpg",
    "linguistic_phenomena": "existence",
    "caption": "There are no animals.",
    "answer": 0,
    "classes": 0,
    "split": "test",
    "original_split": "test",
    "classes_foil": [1, 2, 3],
    "declarative_statement": "There are no animals.",
    "declarative_statement_foils": ["There are animals."],
    "provenance_of_foils": "zero_to_something",
    "mturk": {"foil": 0, "caption": 2, "other": 1},
    "foil": "There are animals.",
}
PLURALS = {
    "dataset": "coco2017",
    "original_split": "val",
    "dataset_idx": 295305,
    "image_file": "000000455716.jpg",
    "linguistic_phenomena": "plurals",
    "foil_method": "checklist method, change NP to PL",
    "classes": "row",
    "classes_foil": "rows",
    "grammaticality_scores": [0.8156931887710046],
    "nli_scores": {
        "entail": [0.0183],
        "neutral": [0.029],
        "contradict": [0.9527],
        "pred": ["contradict"],
    },
    "orig_caption": "A row of motorcycles.",
    "caption": "Exactly one row of motorcycles.",
    "mturk": {"foil": 0, "caption": 3, "other": 0},
    "foil": "A number of rows of motorcycles.",
}
COREFERENCE = {
    "dataset": "VisDial_v1.0",
    "original_split": "val",
    "linguistic_phenomena": "coreference",
    "image_file": "VisualDialog_val2018_000000454168.jpg",
    "only_caption": "a surfer",
    "caption": "a surfer. is this in color? yes.",
    "classes": "yes",
    "classes_foil": "no",
    "mturk": {"foil": 0, "caption": 3, "other": 0},
    "foil": "a surfer. is this in color? no.",
}
COUNTING = {
    "dataset": "visual7w",
    "dataset_idx": "1",
    "image_file": "v7w_1.jpg",
    "linguistic_phenomena": "counting",
    "caption": "There are exactly 4 cars.",
    "answer": 4,
    "classes": 4,
    "split": "test",
    "original_split": "test",
    "classes_foil": 0,
    "mturk": {"foil": 0, "caption": 2, "other": 1},
    "foil": "There are exactly 0 cars.",
}


def written(path: Path, records: dict) -> Path:
    path.write_text(json.dumps(records, indent=1))
    return path
