"""Rows of the policy: a control and who approves it, a control and what programs may send to it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from helm_desktop.model.rules.policy_draft import APPROVALS, ControlRow, LimitRow
from helm_desktop.theme import set_look


class PolicyRow(QWidget):
    """A control's name or pattern, what a subclass adds, and a button that takes the row out."""

    changed = Signal()
    gone = Signal(object)  # the row

    def __init__(self, control: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.control = QLineEdit(control)
        set_look(self.control, "figure")
        self.control.setPlaceholderText("lr, set_*, *")
        self.control.setAccessibleName("Control or pattern")
        self.remove = QPushButton("×")
        self.remove.setAccessibleName("Remove this line")
        self.remove.setFixedWidth(24)
        set_look(self.remove, "flat")
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(8)
        self.row.addWidget(self.control, 2)
        self.control.textEdited.connect(self.changed)
        self.remove.clicked.connect(self._remove)

    def _remove(self) -> None:
        self.gone.emit(self)


class ApproverRow(PolicyRow):
    """Who has to approve."""

    def __init__(self, row: ControlRow) -> None:
        super().__init__(row.control)
        self.approval = QComboBox()
        self.approval.setAccessibleName("When it is changed")
        for value, words in APPROVALS:
            self.approval.addItem(words, value)
        self.approval.setCurrentIndex([value for value, _ in APPROVALS].index(row.approval))
        self.approval.activated.connect(self.changed)
        self.row.addWidget(self.approval, 3)
        self.row.addWidget(self.remove)

    def value(self) -> ControlRow:
        """Return what stands in it."""
        return ControlRow(self.control.text(), APPROVALS[self.approval.currentIndex()][0])


class LimitRowView(PolicyRow):
    """What programs may send."""

    def __init__(self, row: LimitRow) -> None:
        super().__init__(row.control)
        self.bounds, self.per_hour = QLineEdit(row.bounds), QLineEdit(row.per_hour)
        for field, hint, name in (
            (self.bounds, "any, or lr 1e-5..1e-3", "Bounds by field"),
            (self.per_hour, "any", "Changes an hour"),
        ):
            set_look(field, "figure")
            field.setPlaceholderText(hint)
            field.setAccessibleName(name)
            field.textEdited.connect(self.changed)
        self.row.addWidget(self.bounds, 3)
        self.row.addWidget(self.per_hour, 1)
        self.row.addWidget(self.remove)

    def value(self) -> LimitRow:
        """Return what stands in it."""
        return LimitRow(self.control.text(), self.bounds.text(), self.per_hour.text())


class PolicyRows(QWidget):
    """Rows one below the other, and a button for one more."""

    changed = Signal()

    def __init__(self, make: type[ApproverRow] | type[LimitRowView], add: str) -> None:
        super().__init__()
        self._make = make
        self.lines: list[ApproverRow | LimitRowView] = []
        self.add = QPushButton(add)
        set_look(self.add, "link")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)
        row = QHBoxLayout()
        row.addWidget(self.add)
        row.addStretch(1)
        self._column.addLayout(row)
        self.add.clicked.connect(self._add_empty)

    def set_rows(self, rows: list[ControlRow] | list[LimitRow]) -> None:
        """Show these in place of what was there."""
        for line in list(self.lines):
            self._drop(line)
        for row in rows:
            self._add_row(row)

    def _add_row(self, row: ControlRow | LimitRow) -> ApproverRow | LimitRowView:
        line = self._make(row)  # type: ignore[arg-type]
        line.changed.connect(self.changed)
        line.gone.connect(self._gone)
        self._column.insertWidget(len(self.lines), line)
        self.lines.append(line)
        return line

    def _add_empty(self) -> None:
        line = self._add_row(ControlRow() if self._make is ApproverRow else LimitRow())
        line.control.setFocus()
        self.changed.emit()

    def _gone(self, line: ApproverRow | LimitRowView) -> None:
        self._drop(line)
        self.changed.emit()

    def _drop(self, line: ApproverRow | LimitRowView) -> None:
        self.lines.remove(line)
        self._column.removeWidget(line)
        line.hide()
        line.deleteLater()
