"""What `tr.watch` sets up: which controls a loop gets, each tied to what it changes."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Any

DEFAULT = ("lr", "weight_decay", "grad_clip", "checkpoint", "pause", "resume", "dropout")
KNOWN = (*DEFAULT, "stop", "eval")


def chosen(names: Iterable[str] | None, has_eval: bool) -> list[str]:
    """The controls to declare. Raises ValueError for a name that no control has."""
    if isinstance(names, str):
        raise ValueError(f'controls is a list of names, such as ["{names}"]')
    wanted = list(dict.fromkeys(DEFAULT if names is None else names))
    for name in wanted:
        if name not in KNOWN:
            raise ValueError(f"unknown control {name!r}{_guess(name)}; the controls are {', '.join(KNOWN)}")
        if name == "eval" and not has_eval:
            raise ValueError("the control eval needs an eval_fn")
    if has_eval and "eval" not in wanted:
        wanted.append("eval")
    return wanted


def _guess(name: str) -> str:
    near = difflib.get_close_matches(str(name), KNOWN, n=1)
    return f", did you mean {near[0]!r}?" if near else ""


def as_list(value: Any) -> list[Any]:
    """Nothing, one, or several, as a list."""
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def plain_schedulers(schedulers: Any) -> list[Any]:
    """The schedulers themselves, out of wrappers that keep theirs as `.scheduler` (accelerate's)."""
    found = []
    for scheduler in as_list(schedulers):
        inner = scheduler
        while not hasattr(inner, "last_epoch") and hasattr(inner, "scheduler"):
            inner = inner.scheduler
        found.append(inner)
    return found


def unwrapped(optimizer: Any) -> Any:
    """The optimizer inside wrappers that keep theirs as `.optimizer`."""
    while not _takes_hooks(optimizer) and hasattr(optimizer, "optimizer"):
        optimizer = optimizer.optimizer
    return optimizer


def plain_optimizers(optimizers: Sequence[Any]) -> list[Any]:
    """The torch optimizers themselves, out of wrappers that keep theirs as `.optimizer`."""
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
    """A wrapper may be an Optimizer by its class alone (accelerate's), without hooks of its own."""
    return hasattr(optimizer, "_optimizer_step_pre_hooks") and hasattr(optimizer, "register_step_pre_hook")
