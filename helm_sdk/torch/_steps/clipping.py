"""Gradient norms: measured before clipping, unscaled, without waiting for a device."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from helm_sdk.torch import _sharded


class Clipping:
    """The limit in force and the last norm. A limit that was set goes before the one a call names."""

    def __init__(self) -> None:
        self.called = False
        self.limit: float | None = None
        self.used: float | None = None  # the limit that the last call applied
        self.norm: torch.Tensor | None = None  # of the last call, until it is taken
        self.on_first_call: Callable[[], None] | None = None
        self.was_set = False  # by the control: the limit of the loop's own call counts no more

    def set_limit(self, limit: float | None) -> None:
        """Set the limit from the next call on, whatever the loop's call says."""
        self.limit, self.was_set = limit, True

    def clip(self, parameters: Sequence[torch.Tensor], max_norm: float | None) -> torch.Tensor:
        """Clip in place and return the norm as it was before; the same numbers as torch's own clipping.

        Where the norm is not finite the gradients stay as they are: scaling would turn inf into NaN.
        """
        if not self.was_set:
            self.limit = None if max_norm is None else float(max_norm)
        gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
        norm = total_norm(gradients)
        self.used, self.norm = self.limit, norm
        if self.limit is not None and gradients:
            _scale(gradients, self.limit, norm)
        if not self.called:
            self.called = True
            if self.on_first_call is not None:
                self.on_first_call()
        return norm

    def measure(self, parameters: Sequence[torch.Tensor]) -> torch.Tensor:
        """Take the norm where somebody else clips, to the limit of `follow`."""
        self.norm = norm = total_norm([one.grad for one in parameters if one.grad is not None])
        return norm

    def follow(self) -> float:
        """Return the limit for a framework that clips by itself; 0 for none."""
        self.used = self.limit
        return self.limit or 0.0

    def pop_norm(self) -> torch.Tensor | None:
        """Return the norm measured since the last call."""
        norm, self.norm = self.norm, None
        return norm


@torch.no_grad()
def total_norm(gradients: Sequence[torch.Tensor]) -> torch.Tensor:
    """Return the 2-norm over all gradients, on the device of the first."""
    if not gradients:
        return torch.tensor(0.0)
    gradients = [values_of(gradient) for gradient in gradients]
    measure: Any = getattr(torch.nn.utils, "get_total_norm", None)
    if measure is not None:
        measured: torch.Tensor = measure(gradients)
        return _sharded.whole(measured)  # over every rank's part, where each holds one
    first = gradients[0].device
    norms = [torch.linalg.vector_norm(gradient, 2.0).to(first) for gradient in gradients]
    norm: torch.Tensor = torch.linalg.vector_norm(torch.stack(norms), 2.0)
    return norm


def values_of(gradient: torch.Tensor) -> torch.Tensor:
    """The values of a sparse gradient, each row once; any other gradient itself."""
    return gradient.coalesce().values() if gradient.is_sparse else gradient


@torch.no_grad()
def _scale(gradients: Sequence[torch.Tensor], limit: float, norm: torch.Tensor) -> None:
    factor = torch.clamp(limit / (norm + 1e-6), max=1.0)
    factor = torch.where(torch.isfinite(norm), factor, torch.ones_like(factor))
    by_device: dict[tuple[torch.device, torch.dtype], list[torch.Tensor]] = {}
    for gradient in map(_sharded.local, gradients):
        if gradient.is_sparse:
            gradient.mul_(factor.to(gradient.device))
            continue
        by_device.setdefault((gradient.device, gradient.dtype), []).append(gradient)
    for (device, _), some in by_device.items():
        torch._foreach_mul_(some, factor.to(device))


def unscale(scaler: Any, optimizers: Sequence[torch.optim.Optimizer]) -> None:
    """Unscale the gradients of every optimizer whose loop has not done so."""
    for optimizer in optimizers:
        try:
            scaler.unscale_(optimizer)
        except RuntimeError as error:
            if "already been called" not in str(error):
                raise
