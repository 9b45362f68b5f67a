"""Signal handlers of the script, kept from running in the middle of something."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_NUMBERS = tuple(
    number
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGXCPU")
    if (number := getattr(signal, name, None)) is not None
)


@contextmanager
def deferred() -> Iterator[None]:
    """Return a context manager that lets Python's signal handlers run when its block has ended.

    A handler may raise (as Ctrl+C does), log, or end the run; within the block that would lose rows or wait
    for a lock that is held here. Other threads than the main one never run handlers: there it does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers: dict[int, Any] = {}
    for number in _NUMBERS:
        handler = signal.getsignal(number)
        if callable(handler):
            handlers[number] = handler
    came: list[tuple[int, FrameType | None]] = []

    def hold(number: int, frame: FrameType | None) -> None:
        came.append((number, frame))

    try:
        for number in handlers:
            signal.signal(number, hold)
        yield
    finally:
        for number, handler in handlers.items():
            if signal.getsignal(number) is hold:
                signal.signal(number, handler)
        for number, frame in came:
            handlers[number](number, frame)
