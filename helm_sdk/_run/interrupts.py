"""Ctrl+C while a run is ended: held back until what is left is written."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from helm_sdk._shared.notice import print_notice


@contextmanager
def held_back() -> Iterator[None]:
    """Return a context manager that keeps the first SIGINT until its block ends; a second one comes through.

    It does nothing outside the main thread, and where SIGINT is ignored or handled outside Python.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    if not callable(before):
        yield
        return
    pressed: list[FrameType | None] = []

    def hold(number: int, frame: FrameType | None) -> None:
        if pressed:
            before(number, frame)
            return
        pressed.append(frame)
        print_notice("Writing what is left of the run… (press Ctrl+C again to give up)")

    signal.signal(signal.SIGINT, hold)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is hold:
            signal.signal(signal.SIGINT, before)
    if pressed:
        before(signal.SIGINT, pressed[0])
