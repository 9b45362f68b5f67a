"""A view box between two fixed axes, and what the mouse does to it."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QGraphicsGridLayout, QStyleOptionGraphicsItem, QWidget

from helm_desktop.theme import Theme
from helm_desktop.views.board.axis import Choose, FixedAxis
from helm_desktop.views.board.canvas import Canvas, Picture

_DRAG_PX = 4
_TOP_PX = 8
_RIGHT_PX = 10


class Overlay(pg.GraphicsObject):  # type: ignore[misc]  # pyqtgraph has no types
    """The crosshair, or the stretch being dragged: apart from the picture, so that it stays cheap."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._colour = QColor()
        self._band = QRectF()
        self._x: float | None = None
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def dress(self, theme: Theme) -> None:
        """Takes the colours of a theme."""
        self._colour = QColor(theme.accent)
        self.update()

    def boundingRect(self) -> QRectF:
        height = self._canvas.size().height()
        if not self._band.isNull():
            return self._band
        return QRectF(self._x - 1, 0, 2, height) if self._x is not None else QRectF()

    def set_line(self, x: float | None) -> None:
        """The crosshair's place in pixels."""
        if x != self._x:
            self.prepareGeometryChange()
            self._x = x

    def set_band(self, a: float | None, b: float = 0.0) -> None:
        """The stretch between two places in pixels."""
        self.prepareGeometryChange()
        size = self._canvas.size()
        a_, b_ = (min(max(v, 0.0), size.width()) for v in (a or 0.0, b))
        self._band = QRectF() if a is None else QRectF(min(a_, b_), 0, max(abs(b_ - a_), 1), size.height())

    def paint(
        self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None
    ) -> None:
        if not self._band.isNull():
            fill = QColor(self._colour)
            fill.setAlphaF(0.18)
            painter.fillRect(self._band, fill)
        elif self._x is not None:
            line = QColor(self._colour)
            line.setAlphaF(0.8)
            painter.fillRect(QRectF(self._x - 0.5, 0, 1, self._canvas.size().height()), line)


class PlotView(pg.GraphicsView):  # type: ignore[misc]  # pyqtgraph has no types
    """Says what the mouse asks for; the chart decides."""

    range_requested = Signal(float, float)
    follow_requested = Signal()
    hovered = Signal(object)  # x, or None when the pointer left
    resized = Signal()

    def __init__(self, ticks_x: Choose, ticks_y: Choose, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.enableMouse(False)
        self.viewport().setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.box = pg.ViewBox(enableMenu=False, enableMouse=False)
        self.box.disableAutoRange()
        self.left = FixedAxis("left", ticks_y)
        self.bottom = FixedAxis("bottom", ticks_x)
        middle = pg.GraphicsWidget()
        grid = QGraphicsGridLayout()
        grid.setContentsMargins(0, _TOP_PX, _RIGHT_PX, 0)
        grid.setSpacing(0)
        grid.addItem(self.left, 0, 0)
        grid.addItem(self.box, 0, 1)
        grid.addItem(self.bottom, 1, 1)
        middle.setLayout(grid)
        self.setCentralItem(middle)
        for axis in (self.left, self.bottom):
            axis.linkToView(self.box)
        self.canvas = Canvas(self.box, theme)
        self.overlay = Overlay(self.canvas)
        self._pressed: QPointF | None = None
        self._panning = False
        self._range = (0.0, 1.0)
        self.dress(theme)

    def dress(self, theme: Theme) -> None:
        """Takes the colours of a theme."""
        self.setBackground(QColor(theme.card))
        for part in (self.left, self.bottom, self.canvas, self.overlay):
            part.dress(theme)

    def set_range(self, x: tuple[float, float], y: tuple[float, float]) -> None:
        """Moves both axes."""
        self._range = x
        self.box.setRange(xRange=x, yRange=y, padding=0, disableAutoRange=False)
        self.left.update()
        self.bottom.update()

    def show_picture(self, picture: Picture) -> None:
        """Paints anew."""
        self.canvas.show_picture(picture, self.devicePixelRatioF())

    # Places ------------------------------------------------------------------------------------

    def x_at(self, position: QPointF) -> float:
        """The x under a place of this widget."""
        local = self.canvas.mapFromScene(self.mapToScene(position.toPoint()))
        low, high = self._range
        return low + (high - low) * float(local.x()) / max(1.0, self.canvas.size().width())

    def place_of(self, x: float) -> float:
        """Where an x is inside the picture, in pixels."""
        low, high = self._range
        return (x - low) / (high - low) * self.canvas.size().width()

    def picture_rect(self) -> QRectF:
        """The room inside the axes, in this widget's pixels."""
        return QRectF(self.mapFromScene(self.canvas.sceneBoundingRect()).boundingRect())

    # Mouse -------------------------------------------------------------------------------------

    def wheelEvent(self, event: QWheelEvent) -> None:
        low, high = self._range
        turn, aside = event.angleDelta().y(), event.angleDelta().x()
        if turn:
            centre = self.x_at(event.position())
            factor = 1.2 ** (-turn / 120)
            self.range_requested.emit(centre - (centre - low) * factor, centre + (high - centre) * factor)
        elif aside:
            shift = -(high - low) * aside / 1200
            self.range_requested.emit(low + shift, high + shift)
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._panning = shifted or event.button() == Qt.MouseButton.MiddleButton
            self._pressed = event.position()
            event.accept()
        else:
            event.ignore()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        event.accept()
        if self._pressed is None or not event.buttons():
            self.hovered.emit(self.x_at(event.position()) if self._over(event.position()) else None)
            return
        if self._panning:
            shift = self.x_at(self._pressed) - self.x_at(event.position())
            self._pressed = event.position()
            self.range_requested.emit(self._range[0] + shift, self._range[1] + shift)
        elif self._dragged(event):
            self.overlay.set_band(self._local(self._pressed), self._local(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        self.overlay.set_band(None)
        event.accept()
        if pressed is not None and not self._panning and abs(event.position().x() - pressed.x()) >= _DRAG_PX:
            ends = sorted((self.x_at(pressed), self.x_at(event.position())))
            self.range_requested.emit(max(ends[0], self._range[0]), min(ends[1], self._range[1]))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._pressed = None
        self.follow_requested.emit()
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self.hovered.emit(None)

    def _over(self, position: QPointF) -> bool:
        return self.picture_rect().adjusted(0, -4, 1, 4).contains(position)

    def _dragged(self, event: QMouseEvent) -> bool:
        return self._pressed is not None and abs(event.position().x() - self._pressed.x()) >= _DRAG_PX

    def _local(self, position: QPointF) -> float:
        return float(self.canvas.mapFromScene(self.mapToScene(position.toPoint())).x())

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if event is not None:  # pyqtgraph calls it with None while it is being made
            self.resized.emit()
