"""Logged values as floats: read at once, or, for a scalar on a device, when its copy has arrived."""

from __future__ import annotations

import sys
from typing import Any


class PendingScalar:
    """A scalar that is being copied from a device to the host; a device event marks the end of the copy."""

    __slots__ = ("_event", "_host")

    def __init__(self, host: Any, event: Any) -> None:
        self._host = host
        self._event = event

    def ready(self) -> bool:
        """Return True when the copy has arrived, so that `read` does not wait."""
        return self._event is None or bool(self._event.query())

    def read(self) -> float:
        """Return the value; NaN when it can no longer be read."""
        try:
            return float(self._host.item())
        except Exception:
            return float("nan")


def number(value: Any) -> float | PendingScalar | None:
    """Return a value as a float, or as a pending scalar when it is on a device; None when it is no number."""
    if isinstance(value, float | int):
        try:
            return float(value)
        except OverflowError:
            return None
    if isinstance(value, PendingScalar):
        return value
    if isinstance(value, str | bytes | bytearray | complex):
        return None
    try:
        return _from_object(value)
    except Exception:
        return None


def _from_object(value: Any) -> float | PendingScalar | None:
    if type(value).__name__ == "MaskedConstant":  # NumPy's, such as a mean of nothing: its item() is 0.0
        return float("nan")
    if hasattr(value, "item"):
        if getattr(value, "is_cuda", False):
            return _from_cuda(value)
        if getattr(getattr(value, "device", None), "type", "cpu") not in ("cpu", "meta"):
            return PendingScalar(value.detach(), None) if _is_scalar(value) else None
        plain = value.item()
        return (
            float(plain) if isinstance(plain, float | int) or type(plain).__name__ == "longdouble" else None
        )
    if hasattr(value, "__float__"):
        return float(value)
    return None


def _is_scalar(value: Any) -> bool:
    return int(value.numel()) == 1 and not value.is_complex()


def _from_cuda(value: Any) -> PendingScalar | None:
    """Start a copy to pinned host memory on the current CUDA stream, without synchronisation; detach it."""
    if not _is_scalar(value):
        return None
    torch = sys.modules["torch"]
    host = torch.empty((), dtype=value.dtype, pin_memory=True)
    host.copy_(value.detach().reshape(()), non_blocking=True)
    event = torch.cuda.Event()
    event.record(torch.cuda.current_stream(value.device))
    return PendingScalar(host, event)
