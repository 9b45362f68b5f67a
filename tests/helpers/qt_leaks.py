"""Fails a test that leaves windows, threads or running timers behind."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QThread, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import Shiboken

_OF_QT = {"QTipLabel"}  # tooltips: one for the whole application


@dataclass
class Alive:
    """What lives at a moment."""

    widgets: list[QWidget] = field(default_factory=list)
    threads: list[threading.Thread] = field(default_factory=list)
    qt_threads: list[QThread] = field(default_factory=list)
    timers: list[QTimer] = field(default_factory=list)

    @classmethod
    def now(cls) -> Alive:
        """Looks, without making anything."""
        alive = cls(threads=[thread for thread in threading.enumerate() if not thread.daemon])
        if not isinstance(QCoreApplication.instance(), QApplication):
            return alive
        alive.widgets = [
            w for w in QApplication.topLevelWidgets() if w.metaObject().className() not in _OF_QT
        ]
        for wrapper in Shiboken.getAllValidWrappers():
            if (
                isinstance(wrapper, QThread)
                and wrapper.isRunning()
                and wrapper is not QThread.currentThread()
            ):
                alive.qt_threads.append(wrapper)
            elif isinstance(wrapper, QTimer) and wrapper.isActive():
                alive.timers.append(wrapper)
        return alive

    def beyond(self, before: Alive) -> list[str]:
        """What lives now and did not then, in words."""
        fresh: list[str] = []
        for name in ("widgets", "threads", "qt_threads", "timers"):
            known = {id(thing) for thing in getattr(before, name)}
            fresh += [f"{name}: {thing!r}" for thing in getattr(self, name) if id(thing) not in known]
        return fresh


def settle() -> None:
    """Lets everything go that has been let go of."""
    if QCoreApplication.instance() is None:
        gc.collect()
        return
    for _ in range(2):
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        gc.collect()


@pytest.fixture
def no_qt_leaks() -> Iterator[None]:
    """Nothing more lives after the test than before it."""
    before = Alive.now()
    yield
    settle()
    left = Alive.now().beyond(before)
    if left:
        pytest.fail("left behind: " + "; ".join(left), pytrace=False)
