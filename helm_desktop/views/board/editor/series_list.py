"""The list of a chart's series, and a field to add more of the run's streams."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QStringListModel, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCompleter,
    QHBoxLayout,
    QLineEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from helm_desktop.theme import set_look
from helm_desktop.views.board.editor.name_field import NameField
from helm_desktop.widgets import has_focus

MAX_ROWS = 40


class SeriesRow(QWidget):
    """A name or pattern, with a button that removes it."""

    part_chosen = Signal(int, int)
    typed = Signal(int, str)
    removed = Signal(int)

    def __init__(self, at: int, text: str) -> None:
        super().__init__()
        self._at = at
        self.field = NameField(text)
        self.field.part_chosen.connect(self._on_part)
        self.field.typed.connect(self._on_typed)
        remove = QToolButton()
        remove.setText("×")
        remove.setToolTip("Remove it from the chart")
        remove.setAccessibleName(f"Remove {text}")
        set_look(remove, "flat")
        remove.clicked.connect(self._on_remove)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.field, 1)
        row.addWidget(remove)

    def _on_part(self, start: int) -> None:
        self.part_chosen.emit(self._at, start)

    def _on_typed(self, text: str) -> None:
        self.typed.emit(self._at, text)

    def _on_remove(self) -> None:
        self.removed.emit(self._at)


class SeriesList(QWidget):
    """A row for each series, and below them the field for another one."""

    part_chosen = Signal(int, int)  # the number of the row, and where the part begins in the text
    typed = Signal(int, str)
    removed = Signal(int)
    added = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: list[SeriesRow] = []
        self.field = QLineEdit()
        self.field.setPlaceholderText("Add a series: search a name, or type a pattern")
        self.field.setAccessibleName("Add a series")
        self._model = QStringListModel(self)
        self._completer = QCompleter(self._model, self)
        self._completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._completer.setMaxVisibleItems(12)
        self.field.setCompleter(self._completer)
        self._completer.activated.connect(self._on_activated)
        self.field.returnPressed.connect(self._on_return)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)
        self._column.addWidget(self.field)

    def set_names(self, names: Sequence[str]) -> None:
        """Set the names of the run's streams, which the field offers."""
        self._model.setStringList(list(names))

    def show_series(self, series: Sequence[str]) -> None:
        """Show these names and patterns."""
        if [row.field.text for row in self.rows] == list(series[:MAX_ROWS]):
            return
        focused = next((at for at, row in enumerate(self.rows) if has_focus(row)), -1)
        for row in self.rows:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = []
        for at, text in enumerate(series[:MAX_ROWS]):
            row = SeriesRow(at, text)
            row.part_chosen.connect(self.part_chosen)
            row.typed.connect(self.typed)
            row.removed.connect(self.removed)
            self._column.insertWidget(at, row)
            self.rows.append(row)
        if focused >= 0:
            (self.rows[min(focused, len(self.rows) - 1)] if self.rows else self).field.setFocus()

    def _on_activated(self, text: str) -> None:
        self._add(text)

    def _on_return(self) -> None:
        popup = self._completer.popup()
        if popup is not None and popup.isVisible() and popup.currentIndex().isValid():
            return  # the completer emits its choice itself
        if popup is not None:
            popup.hide()
        self._add(self.field.text())

    def _add(self, text: str) -> None:
        if text.strip():
            self.added.emit(text.strip())

    def clear_field(self) -> None:
        """Clear the field now, and again after the completer has written its choice into it."""
        self.field.clear()
        QTimer.singleShot(0, self.field, self.field.clear)
