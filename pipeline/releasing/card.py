"""The dataset card of a release: everything on it follows from the manifest and some pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.instance import Instance
from pipeline.releasing.credits import VALSE, Credit, credits_of
from pipeline.releasing.manifest import InstrumentEntry, Manifest
from pipeline.releasing.markdown import Markdown, as_markdown, code_block, table

EXAMPLES = 5
"""How many pairs the card shows per instrument, the first of the file."""

_CLASSES_SHOWN = 20
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


@dataclass(frozen=True, slots=True)
class _Section:
    """What the card says about one instrument."""

    name: str
    title: str
    summary: str
    notice: str
    examples: Markdown
    recipe: Markdown
    funnel: Markdown
    rejected: str
    refused: str
    statistics: Markdown
    classes: Markdown


def render_card(manifest: Manifest, examples: Mapping[str, Sequence[Instance]]) -> str:
    """The text of `README.md`, with the front matter that dataset hubs read.

    Args:
        manifest: The release's manifest; its list of files is not used.
        examples: Instrument -> the pairs to show.
    """
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("pipeline.releasing", "."),
        finalize=as_markdown,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    entries = manifest.instruments
    used = [name for entry in entries for name in entry.sources]
    if any(entry.imported_from for entry in entries):
        used.insert(0, VALSE)
    credited, cited = credits_of(used), credits_of([VALSE, *used])
    return environment.get_template("card.md.jinja").render(
        manifest=manifest,
        front_matter=Markdown(f"---\n{_front_matter(entries, credited)}---"),
        title=_title(entries),
        overview=_overview(entries),
        loading=_loading(entries[0].name),
        imported=all(entry.imported_from for entry in entries),
        embedded=all(entry.images_embedded for entry in entries),
        adding_images=_adding_images(entries[0].name),
        sections=[_section(entry, examples[entry.name]) for entry in entries],
        licences=table(
            ["source", "texts", "images", "address"],
            [
                [credit.title, credit.texts, credit.images, Markdown(f"<{credit.url}>")]
                if credit.url
                else [credit.title, credit.texts, credit.images, "not recorded"]
                for credit in credited
            ],
        ),
        citations=code_block(
            "\n\n".join(credit.citation for credit in cited if credit.citation), "bibtex"
        ),
    )


def _front_matter(entries: Sequence[InstrumentEntry], credited: Sequence[Credit]) -> str:
    import yaml

    licenses = sorted({credit.license for credit in credited})
    total = sum(entry.count for entry in entries)
    judged = any(entry.votes for entry in entries)
    fields = {
        "pretty_name": _title(entries),
        "language": ["en"],
        "license": licenses[0] if len(licenses) == 1 else licenses,
        "annotations_creators": ["crowdsourced" if judged else "machine-generated"],
        "multilinguality": ["monolingual"],
        "source_datasets": ["extended"],
        "task_categories": ["image-text-to-text", "zero-shot-image-classification"],
        "size_categories": [next((name for limit, name in _SIZES if total < limit), "n>1M")],
        "tags": [
            *("vision-and-language", "image-text-matching", "foils", "benchmark", "VALSE"),
            *sorted({entry.piece for entry in entries}),
        ],
        "configs": [
            {"config_name": entry.name}
            | ({"default": True} if place == 0 else {})
            | {"data_files": [{"split": "test", "path": f"{entry.name}/test-*.parquet"}]}
            for place, entry in enumerate(entries)
        ],
    }
    return yaml.safe_dump(fields, sort_keys=False, allow_unicode=True, width=1000)


def _title(entries: Sequence[InstrumentEntry]) -> str:
    names = [_card_text(entry, "title") or entry.name for entry in entries]
    return f"Foils: {' · '.join(names) if len(names) <= 4 else f'{len(names)} instruments'}"


def _card_text(entry: InstrumentEntry, name: str) -> str:
    card = entry.recipe.get("card")
    return str(card.get(name, "")) if isinstance(card, dict) else ""


def _overview(entries: Sequence[InstrumentEntry]) -> Markdown:
    rows = [
        [
            *(entry.name, entry.piece, f"{entry.count:,}", f"{entry.statistics.images:,}"),
            *(_figure(entry.statistics.class_divergence), ", ".join(entry.sources)),
        ]
        for entry in entries
    ]
    return table(["instrument", "piece", "pairs", "images", "class divergence", "sources"], rows)


def _loading(first: str) -> Markdown:
    return code_block(
        "from datasets import load_dataset\n\n"
        f'pairs = load_dataset("path/to/this/folder", "{first}", split="test")',
        "python",
    )


def _adding_images(first: str) -> Markdown:
    return code_block(
        "from datasets import Image, load_dataset\n\n"
        f'pairs = load_dataset("path/to/this/folder", "{first}", split="test")\n'
        'files = [f"path/to/the/images/{name}" for name in pairs["image_file"]]\n'
        'pairs = pairs.add_column("image", files).cast_column("image", Image())',
        "python",
    )


def _section(entry: InstrumentEntry, examples: Sequence[Instance]) -> _Section:
    import yaml

    recipe = {name: value for name, value in entry.recipe.items() if name != "card"}
    text = yaml.safe_dump(recipe, sort_keys=False, allow_unicode=True, width=1000)
    return _Section(
        name=entry.name,
        title=_card_text(entry, "title") or entry.name,
        summary=_card_text(entry, "summary"),
        notice=_notice(entry),
        examples=table(
            ["caption", "foil", "image"],
            [[i.caption, i.foil, f"{i.image.dataset}: {i.image.file_name}"] for i in examples],
        ),
        recipe=code_block(text, "yaml") if recipe else Markdown(),
        funnel=_funnel(entry) if entry.funnel else Markdown(),
        rejected=f"{entry.rejected_instances:,}",
        refused=f"{entry.refused_sources:,}",
        statistics=_statistics(entry),
        classes=_classes(entry),
    )


def _notice(entry: InstrumentEntry) -> str:
    notices = [_card_text(entry, "notice")]
    if entry.imported_from:
        notices.append(f"Imported from {entry.imported_from} as it was published.")
    if entry.same_texts:
        notices.append(f"Pairs whose caption and foil are the same text: {entry.same_texts}.")
    if entry.votes is None:
        notices.append("No annotator has judged these pairs.")
    return " ".join(notice for notice in notices if notice)


def _funnel(entry: InstrumentEntry) -> Markdown:
    rows = []
    for step in entry.funnel:
        ranked = sorted(step.dropped.items(), key=lambda item: (-item[1], item[0]))
        dropped = "; ".join(f"{reason} ({count:,})" for reason, count in ranked)
        rows.append([step.stage, f"{step.entered:,}", f"{step.kept:,}", dropped or "nothing"])
    return table(["step", "entered", "kept", "dropped"], rows)


def _statistics(entry: InstrumentEntry) -> Markdown:
    figures = entry.statistics
    rows: list[list[Any]] = [
        ["pairs", f"{figures.instances:,}"],
        ["different images", f"{figures.images:,}"],
        ["lexical items (different classes)", f"{figures.lexical_items:,}"],
        ["Jensen-Shannon divergence of classes", _figure(figures.class_divergence)],
        ["Jensen-Shannon divergence of words", _figure(figures.word_divergence)],
        ["different words in captions", f"{figures.caption_words:,}"],
        ["different words in foils", f"{figures.foil_words:,}"],
        ["words per caption", f"{figures.caption_length:.2f}"],
        ["words per foil", f"{figures.foil_length:.2f}"],
        *([name, f"{100 * share:.1f} %"] for name, share in figures.directions.items()),
    ]
    if entry.votes:
        rows += [
            ["pairs judged by annotators", f"{entry.votes.judged:,}"],
            ["valid pairs (at least two for the caption)", f"{entry.votes.valid:,}"],
            ["unanimous pairs (three for the caption)", f"{entry.votes.unanimous:,}"],
            [
                "Jensen-Shannon divergence of classes, valid pairs",
                _figure(entry.votes.valid_class_divergence),
            ],
        ]
    return table(["figure", "value"], rows)


def _classes(entry: InstrumentEntry) -> Markdown:
    captions, foils = entry.statistics.caption_classes, entry.statistics.foil_classes
    both = {name: captions.get(name, 0) + foils.get(name, 0) for name in {**captions, **foils}}
    shown = sorted(both, key=lambda name: (-both[name], name))[:_CLASSES_SHOWN]
    rows = [[name, f"{captions.get(name, 0):,}", f"{foils.get(name, 0):,}"] for name in shown]
    return table(["most frequent classes", "captions", "foils"], rows)


def _figure(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
