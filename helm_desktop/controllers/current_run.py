"""The run that the window shows: every controller follows it."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session


class CurrentRun(QObject):
    """One session at a time; None before the first run is opened."""

    changed = Signal(object, object)  # the session before or None, and the session now

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session: Session | None = None
        self._followers: list[tuple[Callable[[Any], Any], Callable[..., object]]] = []

    def show(self, folder: str) -> None:
        """Make a session for the run in this folder, in place of the one before."""
        from helm_desktop.model.run.session import Session

        before, now = self.session, Session(folder, self)
        self.session = now
        for signal_of, slot in self._followers:
            if before is not None:
                signal_of(before).disconnect(slot)
            signal_of(now).connect(slot)
        self.changed.emit(before, now)
        if before is not None:
            before.deleteLater()

    def follow(self, signal: str, slot: Callable[..., object]) -> None:
        """Connect `slot` to a signal of whichever session is shown, such as "controls.control_changed"."""
        signal_of = attrgetter(signal)
        self._followers.append((signal_of, slot))
        if self.session is not None:
            signal_of(self.session).connect(slot)
