"""A view box between two fixed axes, and what the mouse does to it."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QMargins, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from helm_desktop.theme import Theme
from helm_desktop.views.board.canvas.axis import BOTTOM_PX, LEFT_PX, Choose, FixedAxis
from helm_desktop.views.board.canvas.canvas import INSET_PX, Canvas
from helm_desktop.views.board.canvas.plot_pixels import PlotPixels

_DRAG_PX = 4
_TOP_PX = 8
_RIGHT_PX = 10
HELP = (
    "Drag to zoom into a stretch, double click to follow again\n"
    "Ctrl+wheel zooms about the pointer, over the left axis it zooms y\n"
    "Shift+drag moves; + − ← → Home do the same\n"
    ", and . lead the crosshair from point to point, ↑ and ↓ from row to row, N puts a note there"
)


class PlotView(pg.GraphicsView):  # type: ignore[misc]  # pyqtgraph has no types
    """Says what the mouse asks for; the chart decides. Ranges are in the numbers of the axes.

    The wheel alone belongs to the board, which scrolls; where there is nothing to scroll it zooms too.
    """

    range_requested = Signal(float, float)
    y_requested = Signal(float, float)
    follow_requested = Signal()
    fit_requested = Signal()
    hovered = Signal(object, float)  # x and y, or None when the pointer left
    left_hovered = Signal(object)  # y beside the left axis, or None
    left_clicked = Signal(float)
    menu_requested = Signal(QPoint)
    resized = Signal()
    left_resized = Signal(int)  # the room of the left axis in pixels

    def __init__(self, ticks_x: Choose, ticks_y: Choose, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.enableMouse(False)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setCacheMode(self.CacheModeFlag.CacheNone)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.box = pg.ViewBox(enableMenu=False, enableMouse=False)
        self.box.disableAutoRange()
        self.left = FixedAxis("left", ticks_y)
        self.bottom = FixedAxis("bottom", ticks_x)
        for part in (self.left, self.bottom, self.box):
            self.addItem(part)
        for axis in (self.left, self.bottom):
            axis.linkToView(self.box)
        self.canvas = Canvas(self.viewport(), theme)
        self.pixels = PlotPixels(self.canvas)
        self._left_px = LEFT_PX
        self._pressed: QPointF | None = None
        self._panning = False
        self.apply_theme(theme)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.setBackground(QColor(theme.card))
        for part in (self.left, self.bottom, self.canvas):
            part.apply_theme(theme)

    def set_range(self, x: tuple[float, float], y: tuple[float, float]) -> None:
        """Move both axes."""
        self.pixels.x, self.pixels.y = x, y
        self.box.setRange(xRange=x, yRange=y, padding=0, disableAutoRange=False)
        self.refresh_axes()

    def refresh_axes(self) -> None:
        """Paint the labels anew."""
        self.left.update()
        self.bottom.update()

    def set_left(self, pixels: int, *, buttons: bool) -> None:
        """The room of the left axis, and whether its labels are names of rows."""
        self.left.buttons = buttons
        if pixels != self._left_px:
            self._left_px = pixels
            self.left.setWidth(pixels)
            self._place()
            self.left_resized.emit(pixels)

    @property
    def left_px(self) -> int:
        """The room of the left axis."""
        return self._left_px

    # Mouse -------------------------------------------------------------------------------------

    def wheelEvent(self, event: QWheelEvent) -> None:
        low, high = self.pixels.x
        turn, aside = event.angleDelta().y(), event.angleDelta().x()
        zooms = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier) or not self._in_scroll_area()
        if not zooms and not aside:
            event.ignore()
            return
        factor = 1.2 ** (-turn / 120)
        if turn and zooms and self.pixels.beside(event.position()):
            bottom, top = self.pixels.y
            middle = self.pixels.y_at(event.position())
            self.y_requested.emit(middle - (middle - bottom) * factor, middle + (top - middle) * factor)
        elif turn and zooms:
            centre = self.pixels.x_at(event.position())
            self.range_requested.emit(centre - (centre - low) * factor, centre + (high - centre) * factor)
        elif aside:
            shift = -(high - low) * aside / 1200
            self.range_requested.emit(low + shift, high + shift)
        event.accept()

    def _in_scroll_area(self) -> bool:
        above = self.parentWidget()
        while above is not None and not isinstance(above, QScrollArea):
            above = above.parentWidget()
        return above is not None

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_requested.emit(event.globalPos())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.pixels.beside(event.position()):
            self.left_clicked.emit(self.pixels.y_at(event.position()))
            event.accept()
        elif event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._panning = shifted or event.button() == Qt.MouseButton.MiddleButton
            self._pressed = event.position()
            event.accept()
        else:
            event.ignore()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        event.accept()
        at = event.position()
        if self._pressed is None or not event.buttons():
            self.hovered.emit(self.pixels.x_at(at) if self.pixels.over(at) else None, self.pixels.y_at(at))
            self.left_hovered.emit(self.pixels.y_at(at) if self.pixels.beside(at) else None)
            return
        if self._panning:
            shift = self.pixels.x_at(self._pressed) - self.pixels.x_at(at)
            self._pressed = at
            self.range_requested.emit(self.pixels.x[0] + shift, self.pixels.x[1] + shift)
        elif self._dragged(event):
            self.canvas.set_band(self.pixels.across(self._pressed), self.pixels.across(at))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        self.canvas.set_band(None)
        event.accept()
        if pressed is not None and not self._panning and abs(event.position().x() - pressed.x()) >= _DRAG_PX:
            ends = sorted((self.pixels.x_at(pressed), self.pixels.x_at(event.position())))
            self.range_requested.emit(max(ends[0], self.pixels.x[0]), min(ends[1], self.pixels.x[1]))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._pressed = None
        (self.fit_requested if self.pixels.beside(event.position()) else self.follow_requested).emit()
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self.hovered.emit(None, 0.0)
        self.left_hovered.emit(None)

    def _dragged(self, event: QMouseEvent) -> bool:
        return self._pressed is not None and abs(event.position().x() - self._pressed.x()) >= _DRAG_PX

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if event is None:  # pyqtgraph calls it so while it is being made
            return
        self._place()
        self.resized.emit()

    def _place(self) -> None:
        """By hand: a graphics layout that is collected after its items takes the process along."""
        left = self._left_px
        width = max(1, self.width() - left - _RIGHT_PX)
        height = max(1, self.height() - _TOP_PX - BOTTOM_PX)
        self.left.setGeometry(QRectF(0, _TOP_PX, left, height))
        self.box.setGeometry(QRectF(left, _TOP_PX, width, height))
        self.bottom.setGeometry(QRectF(left, _TOP_PX + height, width, BOTTOM_PX))
        edge = QMargins(INSET_PX, INSET_PX, INSET_PX, INSET_PX)
        self.canvas.setGeometry(QRect(left, _TOP_PX, width, height).marginsAdded(edge))
