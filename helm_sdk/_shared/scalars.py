"""What a script logs, as floats: read at the call, or for a device's scalar when its copy is ready."""

from __future__ import annotations

import sys
from typing import Any


class PendingScalar:
    """A scalar still on its way from a device: a host copy, and the event that says when it has come."""

    __slots__ = ("_event", "_host")

    def __init__(self, host: Any, event: Any) -> None:
        self._host = host
        self._event = event

    def ready(self) -> bool:
        """Return True when reading will not wait for the device."""
        return self._event is None or bool(self._event.query())

    def read(self) -> float:
        """Return the value; NaN when it cannot be read any more."""
        try:
            return float(self._host.item())
        except Exception:
            return float("nan")


def number(value: Any) -> float | PendingScalar | None:
    """Return a float that keeps the value exactly where a float can; None for what is no number."""
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
    if hasattr(value, "item"):
        if getattr(value, "is_cuda", False):
            return _from_cuda(value)
        if getattr(getattr(value, "device", None), "type", "cpu") not in ("cpu", "meta"):
            return PendingScalar(value.detach(), None) if _is_scalar(value) else None
        plain = value.item()
        return float(plain) if isinstance(plain, float | int) else None
    if hasattr(value, "__float__"):
        return float(value)
    return None


def _is_scalar(value: Any) -> bool:
    return int(value.numel()) == 1 and not value.is_complex()


def _from_cuda(value: Any) -> PendingScalar | None:
    """Copy to pinned memory on the current stream: no synchronisation, and no graph is held."""
    if not _is_scalar(value):
        return None
    torch = sys.modules["torch"]
    host = torch.empty((), dtype=value.dtype, pin_memory=True)
    host.copy_(value.detach().reshape(()), non_blocking=True)
    event = torch.cuda.Event()
    event.record(torch.cuda.current_stream(value.device))
    return PendingScalar(host, event)
