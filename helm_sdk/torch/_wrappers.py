"""Optimizers and schedulers themselves, out of the wrappers that frameworks put around them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def as_list(value: Any) -> list[Any]:
    """Return nothing, one, or several, as a list."""
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def plain_schedulers(schedulers: Any) -> list[Any]:
    """Return the schedulers themselves, out of wrappers that keep theirs as `.scheduler` (accelerate's)."""
    found = []
    for scheduler in as_list(schedulers):
        inner = scheduler
        while not hasattr(inner, "last_epoch") and hasattr(inner, "scheduler"):
            inner = inner.scheduler
        found.append(inner)
    return found


def is_scheduler(value: Any) -> bool:
    """Return True for a learning-rate scheduler, also in a wrapper (accelerate's)."""
    inner = getattr(value, "scheduler", value)
    return not hasattr(value, "param_groups") and (
        hasattr(inner, "last_epoch") or hasattr(inner, "get_last_lr")
    )


def unwrapped(optimizer: Any) -> Any:
    """Return the optimizer inside wrappers that keep theirs as `.optimizer`."""
    while not _takes_hooks(optimizer) and hasattr(optimizer, "optimizer"):
        optimizer = optimizer.optimizer
    return optimizer


def plain_optimizers(optimizers: Sequence[Any]) -> list[Any]:
    """Return the torch optimizers themselves, out of wrappers that keep theirs as `.optimizer`."""
    found = []
    for optimizer in optimizers:
        inner = unwrapped(optimizer)
        if not _takes_hooks(inner):
            raise TypeError(
                f"watch takes torch optimizers after the model, {type(optimizer).__name__} is none"
            )
        found.append(inner)
    return found


def _takes_hooks(optimizer: Any) -> bool:
    """Return True for an optimizer with step hooks: a wrapper may be an Optimizer by its class alone."""
    return hasattr(optimizer, "_optimizer_step_pre_hooks") and hasattr(optimizer, "register_step_pre_hook")
