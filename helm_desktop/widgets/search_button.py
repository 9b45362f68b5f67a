"""What looks like a field for a search and opens one: the hint at the left, its keys at the right."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from helm_desktop.theme import set_look


class SearchButton(QPushButton):
    """A button; the words in it are its accessible name."""

    def __init__(self, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "search")
        self.setAccessibleName(hint)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self._hint, self._keys = QLabel(hint), QLabel()
        for label in (self._hint, self._keys):
            set_look(label, "small")
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 0, 10, 0)
        row.addWidget(self._hint, 1)
        row.addWidget(self._keys)

    def set_keys(self, keys: str) -> None:
        """The keys that do the same."""
        self._keys.setText(keys)

    def sizeHint(self) -> QSize:
        return QSize(300, 26)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 26)
