"""Builds in, a checked release out."""

from collections.abc import Sequence
from pathlib import Path

from prefect import flow, task
from prefect.cache_policies import NO_CACHE

from flows.progress import stage_progress
from pipeline.errors import InputError
from pipeline.releasing.verify import verify_release
from pipeline.releasing.write import write_release


@task(cache_policy=NO_CACHE)
def write(builds: Sequence[Path], to: Path, embed_images: Path | None, overwrite: bool) -> Path:
    """Write the release folder."""
    with stage_progress(f"release: write {to.name}"):
        return write_release(builds, to, embed_images=embed_images, overwrite=overwrite).path


@task(cache_policy=NO_CACHE)
def verify(release: Path) -> None:
    """Recompute every figure and checksum of a release.

    Raises:
        InputError: Something does not agree; the message holds the first finding.
    """
    with stage_progress(f"release: verify {release.name}"):
        findings = verify_release(release)
    if findings:
        more = f" ({len(findings) - 1} more)" if len(findings) > 1 else ""
        raise InputError(f"{findings[0]}{more}", remedy=f"`foils release verify {release}`")


@flow(name="release", validate_parameters=False)
def release(
    builds: Sequence[Path], to: Path, embed_images: Path | None = None, overwrite: bool = False
) -> Path:
    """Write builds as one release, and check what was written."""
    written = write(builds, to, embed_images, overwrite)
    verify(written)
    return written
