"""Models that encode images and texts apart and compare the two vectors: CLIP.

Every image and every text is encoded once, however many pairs it stands in (VALSE's 15,404 pairs
hold 6,226 images and 12,156 texts). The score is CLIP's: cosine times its learnt scale.
"""

import copy
import logging
import os
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from pipeline.errors import InputError
from pipeline.evaluating.scorers.matching import (
    Matches,
    Progress,
    ReadImage,
    Scores,
    Settings,
    report_nothing,
)
from pipeline.evaluating.scorers.preprocessing import pixels_for
from pipeline.instance import ImageRef
from pipeline.models import load, load_from
from pipeline.opening import VisionLanguageModel

logger = logging.getLogger(__name__)

_ARCHITECTURES = ("CLIPModel",)

_MOST_WORKERS = 8
"""More threads than these decode faster than any model takes images."""

_MATCHES_AT_ONCE = 65_536


class DualEncoder:
    """A CLIP checkpoint as a `Scorer`; it gives no probabilities.

    Args:
        loaded: Model, tokenizer and image processor of one checkpoint.
        name: What results call it; the checkpoint's name if not given.

    Raises:
        InputError: The checkpoint is of another architecture, or there is no such device.
    """

    gives_probabilities = False

    def __init__(
        self, loaded: VisionLanguageModel, settings: Settings, name: str | None = None
    ) -> None:
        architecture = type(loaded.model).__name__
        if architecture not in _ARCHITECTURES:
            problem = f"{architecture} is not an architecture that can be scored"
            remedy = f"Known: {', '.join(_ARCHITECTURES)}"
            raise InputError(problem, where=loaded.checkpoint.folder, remedy=remedy)
        self.name = name or loaded.checkpoint.name
        self.fingerprint = loaded.checkpoint.fingerprint
        self._loaded = loaded
        self._settings = settings
        self._device = _device(settings.device)

    @property
    def settings(self) -> Mapping[str, str | int]:
        """The precision and the kind of device: what the last digits depend on."""
        return {"precision": self._settings.precision, "device": self._device.type}

    def score(
        self, matches: Matches, read: ReadImage, progress: Progress = report_nothing
    ) -> Scores:
        """Encode all images and all texts, then take the products of those that meet, in fp32."""
        texts = self._encode_texts(matches.texts, progress)
        images, errors = self._encode_images(matches.images, read, progress)
        scale = np.float32(self._loaded.model.logit_scale.exp().item())
        values = np.empty(len(matches.text_index), dtype=np.float32)
        for start in range(0, len(values), _MATCHES_AT_ONCE):
            rows = slice(start, start + _MATCHES_AT_ONCE)
            image, text = images[matches.image_index[rows]], texts[matches.text_index[rows]]
            values[rows] = scale * np.einsum("md,md->m", image, text)
        return Scores(values, image_errors=errors)

    def _encode_texts(self, texts: Sequence[str], progress: Progress) -> np.ndarray:
        """Unit vectors of shape (texts, width).

        Texts of equal tokens (CLIP ignores case) share one vector, so that they tie exactly.
        """
        import torch

        tokens = self._tokenize(texts)
        unique = sorted(set(tokens), key=lambda ids: (len(ids), ids))
        padding = self._loaded.tokenizer.pad_token_id or 0
        vectors = np.empty((len(unique), self._width), dtype=np.float32)
        done = 0
        with self._inference():
            for batch in _batches(unique, self._settings.batch_size):
                ids = torch.full((len(batch), len(batch[-1])), padding)
                mask = torch.zeros_like(ids)
                for row, sequence in enumerate(batch):
                    ids[row, : len(sequence)] = torch.tensor(sequence)
                    mask[row, : len(sequence)] = 1
                features = self._model.get_text_features(
                    input_ids=ids.to(self._device), attention_mask=mask.to(self._device)
                )
                vectors[done : done + len(batch)] = _unit(features.pooler_output)
                done += len(batch)
                progress("texts", done, len(unique))
        place = {ids: row for row, ids in enumerate(unique)}
        return vectors[[place[ids] for ids in tokens]]

    def _tokenize(self, texts: Sequence[str]) -> list[tuple[int, ...]]:
        limit = self._loaded.model.config.text_config.max_position_embeddings
        encoded = self._loaded.tokenizer(list(texts), truncation=True, max_length=limit)
        cut = sum(bool(encoding.overflowing) for encoding in encoded.encodings)
        if cut:
            logger.warning(
                "%s: %d of %d texts are longer than its %d tokens and were cut",
                self.name,
                cut,
                len(texts),
                limit,
            )
        return [tuple(ids) for ids in encoded["input_ids"]]

    def _encode_images(
        self, images: Sequence[ImageRef], read: ReadImage, progress: Progress
    ) -> tuple[np.ndarray, dict[int, str]]:
        """Unit vectors of shape (images, width), NaN where an image failed, and why it did.

        Images are decoded by threads while the model is busy with those before them.
        """
        import torch

        to_pixels = pixels_for(self._loaded.image_processor)
        vectors = np.full((len(images), self._width), np.nan, dtype=np.float32)
        errors: dict[int, str] = {}

        def prepare(image: ImageRef) -> np.ndarray | str:
            try:
                return to_pixels(read(image))
            except InputError as error:
                return error.problem

        def good_images() -> Iterator[tuple[int, np.ndarray]]:
            ahead = 2 * self._settings.batch_size
            for place, result in enumerate(_ahead(prepare, images, self._workers, ahead)):
                if isinstance(result, str):
                    errors[place] = result
                else:
                    yield place, result

        with self._inference():
            for batch in _batches(good_images(), self._settings.batch_size):
                places = [place for place, _ in batch]
                pixels = torch.from_numpy(np.stack([pixels for _, pixels in batch]))
                features = self._model.get_image_features(pixel_values=pixels.to(self._device))
                vectors[places] = _unit(features.pooler_output)
                progress("images", places[-1] + 1, len(images))
        progress("images", len(images), len(images))
        return vectors, errors

    @cached_property
    def _model(self) -> Any:
        """The model where it runs."""
        model = self._loaded.model.to(self._device)
        in_fp32 = self._settings.precision == "fp32"
        return _by_onednn(model) if self._device.type == "cpu" and in_fp32 else model

    @property
    def _width(self) -> int:
        return self._loaded.model.config.projection_dim

    @property
    def _workers(self) -> int:
        return self._settings.workers or min(_MOST_WORKERS, os.cpu_count() or 1)

    @contextmanager
    def _inference(self) -> Iterator[None]:
        """No gradients; mixed precision if asked for, else fp32 in full on every device."""
        import torch

        with ExitStack() as stack:
            stack.enter_context(torch.inference_mode())
            if self._settings.precision == "bf16":
                stack.enter_context(torch.autocast(self._device.type, dtype=torch.bfloat16))
            elif self._device.type == "cuda":
                # Convolutions would otherwise be rounded to ten bits on the way.
                stack.enter_context(torch.backends.cudnn.flags(enabled=True, allow_tf32=False))
            yield


