"""The top of a card: the name, the value at the right, and the click that opens it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from helm_desktop.actions import places
from helm_desktop.theme import set_look
from helm_desktop.widgets import ElidedLabel, Pill, handle_key


class CardHeader(QWidget):
    """A click, Enter or space opens and closes the card. A control without input has a button here."""

    toggled = Signal()

    def __init__(self, name: str, button: str, help: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(f"{name}, open or close")
        self.setAccessibleDescription(help)
        self.setToolTip(help)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        set_look(self, "fold")
        self.name = ElidedLabel(name, "title")
        self.value = ElidedLabel("", "figure")
        self.value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.approval = Pill("needs approval", "warn")
        self.approval.hide()
        row = QHBoxLayout(self)
        row.setContentsMargins(5, 2, 5, 2)
        row.setSpacing(8)
        row.addWidget(self.name, 1)
        row.addWidget(self.approval)
        row.addWidget(self.value, 1)
        self.button: QPushButton | None = None
        if button:
            self.button = QPushButton(button)
            self.button.setAccessibleName(f"{name}: {button}")
            self.button.setCursor(Qt.CursorShape.ArrowCursor)
            row.addWidget(self.button)
            self.value.hide()

    def show_value(self, words: str) -> None:
        """What stands at the right; without words the name has the room."""
        self.value.setText(words)
        self.value.setVisible(bool(words) and self.button is None)

    def show_rule(self, words: str, why: str) -> None:
        """That somebody has to approve, or that nobody may; nothing where it can be sent at once."""
        if self.approval.text() != words:
            self.approval.show_text(words, "warn")
        self.approval.setToolTip(why)
        self.approval.setVisible(bool(words))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.toggled.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not handle_key(event, places.CONTROL_HEADER, {"toggle": self.toggled.emit}):
            super().keyPressEvent(event)


def quiet_label(text: str = "") -> QLabel:
    """Return a line of small quiet words that wraps."""
    label = QLabel(text)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    set_look(label, "small")
    return label
