"""The place of one chart on the board: a card at first; the chart is built when it comes into view."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QFrame, QVBoxLayout, QWidget

from helm_desktop.actions import places
from helm_desktop.model.board.metric_drag import METRICS, dragged
from helm_desktop.theme import set_look, set_state, theme_of
from helm_desktop.widgets import ElidedLabel, handle_key

if TYPE_CHECKING:
    from helm_desktop.views.board.chart.chart import ChartView

GRIP = 14


class ResizeGrip(QWidget):
    """The corner of a chart that is dragged to resize it."""

    pressed = Signal()
    dragged = Signal(QPoint)  # how far the mouse is from where it was pressed, in pixels

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._pressed_at: QPoint | None = None
        self.setCursor(Qt.CursorShape.SizeFDiagCursor)
        self.setToolTip("Drag to resize")
        self.resize(QSize(GRIP, GRIP))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QPen(QColor(theme_of(self).faint), 1))
        for offset in (4, 8):
            painter.drawLine(GRIP - 2 - offset, GRIP - 3, GRIP - 3, GRIP - 2 - offset)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed_at = event.globalPosition().toPoint()
            self.pressed.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed_at is not None:
            self.dragged.emit(event.globalPosition().toPoint() - self._pressed_at)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pressed_at = None


class ChartCell(QFrame):
    """Shows the chart's title until the chart is built. A drag of any part without mouse handling of its own
    moves the chart.
    """

    filled = Signal(str)  # the id of the chart, which has been built
    action_requested = Signal(str, str)  # the chart's id, and the id of an action of CHART_CARD
    menu_requested = Signal(str, QPoint)
    drag_began = Signal(str, QPoint)
    drag_moved = Signal(QPoint)
    drag_ended = Signal(QPoint)
    resize_requested = Signal(str, QSize, bool)  # the chart's id, the size, True at the begin of a drag
    metrics_dropped = Signal(str, list)

    def __init__(self, name: str, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self.chart: ChartView | None = None
        self._pressed: QPoint | None = None
        self._dragging = False
        self._size_at_press = QSize()
        set_look(self, "card")
        self.setAcceptDrops(True)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._title = ElidedLabel(title or name, "title")
        self._title.setContentsMargins(12, 8, 12, 0)
        self._column.addWidget(self._title)
        self._column.addStretch(1)
        self._grip = ResizeGrip(self)
        self._grip.pressed.connect(self._begin_resize)
        self._grip.dragged.connect(self._resize)

    @property
    def grip(self) -> QWidget:
        """The corner that resizes the chart."""
        return self._grip

    def set_chart(self, chart: ChartView) -> None:
        """Show the chart, in place of the title."""
        self.chart = chart
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        set_look(self, "place")
        self._column.addWidget(chart)
        self._grip.raise_()
        self.filled.emit(self.name)

    def restore_chart(self) -> None:
        """Show the chart here again, after it was shown over the whole board."""
        if self.chart is not None:
            self._column.addWidget(self.chart)
            self.chart.show()
            self._grip.raise_()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._grip.move(self.width() - GRIP - 3, self.height() - GRIP - 3)

    def _begin_resize(self) -> None:
        self._size_at_press = self.size()
        self.resize_requested.emit(self.name, self.size(), True)

    def _resize(self, by: QPoint) -> None:
        before = self._size_at_press
        size = QSize(before.width() + by.x(), before.height() + by.y())
        self.resize_requested.emit(self.name, size, False)

    # Mouse and keys ------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.globalPosition().toPoint()
            if self.chart is not None:
                self.chart.setFocus(Qt.FocusReason.MouseFocusReason)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.globalPosition().toPoint()
        if self._pressed is None:
            return
        far = (place - self._pressed).manhattanLength() >= QApplication.startDragDistance()
        if not self._dragging and far:
            self._dragging = True
            self.drag_began.emit(self.name, self._pressed)
        if self._dragging:
            self.drag_moved.emit(place)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pressed = None
        if self._dragging:
            self._dragging = False
            self.drag_ended.emit(event.globalPosition().toPoint())

    def cancel_drag(self) -> None:
        """End a drag that was cancelled by key, without a drop."""
        self._pressed, self._dragging = None, False

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.action_requested.emit(self.name, "full")

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_requested.emit(self.name, event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        handlers = {
            key.id: partial(self.action_requested.emit, self.name, key.id) for key in places.CHART_CARD
        }
        if not handle_key(event, places.CHART_CARD, handlers):
            super().keyPressEvent(event)

    # Metrics dropped on the chart ----------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasFormat(METRICS):
            event.acceptProposedAction()
            set_state(self, "selected", True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        set_state(self, "selected", False)

    def dropEvent(self, event: QDropEvent) -> None:
        set_state(self, "selected", False)
        self.metrics_dropped.emit(self.name, dragged(event.mimeData()))
        event.acceptProposedAction()
