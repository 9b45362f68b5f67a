"""The list of derived curves: a field for each expression, and below it what is wrong with the expression."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QToolButton, QVBoxLayout, QWidget

from helm_desktop.model.chart.spec import DerivedCurve
from helm_desktop.theme import set_look, set_state


class ExpressionRow(QWidget):
    """A field for one expression, with a sentence below it while the expression cannot be drawn."""

    entered = Signal(int, str)  # the number of the row, and its expression
    removed = Signal(int)  # the number of the row

    def __init__(self, at: int, text: str, check: Callable[[str], str]) -> None:
        super().__init__()
        self._at, self._before, self._check = at, text, check
        self.field = QLineEdit(text)
        set_look(self.field, "figure")
        self.field.setPlaceholderText('"train/loss" - "eval/loss"')
        self.field.setAccessibleName("Derived curve")
        self.problem = QLabel()
        self.problem.setWordWrap(True)
        set_look(self.problem, "bad")
        self.problem.hide()
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.field, 1)
        if text:
            remove = QToolButton()
            remove.setText("×")
            remove.setAccessibleName(f"Remove {text}")
            set_look(remove, "flat")
            remove.clicked.connect(self._on_remove)
            row.addWidget(remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self.problem)
        self.field.textEdited.connect(self._on_edited)
        self.field.editingFinished.connect(self._on_entered)

    def _on_edited(self, text: str) -> None:
        self._show_problem(self._check(text) if text.strip() else "")

    def _show_problem(self, sentence: str) -> None:
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))
        set_state(self.field, "invalid", bool(sentence))

    def _on_entered(self) -> None:
        text = self.field.text().strip()
        if text == self._before:
            return
        if not text:
            self._on_remove()
        elif not self._check(text):
            self._before = text
            self.entered.emit(self._at, text)

    def _on_remove(self) -> None:
        self.removed.emit(self._at)


class DerivedList(QWidget):
    """A row for each expression, and an empty one to add another."""

    entered = Signal(int, str)
    removed = Signal(int)

    def __init__(self, check: Callable[[str], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._check = check
        self.rows: list[ExpressionRow] = []
        self._shown: tuple[DerivedCurve, ...] | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)

    def show_derived(self, derived: Sequence[DerivedCurve]) -> None:
        """Show these derived curves."""
        if self._shown == tuple(derived):
            return
        self._shown = tuple(derived)
        focused = any(row.field.hasFocus() for row in self.rows)
        for row in self.rows:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = []
        for at, text in enumerate([*(one.expression for one in derived), ""]):
            row = ExpressionRow(at, text, self._check)
            row.entered.connect(self.entered)
            row.removed.connect(self.removed)
            self._column.addWidget(row)
            self.rows.append(row)
        if focused:
            self.rows[-1].field.setFocus()
