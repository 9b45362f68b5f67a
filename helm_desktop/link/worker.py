"""A thread that always ends before its object does, whoever forgets to stop it."""

from __future__ import annotations

import atexit

from PySide6.QtCore import QObject, QThread

STOP_MS = 5000


class Worker(QThread):
    """Stopped when its parent goes, when the program ends, or by hand; a running one is never collected."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stopping = False
        if parent is not None:
            parent.destroyed.connect(self.stop)

    def begin(self) -> None:
        """Start, and be kept until stopped."""
        _running.add(self)
        self.start()

    def wake(self) -> None:
        """Make the thread look at what it was asked; subclasses say how."""

    def stop(self) -> None:
        """End the thread and wait for it. Safe to call more than once."""
        self._stopping = True
        self.wake()
        if self.isRunning():
            self.wait(STOP_MS)
        _running.discard(self)


_running: set[Worker] = set()


def stop_all() -> None:
    """Stop what still runs; called as the program ends."""
    for worker in list(_running):
        worker.stop()


atexit.register(stop_all)
