"""A small build, and a release of it."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.instance import Instance, Verdict, instance_id
from pipeline.releasing.read import Release, open_release
from pipeline.releasing.write import write_release
from tests.releasing.small_builds import TEXTS, make_instance, write_build


@pytest.fixture
def instances() -> list[Instance]:
    return [make_instance(number, *texts) for number, texts in enumerate(TEXTS)]


def _write(folder: Path) -> Path:
    instances = [make_instance(number, *texts) for number, texts in enumerate(TEXTS)]
    rejected = instances[3].judged(Verdict("duplicates", False, "seen before"))
    return write_build(folder / "builds" / "existence", instances[:3], [rejected])


@pytest.fixture
def build(tmp_path: Path) -> Path:
    return _write(tmp_path)


@pytest.fixture(scope="session")
def written_release(tmp_path_factory) -> Path:
    """A release to copy: drawing its figures takes the most of a test's time."""
    folder = tmp_path_factory.mktemp("written")
    return write_release([_write(folder)], folder / "release").path


@pytest.fixture
def release(written_release: Path, tmp_path: Path) -> Release:
    return open_release(shutil.copytree(written_release, tmp_path / "release"))


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
