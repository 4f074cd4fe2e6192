"""Pixels as a model wants them, bit for bit those of its own image processor, in less time."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from PIL.Image import Image

ToPixels = Callable[["Image"], np.ndarray]
"""Turns an RGB image into float32 of shape (3, height, width)."""


def pixels_for(processor: Any) -> ToPixels:
    """The function that does what an image processor of `transformers` does, for one image.

    CLIP's steps (resize by the shorter edge, crop the centre, rescale, normalise) are done here:
    the last two map each of 256 values to another, which a table does at once. Any other
    processor is called itself.
    """
    if not _takes_clips_steps(processor):
        return lambda image: np.asarray(
            processor(image, return_tensors="np")["pixel_values"][0], dtype=np.float32
        )
    edge, resample = processor.size["shortest_edge"], processor.resample
    crop = (processor.crop_size["height"], processor.crop_size["width"])
    table = _value_table(processor)

    def pixels(image: "Image") -> np.ndarray:
        return _look_up(_resize_and_crop(image, edge, crop, resample), table)

    return pixels


def _takes_clips_steps(processor: Any) -> bool:
    steps = ("do_resize", "do_center_crop", "do_rescale", "do_normalize")
    size, crop = getattr(processor, "size", None), getattr(processor, "crop_size", None)
    return (
        type(processor).__name__ == "CLIPImageProcessorPil"
        and all(getattr(processor, step, False) for step in steps)
        and not getattr(processor, "do_pad", False)
        and size is not None
        and bool(size["shortest_edge"])
        and not size["longest_edge"]
        and crop is not None
        and max(crop["height"], crop["width"]) <= size["shortest_edge"]
    )


def _value_table(processor: Any) -> np.ndarray:
    """What each value of 0-255 becomes in each channel, of shape (3, 256).

    The widths of the numbers are those of `transformers.image_transforms`, so that the last digit
    comes out the same.
    """
    values = (np.arange(256, dtype=np.float64) * processor.rescale_factor).astype(np.float32)
    mean = np.broadcast_to(np.asarray(processor.image_mean, dtype=np.float32), 3)
    deviation = np.broadcast_to(np.asarray(processor.image_std, dtype=np.float32), 3)
    return (values - mean[:, None]) / deviation[:, None]


def _resize_and_crop(image: "Image", edge: int, crop: tuple[int, int], resample: int) -> np.ndarray:
    """The centre of the image, resized so that its shorter edge is `edge`; uint8 (h, w, 3)."""
    short, long = min(image.size), max(image.size)
    # Truncated, not rounded: the crop would move by half a pixel.
    longer = int(edge * long / short)
    resized = (edge, longer) if image.width <= image.height else (longer, edge)
    if image.size != resized:
        image = image.resize(resized, resample=resample)
    left, top = (resized[0] - crop[1]) // 2, (resized[1] - crop[0]) // 2
    return np.asarray(image.crop((left, top, left + crop[1], top + crop[0])))


def _look_up(values: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Replace uint8 of shape (h, w, 3) by the table's entries, as float32 of shape (3, h, w)."""
    pixels = np.empty((3, *values.shape[:2]), dtype=np.float32)
    for channel in range(3):
        np.take(table[channel], values[:, :, channel], out=pixels[channel], mode="clip")
    return pixels
