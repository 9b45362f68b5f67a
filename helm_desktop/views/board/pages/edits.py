"""What a reader does to the board: every edit, its menu, and where it is asked for."""

from __future__ import annotations

from itertools import count

from PySide6.QtCore import QObject, QPoint, QSize, Signal

from helm_desktop.format import plural
from helm_desktop.model.board import edits as edits
from helm_desktop.model.board.layout import BoardLayout
from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.views.board.pages.cell import ChartCell
from helm_desktop.views.board.pages.drag import ChartDrag
from helm_desktop.views.board.pages.page import PageView
from helm_desktop.views.board.pages.page_stage import BoardStage
from helm_desktop.views.board.pages.section_edits import SectionEdits

_gestures = count(1)


class BoardEdits(QObject):
    """Turns wishes into edits of the board's model."""

    notified = Signal(str)

    def __init__(self, board: BoardStage) -> None:
        super().__init__(board)
        self._board = board
        self._model = board.model
        self._gesture = 0
        self.sections = SectionEdits(board)
        self.sections.notified.connect(self.notified)
        self.drag = ChartDrag(board, board.tabs)
        self.drag.dropped.connect(self.move_chart)
        head = board.head
        head.page_wanted.connect(self.add_page)
        head.tabs.page_moved.connect(self._page_moved)
        head.tabs.page_renamed.connect(self.rename_page)
        head.tabs.drag_began.connect(self.begin_gesture)
        head.pills.x_chosen.connect(self.set_x)
        head.pills.smoothing_chosen.connect(self.set_smoothing)
        head.pills.smoothing_began.connect(self.begin_gesture)
        board.cells.made.connect(self._look_after)
        board.page_made.connect(self._listen)
        board.page_turned.connect(self.drag.show_page)

    def _listen(self, page: PageView) -> None:
        page.folded.connect(self.sections.fold_one)
        page.metrics_dropped.connect(self.add_metrics)

    def _look_after(self, cell: ChartCell) -> None:
        cell.wished.connect(self.do)
        cell.filled.connect(self._filled)
        cell.drag_began.connect(self._drag_began)
        cell.drag_moved.connect(self.drag.move)
        cell.drag_ended.connect(self.drag.end)
        cell.pulled.connect(self._pulled)
        cell.metrics_dropped.connect(self.add_series)

    def begin_gesture(self) -> None:
        """What follows is undone together."""
        self._gesture = next(_gestures)

    def undo(self) -> None:
        """Takes the last edit back."""
        self._model.stack.undo()

    def redo(self) -> None:
        """Does what was undone."""
        self._model.stack.redo()

    # The board -----------------------------------------------------------------------------------

    def set_x(self, x: str) -> None:
        """The x axis of every chart that does not say so itself."""
        self._model.change("change x axis", lambda layout: layout.with_(x=x))

    def set_smoothing(self, weight: float) -> None:
        """The smoothing of every chart that has none of its own."""
        self._model.change("change smoothing", lambda layout: layout.with_(smoothing=weight), self._gesture)

    def reset(self) -> None:
        """Back to the rules."""
        if self._model.reset():
            self.notified.emit("The layout was reset. Ctrl+Z brings back what it was.")

    def show_hidden(self, on: bool) -> None:
        """Shows hidden charts in their places, or not."""
        self._board.hidden_too = on
        self._board.lay_out()

    # Pages ---------------------------------------------------------------------------------------

    def add_page(self) -> None:
        """One more page, its title to be typed."""
        taken = {page.title for page in self._model.pages}
        title = next(name for n in count(1) if (name := f"Page {n}") not in taken)
        self._model.arrange("add page", lambda layout: edits.add_page(layout, title))
        page_id = self._model.pages[-1].id
        self._board.tabs.turn_to(page_id)
        self._board.tabs.rename(page_id)

    def rename_current_page(self) -> None:
        """Edits the title of the page in front."""
        self._board.tabs.rename(self._board.tabs.current_page)

    def rename_page(self, page_id: str, title: str) -> None:
        """Another title on a tab."""
        self._model.arrange("rename page", lambda layout: edits.rename_page(layout, page_id, title))

    def remove_page(self, page_id: str = "") -> None:
        """A page and its charts go."""
        page_id = page_id or self._board.tabs.current_page
        page = next((page for page in self._model.pages if page.id == page_id), None)
        if page is None:
            return
        if self._model.arrange("delete page", lambda layout: edits.remove_page(layout, page_id)):
            charts = plural(len(page.charts), "chart")
            self.notified.emit(f"Deleted the page {page.title} with {charts}. Ctrl+Z brings it back.")

    def move_page(self, by: int, page_id: str = "") -> None:
        """The page in front to the left or the right."""
        page_id = page_id or self._board.tabs.current_page
        at = self._board.tabs.number_of(page_id) + by
        if 0 <= at < self._board.tabs.count():
            after = at + 1 if by > 0 else at
            self._page_moved(page_id, self._board.tabs.page_at(after))

    def _page_moved(self, page_id: str, before: str) -> None:
        def work(layout: BoardLayout) -> BoardLayout:
            rest = [page.id for page in layout.pages or () if page.id != page_id]
            return edits.move_page(layout, page_id, rest.index(before) if before in rest else len(rest))

        self._model.arrange("move page", work, self._gesture)

    # Charts --------------------------------------------------------------------------------------

    def do(self, chart_id: str, wish: str) -> None:
        """One of the things that can be done to a chart."""
        model, board = self._model, self._board
        chart = model.chart(chart_id)
        if wish == "full":
            board.toggle_full(chart_id)
        elif wish == "edit":
            board.edit_requested.emit(chart_id)
        elif wish == "note":
            self._note(chart_id)
        elif wish == "duplicate":
            model.arrange("duplicate chart", lambda layout: edits.duplicate_chart(layout, chart_id))
        elif wish == "hide":
            hide = not chart.hidden
            model.change(
                "hide chart" if hide else "show chart",
                lambda layout: edits.set_chart(layout, chart_id, hidden=hide),
            )
        elif wish == "pin":
            pin = not chart.pinned
            model.change(
                "pin chart" if pin else "unpin chart",
                lambda layout: edits.set_chart(layout, chart_id, pinned=pin),
            )
        elif wish == "delete":
            model.arrange("delete chart", lambda layout: edits.remove_chart(layout, chart_id))
            self.notified.emit(f"Deleted {chart.spec.heading} from the board. Ctrl+Z brings it back.")

    def _note(self, chart_id: str) -> None:
        cell = self._board.cell(chart_id)
        if cell is not None and cell.chart is not None and not cell.chart.menu.ask_note():
            self.notified.emit("A note belongs to a step: choose a chart of curves, over steps or time.")

    def do_current(self, wish: str) -> None:
        """The same to the chart that has the focus."""
        if self._board.current:
            self.do(self._board.current, wish)
        else:
            self.notified.emit("Choose a chart first: click its title, or reach it with Tab.")

    def resize_current(self, columns: int, rows: int) -> None:
        """The chart in focus wider or narrower, taller or lower."""
        chart_id = self._board.current
        if chart_id:
            now = self._model.chart(chart_id)
            self._resize(chart_id, now.columns + columns, now.rows + rows, 0)

    def move_current(self, by: int) -> None:
        """The chart in focus one place on, into the next section after the last."""
        chart_id = self._board.current
        plan = next((plan for plan in self._board.plans if chart_id in plan.charts), None)
        if plan is None:
            return
        at = next(n for n, one in enumerate(plan.sections) if chart_id in one.charts)
        charts = plan.sections[at].charts
        place = charts.index(chart_id)
        if 0 <= place + by < len(charts):
            after = place + by + (1 if by > 0 else 0)
            self.move_chart(chart_id, plan.sections[at].id, charts[after] if after < len(charts) else "")
        elif 0 <= at + by < len(plan.sections):
            other = plan.sections[at + by]
            self.move_chart(chart_id, other.id, other.charts[0] if by > 0 and other.charts else "")
        self._board.show_chart(chart_id)

    def move_chart(self, chart_id: str, section_id: str, before: str = "") -> None:
        """A chart to another place."""
        self._model.arrange(
            "move chart", lambda layout: edits.move_chart(layout, chart_id, section_id, before)
        )

    def add_series(self, chart_id: str, names: list[str]) -> None:
        """Metrics dropped on a chart."""
        added = self._model.add_series(chart_id, names)
        heading = self._model.chart(chart_id).spec.heading
        if added:
            self.notified.emit(f"Added {', '.join(added[:3])}{' and more' if len(added) > 3 else ''}")
        else:
            self.notified.emit(f"{heading} shows that already")

    def add_metrics(self, names: list[str], section: str = "", before: str = "") -> str:
        """Metrics dropped beside the charts: a chart of their own. Its id."""
        if not names:
            return ""
        if not section:
            page = self._board.current_page
            own = [one.id for one in page.sections if not one.id.endswith("/pinned")] if page else []
            section = own[-1] if own else ""
        return self._model.add_chart(ChartSpec(series=tuple(names)), section, before)

    def _resize(self, chart_id: str, columns: int, rows: int, gesture: int) -> None:
        self._model.change(
            "resize chart", lambda layout: edits.resize_chart(layout, chart_id, columns, rows), gesture
        )

    def _pulled(self, chart_id: str, size: QSize, begins: bool) -> None:
        if begins:
            self.begin_gesture()
            return
        page = self._board.current_page
        grid = page.grid_of(chart_id) if page is not None else None
        if grid is not None:
            self._resize(chart_id, *grid.span_for(chart_id, size.width(), size.height()), self._gesture)

    def _drag_began(self, chart_id: str, place: QPoint) -> None:
        cell = self._board.cell(chart_id)
        if cell is not None:
            self.drag.begin(cell, place)

    def _filled(self, chart_id: str) -> None:
        cell = self._board.cell(chart_id)
        if cell is not None and cell.chart is not None:
            cell.chart.export_failed.connect(self.notified)
            cell.chart.copied.connect(self._say_copied)

    def _say_copied(self) -> None:
        self.notified.emit("Copied the chart as a picture")
