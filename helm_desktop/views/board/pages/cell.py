"""A chart's place on the board: the card is there at once, the chart when it comes into view."""

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
    """The corner by which a chart is made larger or smaller."""

    pulled = Signal(QPoint)  # how far from where it was taken
    taken = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._from: QPoint | None = None
        self.setCursor(Qt.CursorShape.SizeFDiagCursor)
        self.setToolTip("Drag to resize")
        self.resize(QSize(GRIP, GRIP))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QPen(QColor(theme_of(self).faint), 1))
        for away in (4, 8):
            painter.drawLine(GRIP - 2 - away, GRIP - 3, GRIP - 3, GRIP - 2 - away)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._from = event.globalPosition().toPoint()
            self.taken.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._from is not None:
            self.pulled.emit(event.globalPosition().toPoint() - self._from)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._from = None


class ChartCell(QFrame):
    """Holds the name until the chart is built; is dragged by what the chart does not take for itself."""

    filled = Signal(str)  # the chart is there
    wished = Signal(str, str)  # chart, what is to be done with it: a value of KEYS
    menu_requested = Signal(str, QPoint)
    drag_began = Signal(str, QPoint)
    drag_moved = Signal(QPoint)
    drag_ended = Signal(QPoint)
    pulled = Signal(str, QSize, bool)  # chart, the size wanted, whether the pull begins
    metrics_dropped = Signal(str, list)

    def __init__(self, name: str, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self.chart: ChartView | None = None
        self._pressed: QPoint | None = None
        self._dragging = False
        self._taken_at = QSize()
        set_look(self, "card")
        self.setAcceptDrops(True)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._title = ElidedLabel(title or name, "title")
        self._title.setContentsMargins(12, 8, 12, 0)
        self._column.addWidget(self._title)
        self._column.addStretch(1)
        self._grip = ResizeGrip(self)
        self._grip.taken.connect(self._take)
        self._grip.pulled.connect(self._pull)

    @property
    def grip(self) -> QWidget:
        """The corner that resizes."""
        return self._grip

    def put(self, chart: ChartView) -> None:
        """The chart takes the whole place."""
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
        """The chart, which stood elsewhere for a while, is here again."""
        if self.chart is not None:
            self._column.addWidget(self.chart)
            self.chart.show()
            self._grip.raise_()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._grip.move(self.width() - GRIP - 3, self.height() - GRIP - 3)

    def _take(self) -> None:
        self._taken_at = self.size()
        self.pulled.emit(self.name, self.size(), True)

    def _pull(self, by: QPoint) -> None:
        size = QSize(self._taken_at.width() + by.x(), self._taken_at.height() + by.y())
        self.pulled.emit(self.name, size, False)

    # By mouse and keys ---------------------------------------------------------------------------

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

    def give_up_drag(self) -> None:
        """The drag was cancelled by key."""
        self._pressed, self._dragging = None, False

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.wished.emit(self.name, "full")

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_requested.emit(self.name, event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        wishes = {key.id: partial(self.wished.emit, self.name, key.id) for key in places.CHART_CARD}
        if not handle_key(event, places.CHART_CARD, wishes):
            super().keyPressEvent(event)

    # Metrics dropped on it -----------------------------------------------------------------------

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
