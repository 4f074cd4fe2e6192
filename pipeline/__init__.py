"""Build vision-and-language foil benchmarks: source data in, scored releases out."""

from pathlib import Path

_CHECKOUT_DATA = Path(__file__).resolve().parent.parent / "data"

# A checkout and an editable install keep `data/` beside the package; a wheel carries it inside.
DATA = _CHECKOUT_DATA if _CHECKOUT_DATA.is_dir() else Path(__file__).resolve().parent / "_data"
