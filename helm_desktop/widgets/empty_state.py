"""A card for a place with nothing in it yet: what would fill it, and how."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from helm_desktop.theme import set_look
from helm_desktop.widgets.flow_layout import FlowLayout


class EmptyState(QFrame):
    """A title, a sentence or two, and buttons that do something about it."""

    def __init__(self, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "card")
        self._title = QLabel(title)
        set_look(self._title, "title")
        self._text = QLabel()
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        set_look(self._text, "quiet")
        self._buttons = FlowLayout(gap=8, line_gap=8)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addWidget(self._title)
        column.addWidget(self._text)
        column.addLayout(self._buttons)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.set_words(title, text)

    def set_words(self, title: str, text: str) -> None:
        """Other words."""
        self._title.setText(title)
        self._text.setText(text)
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)

    def add_button(self, text: str, *, primary: bool = False) -> QPushButton:
        """Add a button and return it; whoever adds it connects it."""
        button = QPushButton(text)
        if primary:
            set_look(button, "primary")
        self._buttons.addWidget(button)
        return button
