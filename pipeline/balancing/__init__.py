"""Making captions and foils alike in distribution, and showing how alike they are."""
