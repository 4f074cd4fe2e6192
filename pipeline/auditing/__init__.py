"""What tells captions from foils without looking at the image."""
