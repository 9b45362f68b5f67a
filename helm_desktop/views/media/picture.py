"""A picture, fitted into its place or pixel for pixel."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from helm_desktop.theme import theme_of

_COARSE = 3  # times as large and more: each pixel is to be seen


class _Canvas(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.image = QImage()
        self.fitted = True

    def sizeHint(self) -> QSize:
        """Qt's: one pixel of the picture is one of the screen."""
        scale = self.devicePixelRatioF()
        return QSize(round(self.image.width() / scale), round(self.image.height() / scale))

    def image_rect(self) -> QRectF:
        """Return where the picture is drawn."""
        own = self.sizeHint()
        factor = 1.0
        if self.fitted and not own.isEmpty():
            factor = min(self.width() / own.width(), self.height() / own.height())
            if factor > _COARSE:
                factor = float(int(factor))
        width, height = own.width() * factor, own.height() * factor
        return QRectF((self.width() - width) // 2, (self.height() - height) // 2, width, height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's."""
        if self.image.isNull():
            return
        painter = QPainter(self)
        place = self.image_rect()
        smooth = place.width() < self.image.width() * _COARSE
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
        painter.drawImage(place, self.image)
        painter.setPen(QColor(theme_of(self).line))  # where the picture has the colour of its ground
        painter.drawRect(place.adjusted(0, 0, -1, -1))
        painter.end()


class PictureView(QScrollArea):
    """Fits at first; a double click shows it pixel for pixel, and back."""

    fitted_changed = Signal(bool)  # by a double click

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = _Canvas()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setWidgetResizable(True)
        self.setWidget(self.canvas)
        self.setAccessibleName("Picture")

    @property
    def fitted(self) -> bool:
        """Whether the picture is fitted into its place."""
        return self.canvas.fitted

    def set_image(self, image: QImage) -> None:
        """Another picture, shown as the one before."""
        self.canvas.image = image
        self.set_fitted(self.canvas.fitted)

    def set_fitted(self, on: bool) -> None:
        """Fit the picture, or show it pixel for pixel with scroll bars."""
        self.canvas.fitted = on
        self.setWidgetResizable(on)
        if not on:
            self.canvas.resize(self.canvas.sizeHint())
        self.canvas.updateGeometry()
        self.canvas.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Qt's."""
        self.set_fitted(not self.canvas.fitted)
        self.fitted_changed.emit(self.canvas.fitted)
