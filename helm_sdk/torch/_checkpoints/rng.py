"""The state of every random generator in reach: Python's, NumPy's if it is loaded, torch's, each device's."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch


def capture() -> dict[str, Any]:
    """Return every generator's state; tensors are copies on the host."""
    state: dict[str, Any] = {"python": random.getstate(), "torch": torch.get_rng_state()}
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        kind, keys, position, has_gauss, gauss = numpy.random.get_state()
        state["numpy"] = (kind, torch.from_numpy(keys.astype("int64")), position, has_gauss, gauss)
    if torch.cuda.is_available() and torch.cuda.is_initialized():
        state["cuda"] = torch.cuda.get_rng_state_all()
    return state


def restore(state: dict[str, Any]) -> None:
    """Put every generator back; a device that is not there any more is left out."""
    version, internal, gauss = state["python"]
    random.setstate((version, tuple(internal), gauss))
    torch.set_rng_state(state["torch"])
    if "numpy" in state:
        import numpy

        kind, keys, *rest = state["numpy"]
        numpy.random.set_state((kind, keys.numpy().astype("uint32"), *rest))
    for device, generator in enumerate(state.get("cuda", ())):
        if device < torch.cuda.device_count():
            torch.cuda.set_rng_state(generator, device)


@contextmanager
def preserved() -> Iterator[None]:
    """Whatever is drawn inside leaves the training's own numbers as they would have been."""
    state = capture()
    try:
        yield
    finally:
        restore(state)
