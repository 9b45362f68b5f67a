"""A page over the whole window: its chapters by name at the left, one of them at the right."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from helm_desktop.theme import set_look

LIST_WIDTH = 200
ROW_HEIGHT = 30


class ChapterPage(QWidget):
    """Emits nothing but that it is left, by Done or Escape."""

    left = Signal()

    def __init__(self, title: str, list_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "window")
        self.setAccessibleName(title)
        self.list, self.done = QListWidget(), QPushButton("Done")
        self.list.setAccessibleName(list_name)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self._side, self._stack = QFrame(), QStackedWidget()
        self._titles: list[str] = []

    @property
    def shown(self) -> str:
        """The title of the chapter in sight."""
        return self._titles[self._stack.currentIndex()]

    def parts(self) -> list[QWidget]:
        """Return what Tab leads through: the names, then the chapter in sight."""
        return [self._side, self._stack]

    def show_chapter(self, title: str = "") -> None:
        """Bring a chapter forward; empty: the one that was there last."""
        if title in self._titles:
            self.list.setCurrentRow(self._titles.index(title))
        self.list.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def set_chapters(self, chapters: Mapping[str, QWidget], below_title: QWidget | None = None) -> None:
        """Put everything in its place; once."""
        self._titles = list(chapters)
        self._lay_out_side(below_title)
        for name, chapter in chapters.items():
            item = QListWidgetItem(name)
            item.setSizeHint(QSize(0, ROW_HEIGHT))
            self.list.addItem(item)
            self._stack.addWidget(chapter)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._side)
        row.addWidget(self._stack, 1)
        self.list.currentRowChanged.connect(self._stack.setCurrentIndex)
        self.done.clicked.connect(self.left)
        self.list.setCurrentRow(0)

    def _lay_out_side(self, below_title: QWidget | None) -> None:
        title = QLabel(self.accessibleName())
        set_look(self._side, "panel")
        set_look(title, "heading")
        self._side.setFixedWidth(LIST_WIDTH)
        column = QVBoxLayout(self._side)
        column.setContentsMargins(10, 16, 10, 12)
        column.setSpacing(12)
        names = QVBoxLayout()
        names.setContentsMargins(8, 0, 8, 0)
        names.setSpacing(2)
        names.addWidget(title)
        if below_title is not None:
            names.addWidget(below_title)
        column.addLayout(names)
        column.addWidget(self.list, 1)
        column.addWidget(self.done)
