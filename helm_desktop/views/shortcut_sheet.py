"""The sheet of all keyboard shortcuts, in a window of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from helm_desktop.actions import places
from helm_desktop.actions.key_rows import Group
from helm_desktop.theme import set_look
from helm_desktop.widgets import SearchField, handle_key

SIZE, COLUMNS = (980, 640), 3


class KeyGroup(QWidget):
    """One group of the sheet: a title, and a row for each key."""

    def __init__(self, title: str, rows: Iterable[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = title
        self.rows = list(rows)
        heading = QLabel(title)
        set_look(heading, "title")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 8)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        grid.addWidget(heading, 0, 0, 1, 2)
        self._labels: list[tuple[QLabel, QLabel]] = []
        for at, (keys, text) in enumerate(self.rows, 1):
            key, description = QLabel(keys), QLabel(text)
            set_look(key, "quiet-figure")
            key.setMinimumWidth(104)
            description.setWordWrap(True)
            description.setAccessibleName(f"{text}: {keys}")
            grid.addWidget(key, at, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(description, at, 1)
            self._labels.append((key, description))

    def narrow(self, words: Sequence[str]) -> bool:
        """Show only the rows that hold every word; return True when any does."""
        some = False
        for (keys, text), labels in zip(self.rows, self._labels, strict=True):
            content = f"{self._title} {keys} {text}".lower()
            fits = all(word in content for word in words)
            for label in labels:
                label.setVisible(fits)
            some = some or fits
        self.setVisible(some)
        return some


class ShortcutSheet(QDialog):
    """The sheet; it is not modal, the main window stays usable."""

    change_requested = Signal()

    def __init__(self, groups: Sequence[Group], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Keyboard shortcuts")
        self.resize(*SIZE)
        self.search = SearchField("Search keys", "Search keyboard shortcuts")
        self.change = QPushButton("Change keys…")
        self.nothing = QLabel("No key matches. Search for something else.")
        set_look(self.nothing, "quiet")
        self.nothing.hide()
        self.groups = [KeyGroup(title, rows) for title, rows in groups if rows]
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self.search, 1)
        top.addWidget(self.change)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(10)
        column.addLayout(top)
        column.addWidget(self.nothing)
        column.addWidget(self._sheet(), 1)
        self.search.textChanged.connect(self._narrow)
        self.change.clicked.connect(self._change)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not handle_key(event, places.SHEET, {"close": self.close, "search": event.accept}):
            super().keyPressEvent(event)

    def _sheet(self) -> QScrollArea:
        """Return the groups, in order, in columns of about the same height."""
        body = QWidget()
        row = QHBoxLayout(body)
        row.setContentsMargins(0, 0, 8, 0)
        row.setSpacing(28)
        share = sum(len(group.rows) + 2 for group in self.groups) / COLUMNS
        columns = [QVBoxLayout() for _ in range(COLUMNS)]
        filled, at = 0.0, 0
        for group in self.groups:
            if filled + (len(group.rows) + 2) / 2 > share * (at + 1) and at < COLUMNS - 1:
                at += 1
            columns[at].addWidget(group)
            filled += len(group.rows) + 2
        for column in columns:
            column.addStretch(1)
            row.addLayout(column, 1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(body)
        return area

    def _narrow(self, text: str) -> None:
        words = text.lower().split()
        fitting = [group for group in self.groups if group.narrow(words)]
        self.nothing.setVisible(not fitting)

    def _change(self) -> None:
        self.close()
        self.change_requested.emit()
