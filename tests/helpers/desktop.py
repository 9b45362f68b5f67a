"""The real window on a home folder, in the test's own process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from helm_desktop.app import Desktop
from helm_desktop.model.run.session import Session
from helm_desktop.startup.arguments import parse


@contextmanager
def desktop(app: QApplication, home: Path | None, *arguments: str) -> Iterator[Desktop]:
    """A window as `helm-desktop --home HOME ARGUMENTS` opens it; gone with its threads afterwards."""
    line = [*([] if home is None else ["--home", str(home)]), "--size", "1600x1000", "--theme", "dark"]
    opened = Desktop(app, parse([*line, *arguments]))
    opened.show()
    try:
        yield opened
    finally:
        opened.window.close()
        opened.threads.stop()
        opened.window.deleteLater()
        opened.deleteLater()
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def session_of(opened: Desktop) -> Session:
    """The open run."""
    assert opened.current.session is not None
    return opened.current.session
