"""What every test of the app gets: nothing may be left behind; a dressed application for those that ask."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from helm_desktop.storage.storage_thread import Storage
from helm_desktop.theme import ThemeManager
from helpers.qt_leaks import no_qt_leaks

__all__ = ["no_qt_leaks"]


@pytest.fixture(autouse=True)
def _nothing_left(no_qt_leaks: None) -> None:
    """Fails a test that leaves windows, threads or running timers."""


@pytest.fixture
def storage(qapp: QApplication) -> Iterator[Storage]:
    """A storage thread, ended after the test."""
    made = Storage()
    yield made
    made.stop()


@pytest.fixture(scope="session")
def _dressed(qapp: QApplication) -> ThemeManager:
    return ThemeManager(qapp, "dark")


@pytest.fixture
def theme(_dressed: ThemeManager) -> Iterator[ThemeManager]:
    """The application in its dark theme."""
    _dressed.choose("dark")
    yield _dressed
    _dressed.choose("dark")
