"""What the sections of the settings are laid out from."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from helm_desktop.theme import set_look

WIDTH = 720  # of a section; lines of words that are longer are hard to read


class SettingRow(QFrame):
    """What it is called and what it does at the left, the control at the right."""

    def __init__(self, title: str, text: str, control: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "card")
        self.title, self.text = QLabel(title), small(text)
        self.text.setVisible(bool(text))
        self.title.setBuddy(control)
        if not control.accessibleName():
            control.setAccessibleName(title)
        control.setAccessibleDescription(text)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.title)
        words.addWidget(self.text)
        self._row = QHBoxLayout()
        self._row.setSpacing(16)
        self._row.addLayout(words, 1)
        self._row.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 10, 12, 10)
        self._column.setSpacing(8)
        self._column.addLayout(self._row)

    def set_description(self, text: str) -> None:
        """Other words below the title."""
        self.text.setText(text)
        self.text.setVisible(bool(text))

    def add_below(self, widget: QWidget) -> None:
        """One more line, over the whole width."""
        self._column.addWidget(widget)


class SettingsSection(QWidget):
    """A title, a sentence, and what follows, one below the other."""

    def __init__(self, title: str, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(title)
        self.setMaximumWidth(WIDTH)
        heading, self.about = QLabel(title), small(text)
        set_look(heading, "heading")
        self.about.setVisible(bool(text))
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(8)
        self.column.addWidget(heading)
        self.column.addWidget(self.about)

    def fill(self, *widgets: QWidget) -> None:
        """Put these below each other, the last of all."""
        for widget in widgets:
            self.column.addWidget(widget)
        self.column.addStretch(1)


def small(text: str = "") -> QLabel:
    """Quiet words that wrap."""
    label = QLabel(text)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    set_look(label, "small")
    return label


def subtitle(text: str) -> QLabel:
    """Return what the next rows are about."""
    label = QLabel(text)
    label.setContentsMargins(0, 8, 0, 0)
    set_look(label, "title")
    return label
