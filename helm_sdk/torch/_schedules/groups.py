"""Parameter groups of all optimizers in one flat order, with the names that streams and commands use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

Number = float | torch.Tensor


@dataclass(frozen=True, slots=True)
class ParameterGroup:
    """One parameter group. `label` is "group1", or "adamw/group1" where there are several optimizers."""

    optimizer: torch.optim.Optimizer
    number: int  # of the optimizer
    index: int  # within the optimizer
    label: str

    @property
    def options(self) -> dict[str, Any]:
        """The optimizer's own dictionary of this group, never a copy."""
        options: dict[str, Any] = self.optimizer.param_groups[self.index]
        return options


def optimizer_names(optimizers: Sequence[torch.optim.Optimizer]) -> list[str]:
    """Return a short name for each: its class in small letters, numbered where a class comes twice."""
    names = [type(optimizer).__name__.lower() for optimizer in optimizers]
    counts = Counter(names)
    seen: Counter[str] = Counter()
    unique = []
    for name in names:
        unique.append(f"{name}{seen[name]}" if counts[name] > 1 else name)
        seen[name] += 1
    return unique


def groups_of(optimizers: Sequence[torch.optim.Optimizer]) -> list[ParameterGroup]:
    """Return every group, the first optimizer's first."""
    several = len(optimizers) > 1
    return [
        ParameterGroup(optimizer, number, index, f"{name}/group{index}" if several else f"group{index}")
        for number, (optimizer, name) in enumerate(zip(optimizers, optimizer_names(optimizers), strict=True))
        for index in range(len(optimizer.param_groups))
    ]


def plain(value: Number) -> float:
    """Return a rate as a float; waits for the device when it lives on one."""
    return float(value.detach().item()) if isinstance(value, torch.Tensor) else float(value)


def observed(value: Number) -> Number:
    """Return a rate as it is now, without waiting for a device: a float, or a copy of the tensor there."""
    if not isinstance(value, torch.Tensor):
        return float(value)
    if value.device.type == "cpu":
        return float(value.detach().item())
    return value.detach().clone()


def set_value(options: dict[str, Any], key: str, value: float) -> None:
    """Set a group's value; a tensor is filled in place, so that a captured graph sees it."""
    held = options[key]
    if isinstance(held, torch.Tensor):
        held.fill_(value)
    else:
        options[key] = value
