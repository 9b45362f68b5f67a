"""On or off."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from helm_desktop.theme import theme_of


class ToggleSwitch(QAbstractButton):
    """A button that stays on or off; space and click change it."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(32, 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        on = self.isChecked()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = theme.accent if self.hasFocus() else theme.button if on else theme.faint
        painter.setPen(QPen(QColor(theme.text if self.hasFocus() and on else edge), 1))
        painter.setBrush(QColor(theme.button if on and self.isEnabled() else theme.raised))
        painter.drawRoundedRect(QRectF(2.5, 2.5, 27, 15), 7.5, 7.5)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.on_button if on else theme.quiet))
        painter.drawEllipse(QPointF(22 if on else 10, 10), 5, 5)
        painter.end()
