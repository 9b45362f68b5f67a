"""A thin line that says how far something is."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from helm_desktop.theme import theme_of


class ProgressLine(QWidget):
    """Filled from the left; empty while the share is unknown."""

    def __init__(self, name: str = "Progress", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._share: float | None = None
        self.setFixedHeight(3)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_share(None)

    @property
    def share(self) -> float | None:
        """0 to 1, None while unknown."""
        return self._share

    def set_share(self, share: float | None) -> None:
        """Show another share; beyond 0 to 1 it stops at the ends."""
        self._share = None if share is None else min(max(share, 0.0), 1.0)
        reported = "unknown" if self._share is None else f"{self._share:.0%}"
        self.setAccessibleName(f"{self._name}: {reported}")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, 3)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.line))
        whole = QRectF(self.rect())
        painter.drawRoundedRect(whole, 1.5, 1.5)
        if self._share:
            whole.setWidth(max(3.0, whole.width() * self._share))
            painter.setBrush(QColor(theme.accent))
            painter.drawRoundedRect(whole, 1.5, 1.5)
        painter.end()
