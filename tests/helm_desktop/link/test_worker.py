"""Threads end before their objects, whoever forgets to stop them."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from helm_desktop.link.worker import Worker


class Patient(Worker):
    """Runs until it is stopped."""

    ended: ClassVar[list[bool]] = []

    def run(self) -> None:
        """Qt's."""
        while not self._stopping:
            self.msleep(5)
        self.ended.append(True)


def test_that_a_thread_stops_with_its_parent(qapp: QApplication) -> None:
    Patient.ended.clear()
    parent = QObject()
    worker = Patient(parent)
    worker.begin()
    assert worker.isRunning()
    del parent
    assert Patient.ended == [True]


def test_that_stopping_twice_is_no_matter(qapp: QApplication) -> None:
    worker = Patient()
    worker.begin()
    worker.stop()
    worker.stop()
    assert not worker.isRunning()
