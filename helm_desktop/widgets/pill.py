"""A small rounded word, as a fact or as a button."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from helm_desktop.theme import set_look

TONES = ("", "accent", "live", "warn", "bad")


class Pill(QPushButton):
    """Shows a word in a rounded frame. Only a clickable pill takes the mouse and the focus."""

    def __init__(
        self, text: str = "", tone: str = "", *, clickable: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(text, parent)
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.set_clickable(clickable)
        self.setProperty("tone", tone)
        set_look(self, "pill")

    def set_clickable(self, on: bool) -> None:
        """Whether it acts as a button."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if on else Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not on)

    def show_text(self, text: str, tone: str = "") -> None:
        """Show another word in another tone."""
        self.setText(text)
        self.setAccessibleName(text)
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            self.style().unpolish(self)
            self.style().polish(self)
