"""The trainer: controls, schedules, captures and checkpoints of a PyTorch loop."""

from __future__ import annotations

from helm_sdk.torch._checkpoints.store import CheckpointError
from helm_sdk.torch._start import init
from helm_sdk.torch.trainer import Trainer

__all__ = ["CheckpointError", "Trainer", "init"]
