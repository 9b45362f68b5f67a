"""A trainer and a line to it, in this process, for one test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

import helm_sdk.torch as helm
from helpers.steering import Line


@contextmanager
def steered(project: str = "cases", **init: Any) -> Iterator[tuple[helm.Trainer, Line]]:
    """A run with its trainer, and somebody who can send; finished at the end."""
    torch.set_num_threads(1)
    trainer = helm.init(project, **init)
    try:
        with Line(trainer.run) as line:
            yield trainer, line
    finally:
        trainer.finish()
