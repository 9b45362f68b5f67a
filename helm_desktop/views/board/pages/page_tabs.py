"""The tabs of the board's pages. A click shows a page, a double click renames it, a drag moves it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Signal
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QTabBar, QWidget

from helm_desktop.model.board.shown_board import ShownPage
from helm_desktop.views.board.pages.rename_field import TitleEdit


class PageTabs(QTabBar):
    """The tab bar of the pages; each tab holds the id of its page."""

    page_moved = Signal(str, str)  # a page, and the page that follows it now; "" at the end
    page_renamed = Signal(str, str)
    menu_requested = Signal(str, QPoint)
    drag_began = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(True)
        self.setMovable(True)
        self.setAccessibleName("Pages")
        self.tabMoved.connect(self._on_moved)
        self._showing = False

    def minimumSizeHint(self) -> QSize:
        """Return at most the size hint: Qt's minimum includes scroll arrows even where none are needed."""
        return super().minimumSizeHint().boundedTo(self.sizeHint())

    def page_at(self, number: int) -> str:
        """Return the id of a tab's page; empty when there is no such tab."""
        return str(self.tabData(number) or "")

    @property
    def current_page(self) -> str:
        """The id of the page in front."""
        return self.page_at(self.currentIndex())

    def number_of(self, page_id: str) -> int:
        """Return the index of a page's tab; -1 when there is none."""
        return next((at for at in range(self.count()) if self.page_at(at) == page_id), -1)

    def show_pages(self, pages: Sequence[ShownPage]) -> None:
        """Show the tabs of these pages in this order; the page in front stays in front."""
        self._showing = True
        wanted = {page.id for page in pages}
        for at in reversed(range(self.count())):
            if self.page_at(at) not in wanted:
                self.removeTab(at)
        for at, page in enumerate(pages):
            now = self.number_of(page.id)
            if now < 0:
                self.insertTab(at, page.title)
                self.setTabData(at, page.id)
            elif now != at:
                self.moveTab(now, at)
            if self.tabText(at) != page.title:
                self.setTabText(at, page.title)
        self._showing = False

    def turn_to(self, page_id: str) -> None:
        """Bring a page to the front."""
        number = self.number_of(page_id)
        if number >= 0:
            self.setCurrentIndex(number)

    def rename(self, page_id: str) -> None:
        """Open a field over a tab to edit its title."""
        number = self.number_of(page_id)
        if number >= 0:
            over = self.parentWidget() or self
            place = self.tabRect(number)
            place.moveTopLeft(self.mapTo(over, place.topLeft()))
            TitleEdit(over, place, self.tabText(number), lambda text: self.page_renamed.emit(page_id, text))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.drag_began.emit()
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        number = self.tabAt(event.position().toPoint())
        if number >= 0:
            self.rename(self.page_at(number))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        number = self.tabAt(event.pos())
        if number >= 0:
            self.menu_requested.emit(self.page_at(number), event.globalPos())

    def _on_moved(self, _from: int, to: int) -> None:
        if not self._showing:
            self.page_moved.emit(self.page_at(to), self.page_at(to + 1))
