"""The search for charts on the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from helm_desktop.model.board.shown_board import BadPattern, finder
from helm_desktop.views.board.pages.board_pages import BoardPages
from helm_desktop.views.board.pages.current_chart import CurrentChart
from helm_desktop.views.board.pages.full_chart import FullChart
from helm_desktop.views.board.pages.head import BoardHead

if TYPE_CHECKING:
    from helm_desktop.model.board.board_model import BoardModel


class BoardSearch(QObject):
    """Filters the pages by the text in the search field of the head, and shows how many charts match."""

    def __init__(
        self, model: BoardModel, head: BoardHead, pages: BoardPages, full: FullChart, current: CurrentChart
    ) -> None:
        super().__init__(pages)
        self._model = model
        self._head = head
        self._pages = pages
        self._full = full
        self._current = current
        head.find_changed.connect(self._search)
        head.first_found_requested.connect(self._show_first)
        pages.laid_out.connect(self._show_count)

    @property
    def active(self) -> bool:
        """True while a search filters the charts."""
        return self._pages.filter is not None

    def open(self) -> None:
        """Open the search field, and return from a chart that fills the board."""
        self._full.leave()
        self._head.open_search()

    def _search(self, text: str, regex: bool) -> None:
        try:
            find = finder(text, regex=regex)
        except BadPattern as error:
            self._head.show_found(str(error), wrong=True)
            return
        self._pages.set_filter(find)

    def _show_first(self) -> None:
        """Give the focus to the first chart that matches."""
        first = next((chart for page in self._pages.shown for chart in page.charts), "")
        if first:
            self._current.show(first)

    def _show_count(self) -> None:
        if not self.active:
            self._head.show_found("")
            return
        found = sum(len(page.charts) for page in self._pages.shown)
        total = sum(len(page.charts) for page in self._model.shown(hidden_too=self._pages.hidden_too))
        self._head.show_found(f"{found:,} of {total:,} charts")
