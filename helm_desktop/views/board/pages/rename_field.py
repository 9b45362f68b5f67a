"""A field over a title in which the title is edited."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from helm_desktop.actions import places
from helm_desktop.widgets import handle_key

MIN_WIDTH = 140


class TitleEdit(QLineEdit):
    """A field over a title. Enter and loss of focus save what was typed, Escape discards it."""

    def __init__(self, over: QWidget, place: QRect, text: str, done: Callable[[str], None]) -> None:
        super().__init__(text, over)
        self._before = text
        self._done: Callable[[str], None] | None = done
        self.setAccessibleName("Title")
        self.setGeometry(place.x(), place.y(), max(MIN_WIDTH, place.width() + 24), max(26, place.height()))
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        ends = {"leave": partial(self._end, save=False), "save": partial(self._end, save=True)}
        if not handle_key(event, places.TITLE, ends):
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._end(save=True)

    def _end(self, *, save: bool) -> None:
        done, self._done = self._done, None
        if done is None:
            return
        self.hide()
        self.deleteLater()
        text = self.text().strip()
        if save and text and text != self._before:
            done(text)
