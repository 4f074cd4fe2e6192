"""How well models tell captions from foils: scores per pair, metrics, tables and a report."""
