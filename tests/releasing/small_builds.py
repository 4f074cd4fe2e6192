"""Small builds as `foils build` leaves them."""

from collections import Counter
from pathlib import Path

from pipeline.instance import (
    ImageRef,
    Instance,
    Provenance,
    Score,
    SourceRef,
    Verdict,
    find_edit,
    instance_id,
    to_table,
)
from pipeline.releasing.builds import BuildRecord, FunnelStep
from pipeline.sources.records import Reject, records_to_table
from pipeline.store import StageFolder, write_json

RECIPE = {
    "piece": "existence",
    "instrument": "existence",
    "version": 1,
    "filters": [{"name": "grammaticality", "min": 0.8}],
    "card": {"title": "Existence", "summary": "Is there one or not?", "notice": ""},
}
TEXTS = [
    ("There are no people.", "There are people."),
    ("There are dogs on the grass.", "There are no dogs on the grass."),
    ("There are no red cars.", "There are red cars."),
    ("There is a boat.", "There is no boat."),
]


def make_instance(number: int, caption: str, foil: str, instrument: str = "existence") -> Instance:
    classes = ("0",) if " no " in caption else ("1",)
    edit = find_edit(caption, foil, classes, ("1",) if classes == ("0",) else ("0",))
    source = SourceRef("visual7w", "test", str(number), f"How many of number {number}?")
    return Instance(
        id=instance_id(source, instrument, caption, foil, edit),
        piece="existence",
        instrument=instrument,
        image=ImageRef("visual7w", f"v7w_{number}.jpg", "test"),
        caption=caption,
        foil=foil,
        edit=edit,
        source=source,
        provenance=Provenance("existence", 1, 2022),
        scores=(Score("grammaticality", 0.9, "embedded"),),
        verdicts=(Verdict("identity", True),),
    )


def write_build(
    folder: Path,
    kept: list[Instance],
    rejected: list[Instance] = (),
    instrument: str = "existence",
) -> Path:
    """A build folder of two stages: `read` refused a record, `filter` rejected instances."""
    folder.mkdir(parents=True)
    read = StageFolder(folder / "read", "ab")
    read.begin()
    refused = [Reject("visual7w", "7", "How many? About 20.", "vague answer", "about")]
    total = len(kept) + len(rejected)
    read.write_shard(
        0,
        to_table([*kept, *rejected]),
        records_to_table(refused, Reject),
        entered=total + 1,
        dropped={"vague answer": 1},
    )
    chosen = StageFolder(folder / "filter", "cd")
    chosen.begin()
    chosen.write_shard(
        0,
        to_table(kept),
        to_table(rejected),
        entered=total,
        dropped=Counter(instance.rejection for instance in rejected),
    )
    results = {"read": read.finish(), "filter": chosen.finish()}
    record = BuildRecord(
        piece="existence",
        instrument=instrument,
        recipe=RECIPE | {"instrument": instrument},
        fingerprint="ef",
        sources=["visual7w"],
        stages=list(results),
        funnel=[
            FunnelStep(stage=name, entered=r.entered, kept=r.kept, dropped=r.dropped)
            for name, r in results.items()
        ],
    )
    write_json(folder / "build.json", record.model_dump(mode="json"))
    return folder
