"""Spans: named stretches of time, which the app also shows while they last."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext

from helm_sdk._run.recording import Recording

_monotonic = time.monotonic


class Spans:
    """The spans of one process. around: returns a context manager to enter with the span of a name."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._open: list[str] = []
        self.around: Callable[[str], AbstractContextManager[object]] = nullcontext

    @contextlib.contextmanager
    def span(self, name: str) -> Iterator[None]:
        """Return a context manager that records how long its block took."""
        recording, began = self._recording, _monotonic()
        self._open.append(name)
        self._publish()
        try:
            with self.around(name):
                yield
        finally:
            with contextlib.suppress(ValueError):
                self._open.remove(name)
            self._publish()
            body = {"name": name, "seconds": _monotonic() - began, "start": recording.clock(began)}
            recording.event("span", recording.step, body)

    def _publish(self) -> None:
        recorder = self._recording.recorder
        if recorder is not None:
            recorder.doing = tuple(self._open)
