"""A notice on one line that can be pressed: shortened to the room it has."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from helm_desktop.theme import set_look

_SIDES, _SPARE = 18, 4  # padding and edge; an advance is rounded, and room that is just enough is too little


class NoticeButton(QPushButton):
    """Text and a count of what else there is; the count is never cut off."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = self._more = ""
        set_look(self, "notice")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def set_notice(self, text: str, tone: str, more: int = 0) -> None:
        """Other words; how many further notices there are."""
        self._text, self._more = text, f"  +{more}" if more else ""
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            self.style().unpolish(self)
            self.style().polish(self)
        others = f", and {more} more" if more else ""
        self.setAccessibleName(f"Warning: {text}{others}")
        self.setToolTip(text)
        self.updateGeometry()
        self._elide()

    @property
    def whole(self) -> str:
        """The text, shortened or not."""
        return self._text

    def sizeHint(self) -> QSize:
        return QSize(self._width(self._text + self._more), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        least = self._width(f"{self._text[:24]}…{self._more}")
        return QSize(min(least, self.sizeHint().width()), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _width(self, text: str) -> int:
        self.ensurePolished()
        return QFontMetrics(self.font()).horizontalAdvance(text) + _SIDES + _SPARE

    def _elide(self) -> None:
        room = self.width() - self._width(self._more) + _SPARE
        shown = QFontMetrics(self.font()).elidedText(self._text, Qt.TextElideMode.ElideRight, max(0, room))
        text = (shown + self._more).replace("&", "&&")
        if text != self.text():
            self.setText(text)
