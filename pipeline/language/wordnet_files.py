"""Puts the files of WordNet 3.0 where NLTK finds them: `python -m pipeline.language.wordnet_files`.

They come from NLTK's own server or, where that is out of reach, from Debian's packages
wordnet-base and wordnet-sense-index, installed or not. Other copies will not do: imSitu's noun
ids are places in these very files.
"""

import io
import logging
import shutil
import socket
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from pipeline.errors import InputError
from pipeline.language import lexicons

logger = logging.getLogger(__name__)

FILES = (
    "cntlist.rev",
    "index.sense",
    *(f"{kind}.{part}" for kind in ("index", "data") for part in ("adj", "adv", "noun", "verb")),
    *(f"{part}.exc" for part in ("adj", "adv", "noun", "verb")),
)
"""What the Debian packages have of the files that NLTK reads; "lexnames" comes beside them."""

PACKAGES = ("wordnet-base", "wordnet-sense-index")
_DEBIAN_FOLDER = Path("usr/share/wordnet")
_SECONDS = 120


def install(nltk_data: Path) -> str:
    """Put WordNet into `nltk_data`/corpora/wordnet, unless it is there; say where it came from.

    Raises:
        InputError: None of its sources can be had.
    """
    folder = nltk_data / "corpora" / "wordnet"
    if (folder / "lexnames").is_file():
        return "there already"
    if _from_nltk(nltk_data):
        return "NLTK's server"
    if _copy_from(Path("/") / _DEBIAN_FOLDER, folder):
        return "the Debian packages that are installed"
    if _from_debian_archive(folder):
        return "the Debian archive"
    raise InputError(
        "WordNet can be had neither from NLTK's server nor from a Debian archive",
        where=folder,
        remedy=f"Where one is in reach, install it: apt-get install {' '.join(PACKAGES)}, or: "
        "python -m nltk.downloader wordnet. Then run this again.",
    )


def _from_nltk(nltk_data: Path) -> bool:
    """Let NLTK download WordNet; whether it could."""
    import nltk

    usual = socket.getdefaulttimeout()
    socket.setdefaulttimeout(_SECONDS)
    try:
        said = io.StringIO()
        if not nltk.download("wordnet", str(nltk_data), quiet=True, print_error_to=said):
            logger.info("NLTK's server: %s", " ".join(said.getvalue().split()))
            return False
    except OSError as error:
        logger.info("NLTK's server: %s", error)
        return False
    finally:
        socket.setdefaulttimeout(usual)
    archive = nltk_data / "corpora" / "wordnet.zip"
    if archive.is_file():
        # NLTK reads it zipped too, but many times slower.
        with zipfile.ZipFile(archive) as zipped:
            zipped.extractall(archive.parent)
    return True


def _from_debian_archive(folder: Path) -> bool:
    """Download Debian's packages and take the files out of them; whether that worked."""
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        return False
    with tempfile.TemporaryDirectory() as place:
        # Package lists of our own: those of the system may be missing, and are not ours to change.
        own = [f"Dir::State::Lists={place}/lists", f"Dir::Cache={place}/cache"]
        options = [f"-o{option}" for option in (*own, "APT::Sandbox::User=", "Debug::NoLocking=1")]
        for lists in ("lists/partial", "cache/archives/partial"):
            (Path(place) / lists).mkdir(parents=True)
        commands = [
            ["apt-get", *options, "update"],
            ["apt-get", *options, "download", *PACKAGES],
            *(["sh", "-c", f"dpkg-deb --extract {package}_*.deb ."] for package in PACKAGES),
        ]
        if not all(_run(command, place) for command in commands):
            return False
        return _copy_from(Path(place) / _DEBIAN_FOLDER, folder)


def _run(command: list[str], place: str) -> bool:
    try:
        subprocess.run(command, cwd=place, check=True, capture_output=True, timeout=_SECONDS)
    except (OSError, subprocess.SubprocessError) as error:
        logger.info("%s: %s", " ".join(command), error)
        return False
    return True


def _copy_from(origin: Path, folder: Path) -> bool:
    """Copy WordNet's files, if all are there; NLTK follows no links that lead out of its folder."""
    if not all((origin / name).is_file() for name in FILES):
        return False
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        shutil.copyfile(origin / name, folder / name)
    # Written last: what is there with it is whole.
    lexnames = "\n".join(lexicons.entries("wordnet_lexnames")) + "\n"
    (folder / "lexnames").write_text(lexnames, encoding="utf-8")
    return True


def main() -> None:
    """Install for the running environment."""
    try:
        origin = install(Path(sys.prefix) / "nltk_data")
    except InputError as error:
        sys.exit(str(error))
    sys.stdout.write(f"WordNet: {origin}\n")


if __name__ == "__main__":
    main()