def mini_clip(settings: Settings) -> DualEncoder:
    """The embedded checkpoint."""
    return DualEncoder(load("clip", "embedded"), settings, "mini-clip")


def clip(settings: Settings) -> DualEncoder:
    """The checkpoint that VALSE evaluated."""
    return DualEncoder(load("clip", "paper"), settings, "clip")


def from_place(place: str, settings: Settings) -> DualEncoder:
    """The checkpoint of a folder or of a hub name."""
    return DualEncoder(load_from("clip", place), settings)


def _device(name: str) -> Any:
    """The torch device of this name; "auto" is a GPU where there is one."""
    import torch

    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        raise InputError(f"there is no device '{name}' here", remedy="Use cpu or auto") from error
    return device


def _by_onednn(model: Any) -> Any:
    """A copy that multiplies matrices by oneDNN, where torch was built with it.

    Torch takes MKL for fp32 otherwise, which does not use AVX-512 on processors that are not
    Intel's: on an AMD EPYC the copy is 1.6 times as fast for images, and twice for texts.
    """
    import torch

    with warnings.catch_warnings():
        # It is written in TorchScript, which torch advises others not to use any more.
        warnings.simplefilter("ignore", DeprecationWarning)
        from torch.utils.mkldnn import to_mkldnn
    if not torch.backends.mkldnn.is_available():
        return model
    # The conversion changes modules in place, so it gets its own; the weights need no copy.
    shared = {id(weight): weight for weight in model.parameters()}
    return to_mkldnn(copy.deepcopy(model, shared))


def _unit(features: Any) -> np.ndarray:
    """Vectors of length 1, in fp32, on the CPU."""
    import torch

    return torch.nn.functional.normalize(features.float(), dim=-1).cpu().numpy()


def _batches(items: Any, size: int) -> Iterator[list[Any]]:
    """Lists of `size` items in order, the last one perhaps shorter."""
    remaining = iter(items)
    while batch := list(islice(remaining, size)):
        yield batch


def _ahead(
    function: Callable[[Any], Any], items: Sequence[Any], workers: int, ahead: int
) -> Iterator[Any]:
    """`map` by threads, in order, at most `ahead` results before they are asked for."""
    pool = ThreadPoolExecutor(workers)
    waiting: deque[Future[Any]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(function, item))
            if len(waiting) > ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
