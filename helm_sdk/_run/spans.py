"""Where the time goes: named spans, of which the app shows those under way."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext

from helm_sdk._run.recording import Recording

_monotonic = time.monotonic


class Spans:
    """The spans of one process. around: what else is entered with each span, by its name."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._open: list[str] = []
        self.around: Callable[[str], AbstractContextManager[object]] = nullcontext

    @contextlib.contextmanager
    def span(self, name: str) -> Iterator[None]:
        """Record how long the block took, under a name."""
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
