"""A small build, and a release of it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from small_builds import TEXTS, make_instance, write_build

from pipeline.instance import Instance, Verdict, instance_id
from pipeline.releasing.read import Release
from pipeline.releasing.write import write_release


@pytest.fixture
def instances() -> list[Instance]:
    return [make_instance(number, *texts) for number, texts in enumerate(TEXTS)]


@pytest.fixture
def build(tmp_path: Path, instances: list[Instance]) -> Path:
    return write_build(
        tmp_path / "builds" / "existence",
        instances[:3],
        [instances[3].judged(Verdict("duplicates", False, "seen before"))],
    )


@pytest.fixture
def release(build: Path, tmp_path: Path) -> Release:
    return write_release([build], tmp_path / "release")


@pytest.fixture
def pictures(tmp_path: Path, instances: list[Instance]) -> Path:
    from PIL import Image

    folder = tmp_path / "pictures"
    folder.mkdir()
    for place, instance in enumerate(instances):
        picture = Image.new("RGB", (8, 6), (40 * place, 90, 20))
        picture.save(folder / instance.image.file_name)
    return folder


@pytest.fixture
def changed() -> Callable[..., Instance]:
    """A function that changes fields of an instance and gives it the id that then is right."""

    def change(instance: Instance, **fields) -> Instance:
        new = replace(instance, **fields)
        name = instance_id(new.source, new.instrument, new.caption, new.foil, new.edit)
        return replace(new, id=name)

    return change
