"""A label that shortens its text to the room it has, and knows that it did."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from helm_desktop.theme import set_look


class ElidedLabel(QLabel):
    """One line of plain text with … where it does not fit; the tooltip then has the whole."""

    def __init__(
        self,
        text: str = "",
        look: str = "",
        *,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._full = ""
        self._mode = mode
        self._elided = False
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        if look:
            set_look(self, look)
        self.setText(text)

    def setText(self, text: str) -> None:
        if text != self._full or not self.accessibleName():
            self._full = text
            self.setAccessibleName(text)
            self.updateGeometry()
        self._elide()

    def text(self) -> str:
        """Return the whole text, shortened or not."""
        return self._full

    def shown_text(self) -> str:
        """Return what stands on the screen."""
        return super().text()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        margins = self.contentsMargins()
        lines = self._full.replace("\n", " ")
        return QSize(
            metrics.horizontalAdvance(lines) + margins.left() + margins.right() + 2,
            super().sizeHint().height(),
        )

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), 24), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    @property
    def elided(self) -> bool:
        """Whether some of the text is left out."""
        return self._elided

    def _elide(self) -> None:
        self.ensurePolished()
        whole = self._full.replace("\n", " ")
        shown = QFontMetrics(self.font()).elidedText(whole, self._mode, self.contentsRect().width())
        self._elided = shown != whole
        self.setProperty("elided", self._elided)
        self.setToolTip(self._full if self._elided else "")
        if shown != super().text():
            super().setText(shown)
