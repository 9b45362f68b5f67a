"""The pages of the board, one in front."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from PySide6.QtWidgets import QStackedWidget, QWidget

from helm_desktop.model.board.shown_board import ShownPage
from helm_desktop.views.board.pages.cell import ChartCell
from helm_desktop.views.board.pages.grid import Span
from helm_desktop.views.board.pages.page import PageView


class PageSet(QStackedWidget):
    """Makes pages as they are wanted and gives up those that are gone; `nothing` is shown without any."""

    def __init__(self, nothing: QWidget) -> None:
        super().__init__()
        self._pages: dict[str, PageView] = {}
        self._nothing = nothing
        self.addWidget(nothing)

    def page(self, page_id: str) -> PageView | None:
        """Return a page by its id."""
        return self._pages.get(page_id)

    def show_plans(
        self,
        plans: Sequence[ShownPage],
        cells: Mapping[str, ChartCell],
        folded: Collection[str],
        spans: Mapping[str, Span],
    ) -> list[PageView]:
        """Lay every page out; those that are new."""
        fresh = []
        for plan in plans:
            if plan.id not in self._pages:
                page = self._pages[plan.id] = PageView()
                self.addWidget(page)
                fresh.append(page)
            self._pages[plan.id].show_plan(plan, cells, folded, spans)
        return fresh

    def remove_others(self, page_ids: Collection[str]) -> None:
        """Give up every other page."""
        for page_id in [page_id for page_id in self._pages if page_id not in page_ids]:
            page = self._pages.pop(page_id)
            self.removeWidget(page)
            page.deleteLater()

    def turn_to(self, page: PageView | None) -> None:
        """Bring a page to the front."""
        self.setCurrentWidget(page if page is not None else self._nothing)
