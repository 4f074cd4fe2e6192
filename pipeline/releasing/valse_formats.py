"""How VALSE's published files spell instruments, fields and data sets (their oddities included)."""

from dataclasses import dataclass

_COUNTING = (
    "dataset dataset_idx image_file linguistic_phenomena caption answer classes split "
    "original_split classes_foil"
)
_COREFERENCE = (
    "dataset original_split linguistic_phenomena image_file only_caption caption classes "
    "classes_foil mturk foil"
)
_GENERAL = (
    "dataset original_split dataset_idx linguistic_phenomena foil_method image_file caption "
    "classes classes_foil grammaticality_scores nli_scores mturk foil"
)


@dataclass(frozen=True, slots=True)
class RecordFormat:
    """How VALSE writes the records of one instrument.

    Attributes:
        file: Stem of the published file.
        piece: Our name of the piece.
        layout: The published field names, separated by spaces, in the published order.
        method_field: The field that names the foiling function.
        coco: How this file spells the data set COCO.
        nli_order: In which order `nli_scores` has its parts.
    """

    file: str
    piece: str
    layout: str = _GENERAL
    method_field: str = "foil_method"
    coco: str = "coco_2017"
    nli_order: tuple[str, ...] = ("entail", "neutral", "contradict")

    @property
    def fields(self) -> tuple[str, ...]:
        """The published field names in the published order."""
        return tuple(self.layout.split())


FORMATS: dict[str, RecordFormat] = {
    "existence": RecordFormat(
        "existence",
        "existence",
        f"{_COUNTING} declarative_statement declarative_statement_foils provenance_of_foils "
        "mturk foil",
    ),
    "counting-balanced": RecordFormat("counting-hard", "counting", f"{_COUNTING} mturk foil"),
    "counting-adversarial": RecordFormat(
        "counting-adversarial", "counting", f"{_COUNTING} mturk foil"
    ),
    "counting-small": RecordFormat("counting-small-quant", "counting", f"{_COUNTING} mturk foil"),
    "plurality": RecordFormat(
        "plurals",
        "plurality",
        "dataset original_split dataset_idx image_file linguistic_phenomena foil_method classes "
        "classes_foil grammaticality_scores nli_scores orig_caption caption mturk foil",
        coco="coco2017",
    ),
    "relations": RecordFormat(
        "relations",
        "relations",
        "dataset original_split dataset_idx image_file linguistic_phenomena foil_method caption "
        "classes classes_foil grammaticality_scores nli_scores key mturk foil",
        nli_order=("entail", "contradict", "neutral"),
    ),
    "action-replacement": RecordFormat(
        "action-replacement",
        "actions",
        "dataset original_split dataset_idx linguistic_phenomena foiling_method image_file "
        "caption classes classes_foil nli_scores mturk foil",
        method_field="foiling_method",
    ),
    "actant-swap": RecordFormat(
        "actant-swap",
        "actions",
        "dataset original_split dataset_idx linguistic_phenomena image_file caption classes "
        "classes_foil mturk foil",
    ),
    "coreference-standard": RecordFormat("coreference-standard", "coreference", _COREFERENCE),
    "coreference-hard": RecordFormat("coreference-hard", "coreference", _COREFERENCE),
    "foil-it": RecordFormat(
        "foil-it",
        "nouns",
        "dataset dataset_idx original_split linguistic_phenomena image_file caption classes "
        "classes_foil mturk foil",
    ),
}

# Where VALSE calls a piece otherwise than we do.
PHENOMENA = {"plurality": "plurals", "nouns": "noun phrases"}

OUR_DATASETS = {
    "coco2017": "coco",
    "coco_2017": "coco",
    "SWiG": "swig",
    "VisDial_v1.0": "visdial",
    "FOIL dataset": "foil-it",
}
PUBLISHED_DATASETS = {ours: theirs for theirs, ours in OUR_DATASETS.items()}
# Data sets whose records VALSE names by an integer.
NUMBERED_DATASETS = frozenset({"coco", "foil-it"})


def format_of(instrument: str, piece: str) -> RecordFormat:
    """How records of this instrument are written; VALSE's common fields for one it never had."""
    return FORMATS.get(instrument) or RecordFormat(instrument, piece)
