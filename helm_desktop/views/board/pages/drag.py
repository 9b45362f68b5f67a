"""The drag of a chart to another place on the board by the mouse."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPixmap
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from helm_desktop.actions import places
from helm_desktop.views.board.pages.cell import ChartCell
from helm_desktop.views.board.pages.page import PageView
from helm_desktop.views.board.pages.page_tabs import PageTabs
from helm_desktop.widgets import handle_key

GHOST_PX = 220
EDGE_PX = 36
SCROLL_PX = 14
TURN_MS = 350


class ChartDrag(QObject):
    """Marks where the chart would be dropped. Over a tab it shows that page, near an edge it scrolls."""

    dropped = Signal(str, str, str)  # the chart, its new section, and the chart that follows it

    def __init__(self, board: QWidget, tabs: PageTabs) -> None:
        super().__init__(board)
        self._board = board
        self._tabs = tabs
        self._page: PageView | None = None
        self._cell: ChartCell | None = None
        self._at = QPoint()
        self._ghost = QLabel(board)
        self._ghost.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._ghost.hide()
        self._turn = QTimer(self)
        self._turn.setSingleShot(True)
        self._turn.setInterval(TURN_MS)
        self._turn.timeout.connect(self._turn_page)
        self._scroll = QTimer(self)
        self._scroll.setInterval(30)
        self._scroll.timeout.connect(self._scroll_on)

    @property
    def under_way(self) -> bool:
        """True while a chart is dragged."""
        return self._cell is not None

    def begin(self, cell: ChartCell, place: QPoint) -> None:
        """Start to drag a chart; `place` is the mouse on the screen."""
        self._cell = cell
        picture = cell.grab()
        ratio = picture.devicePixelRatio()
        small = picture.scaledToWidth(round(GHOST_PX * ratio), Qt.TransformationMode.SmoothTransformation)
        self._ghost.setPixmap(_faded(small))
        self._ghost.adjustSize()
        self._ghost.show()
        self._ghost.raise_()
        QApplication.instance().installEventFilter(self)  # type: ignore[union-attr]
        self.move(place)

    def show_page(self, page: PageView | None) -> None:
        """Follow the change to another page in front."""
        if self._page is not None and self._page is not page and self.under_way:
            self._page.mark(None)
        self._page = page

    def move(self, place: QPoint) -> None:
        """Move the picture of the chart and the marker to the mouse; `place` is on the screen."""
        self._at = place
        self._ghost.move(self._board.mapFromGlobal(place) + QPoint(10, 10))
        if self._page is not None:
            self._page.mark(place)
        tab = self._tabs.tabAt(self._tabs.mapFromGlobal(place))
        if tab >= 0 and tab != self._tabs.currentIndex():
            if not self._turn.isActive():
                self._turn.start()
        else:
            self._turn.stop()
        if self._speed():
            if not self._scroll.isActive():
                self._scroll.start()
        else:
            self._scroll.stop()

    def end(self, place: QPoint) -> None:
        """Drop the chart where the mouse was released; `place` is on the screen."""
        cell, page = self._cell, self._page
        found = page.place_at(place) if page is not None else None
        self.cancel()
        if cell is not None and found is not None:
            self.dropped.emit(cell.name, found[0].section, found[1])

    def cancel(self) -> None:
        """End the drag without a drop."""
        if self._cell is not None:
            self._cell.cancel_drag()
            QApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]
        self._cell = None
        self._turn.stop()
        self._scroll.stop()
        self._ghost.hide()
        if self._page is not None:
            self._page.mark(None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Cancel the drag with Escape; ignore every other key while a chart is dragged."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            handle_key(event, places.DRAG, {"cancel": self.cancel})
            return True
        return False

    def _turn_page(self) -> None:
        tab = self._tabs.tabAt(self._tabs.mapFromGlobal(self._at))
        if tab >= 0 and self.under_way:
            self._tabs.setCurrentIndex(tab)

    def _speed(self) -> int:
        """Return how many pixels to scroll at a time: 0 away from the edges, negative at the upper edge."""
        if self._page is None:
            return 0
        port = self._page.viewport()
        area = QRect(port.mapToGlobal(QPoint(0, 0)), port.size())
        if area.left() <= self._at.x() <= area.right():
            if area.top() <= self._at.y() < area.top() + EDGE_PX:
                return -SCROLL_PX
            if area.bottom() - EDGE_PX < self._at.y() <= area.bottom() + EDGE_PX:
                return SCROLL_PX
        return 0

    def _scroll_on(self) -> None:
        if self._page is not None and self.under_way:
            bar = self._page.verticalScrollBar()
            bar.setValue(bar.value() + self._speed())
            self._page.mark(self._at)


def _faded(picture: QPixmap) -> QPixmap:
    from PySide6.QtGui import QPainter

    faded = QPixmap(picture.size())
    faded.setDevicePixelRatio(picture.devicePixelRatio())
    faded.fill(Qt.GlobalColor.transparent)
    painter = QPainter(faded)
    painter.setOpacity(0.75)
    painter.drawPixmap(0, 0, picture)
    painter.end()
    return faded
