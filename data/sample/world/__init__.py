"""The sample world: scenes drawn by lot, their pictures, and texts that describe them."""
