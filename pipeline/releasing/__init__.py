"""From finished builds to a release that anybody can open, and VALSE's own JSON in and out."""
