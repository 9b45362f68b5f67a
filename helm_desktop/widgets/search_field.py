"""A field to search with: Escape or × empties it."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget

from helm_desktop.theme import set_look

_BUTTON = 20


class SearchField(QLineEdit):
    """Has a × while there is text in it."""

    def __init__(self, hint: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(hint)
        self.setAccessibleName(name)
        self._clear = QToolButton(self)
        self._clear.setText("×")
        self._clear.setToolTip("Clear")
        self._clear.setAccessibleName(f"Clear {name.lower()}")
        self._clear.setCursor(Qt.CursorShape.ArrowCursor)
        self._clear.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        set_look(self._clear, "flat")
        self._clear.hide()
        self._clear.clicked.connect(self.clear)
        self.textChanged.connect(self._show_clear)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._clear.resize(QSize(_BUTTON, _BUTTON))
        self._clear.move(self.width() - _BUTTON - 5, (self.height() - _BUTTON) // 2)

    def _show_clear(self, text: str) -> None:
        self._clear.setVisible(bool(text))
        self.setTextMargins(0, 0, _BUTTON if text else 0, 0)
