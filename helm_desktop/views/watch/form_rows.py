"""A field with its label at the left, as the forms of the dock have it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from helm_desktop.theme import set_look
from helm_desktop.widgets import NumberField

LABEL_WIDTH = 62


class TextField(NumberField):
    """A field for text or a number, in figures, with a unit at the right."""

    def __init__(self, name: str, hint: str = "", parent: QWidget | None = None) -> None:
        super().__init__(name, parent=parent)
        self.setPlaceholderText(hint)


class LabelledRow(QWidget):
    """Label and field."""

    def __init__(self, text: str, field: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = QLabel(text)
        self.label.setFixedWidth(LABEL_WIDTH)
        self.label.setBuddy(field)
        set_look(self.label, "quiet")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.label, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(field, 1)
        self.label.setMinimumHeight(26)

    def set_label(self, text: str) -> None:
        """Another label."""
        self.label.setText(text)


def small_label(text: str = "", look: str = "small") -> QLabel:
    """Return a line of small words that wraps."""
    label = QLabel(text)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    set_look(label, look)
    return label


def labelled(text: str, field: QWidget) -> LabelledRow:
    """Return a field with its label."""
    return LabelledRow(text, field)
