"""The pages of the board, one of which is in front."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from PySide6.QtWidgets import QStackedWidget, QWidget

from helm_desktop.model.board.shown_board import ShownPage
from helm_desktop.views.board.pages.cell import ChartCell
from helm_desktop.views.board.pages.grid import Span
from helm_desktop.views.board.pages.page import PageView


class PageSet(QStackedWidget):
    """Creates pages when the board gets them and removes old ones; shows `nothing` while there is none."""

    def __init__(self, nothing: QWidget) -> None:
        super().__init__()
        self._pages: dict[str, PageView] = {}
        self._nothing = nothing
        self.addWidget(nothing)

    def page(self, page_id: str) -> PageView | None:
        """Return a page by its id; None when there is none."""
        return self._pages.get(page_id)

    def lay_out(
        self,
        pages: Sequence[ShownPage],
        cells: Mapping[str, ChartCell],
        folded: Collection[str],
        spans: Mapping[str, Span],
    ) -> list[PageView]:
        """Lay every page out and return the pages that are new."""
        added = []
        for shown in pages:
            if shown.id not in self._pages:
                page = self._pages[shown.id] = PageView()
                self.addWidget(page)
                added.append(page)
            self._pages[shown.id].lay_out(shown, cells, folded, spans)
        return added

    def remove_others(self, page_ids: Collection[str]) -> None:
        """Remove every other page."""
        for page_id in [page_id for page_id in self._pages if page_id not in page_ids]:
            page = self._pages.pop(page_id)
            self.removeWidget(page)
            page.deleteLater()

    def turn_to(self, page: PageView | None) -> None:
        """Show a page; None shows the widget for a board without pages."""
        self.setCurrentWidget(page if page is not None else self._nothing)
