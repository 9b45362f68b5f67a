"""The board of the open run: page tabs over pages of charts that share crosshair and zoom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from helm_desktop.actions import places
from helm_desktop.model.board.shown_board import BadPattern, finder
from helm_desktop.views.board.pages.edits import BoardEdits
from helm_desktop.views.board.pages.menus import BoardMenus
from helm_desktop.views.board.pages.page_stage import BoardStage
from helm_desktop.views.board.pages.screen_report import ChartReport, facts_of
from helm_desktop.widgets import handle_key

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session
    from helm_desktop.views.board.chart.chart import ChartView


class BoardView(BoardStage):
    """What a run shows on its board, with the search for charts; the desk does the edits."""

    inspect_requested = Signal(str)  # words to search the model for
    session_left = Signal()  # another run takes this one's place

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session: Session | None = None
        self.desk = BoardEdits(self)
        self._menus = BoardMenus(self, self.desk)
        self.head.pills.whole_requested.connect(self.follow)
        self.head.find_changed.connect(self._search)
        self.head.found_wanted.connect(self._show_first)
        self.charts.zoom_changed.connect(self._show_zoom)
        self.charts.row_requested.connect(self.inspect_requested)
        self.laid_out.connect(self._say_found)
        self.laid_out.connect(self._say_empty)
        self._say_empty()

    # The run -------------------------------------------------------------------------------------

    def set_session(self, session: Session | None) -> None:
        """Shows another run; the charts of the one before are given up."""
        self.session_left.emit()
        before, self._session = self._session, session
        if before is not None:
            before.streams_changed.disconnect(self._take_names)
            before.status_changed.disconnect(self._say_empty)
        self.full.leave()
        self.charts.set_session(session)
        self.forget_cells(list(self.cells.by_id))
        if session is not None:
            session.streams_changed.connect(self._take_names)
            session.status_changed.connect(self._say_empty)
        self._take_names()

    @property
    def session(self) -> Session | None:
        """The open run."""
        return self._session

    def _take_names(self) -> None:
        session = self._session
        self.model.set_names(session.charted if session is not None else [])
        if session is not None:
            axes = [name for name, series in session.store.series.items() if series.kind == "axis"]
            self.head.pills.set_axes(axes)

    def built(self) -> Iterator[ChartView]:
        """The charts that have been in sight."""
        return iter(self.charts)

    def facts(self) -> list[ChartReport]:
        """What each chart of the board shows now."""
        page = self.current_page if self.full.chart_id == "" else None
        return facts_of(self._plans, page, self.charts, self.model, self._session)

    def set_inspects(self, on: bool) -> None:
        """Whether a heatmap's row leads into the model: on a run that offers captures."""
        self.charts.set_inspects(on)

    # Pages ---------------------------------------------------------------------------------------

    def fold_all(self, on: bool) -> None:
        """Folds or unfolds every section of the page."""
        page = self.current_page
        if page is not None:
            self.desk.sections.fold([section.id for section in page.sections], on)

    @property
    def empty_words(self) -> str:
        """What the board says while it has no chart."""
        return self.empty.words

    # Search --------------------------------------------------------------------------------------

    def open_search(self) -> None:
        """Opens the search for charts."""
        self.full.leave()
        self.head.open_search()

    def _search(self, text: str, regex: bool) -> None:
        try:
            self.searched = finder(text, regex=regex)
        except BadPattern as error:
            self.head.say_found(str(error), wrong=True)
            return
        self.lay_out()

    def _show_first(self) -> None:
        """From the search to the first chart that it has found."""
        first = next((chart for plan in self._plans for chart in plan.charts), "")
        if first:
            self.show_chart(first)

    def _say_found(self) -> None:
        if self.searched is None:
            self.head.say_found("")
            return
        found = sum(len(plan.charts) for plan in self._plans)
        total = sum(len(page.charts) for page in self.model.shown(hidden_too=self.hidden_too))
        self.head.say_found(f"{found:,} of {total:,} charts")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        search = self.head.close_search if self.head.searching else None
        if not handle_key(event, places.BOARD, {"leave": self.full.leave if self.full.chart_id else search}):
            super().keyPressEvent(event)

    def follow(self) -> None:
        """Undoes every zoom: all charts show the whole run and follow it."""
        self.charts.follow()

    def show_step(self, step: int) -> None:
        """Marks a step on every chart."""
        self.charts.show_step(step)

    def _show_zoom(self, zoom: tuple[float, float] | None) -> None:
        self.head.pills.show_range(zoom, self.model.layout.x)

    def elided(self) -> list[str]:
        """Texts of chart titles that had to be shortened."""
        return self.charts.elided()

    def _say_empty(self) -> None:
        self.empty.say(self._session, searching=self.searched is not None)
