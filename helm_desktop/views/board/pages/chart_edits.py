"""Edits of the charts of the board, requested by key, by mouse and by menu."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QSize, Signal

from helm_desktop.model.board import edits as edits
from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.views.board.pages.cell import ChartCell
from helm_desktop.views.board.pages.drag import ChartDrag
from helm_desktop.views.board.pages.gesture import EditGesture
from helm_desktop.views.board.pages.page import PageView
from helm_desktop.views.board.pages.parts import BoardParts


class ChartEdits(QObject):
    """Turns requests of the reader into edits of the board's model, each of which can be undone."""

    notified = Signal(str)
    edit_requested = Signal(str)  # a chart's id

    def __init__(self, board: BoardParts, gesture: EditGesture) -> None:
        super().__init__(board.frame)
        self._board = board
        self._model = board.model
        self._gesture = gesture
        self.drag = ChartDrag(board.frame, board.head.tabs)
        self.drag.dropped.connect(self.move)
        board.cells.made.connect(self._connect_cell)
        board.pages.page_made.connect(self._connect_page)
        board.pages.turned.connect(self.drag.show_page)

    def _connect_page(self, page: PageView) -> None:
        page.metrics_dropped.connect(self.add_metrics)

    def _connect_cell(self, cell: ChartCell) -> None:
        cell.action_requested.connect(self.do)
        cell.filled.connect(self._on_filled)
        cell.drag_began.connect(self._on_drag_began)
        cell.drag_moved.connect(self.drag.move)
        cell.drag_ended.connect(self.drag.end)
        cell.resize_requested.connect(self._on_resize_requested)
        cell.metrics_dropped.connect(self.add_series)

    def do(self, chart_id: str, action: str) -> None:
        """Do one action to a chart: full, edit, note, duplicate, hide, pin or delete."""
        model = self._model
        chart = model.chart(chart_id)
        if action == "full":
            self._board.full.toggle(chart_id)
        elif action == "edit":
            self.edit_requested.emit(chart_id)
        elif action == "note":
            self._note(chart_id)
        elif action == "duplicate":
            model.arrange("duplicate chart", lambda layout: edits.duplicate_chart(layout, chart_id))
        elif action == "hide":
            hide = not chart.hidden
            model.change(
                "hide chart" if hide else "show chart",
                lambda layout: edits.set_chart(layout, chart_id, hidden=hide),
            )
        elif action == "pin":
            pin = not chart.pinned
            model.change(
                "pin chart" if pin else "unpin chart",
                lambda layout: edits.set_chart(layout, chart_id, pinned=pin),
            )
        elif action == "delete":
            model.arrange("delete chart", lambda layout: edits.remove_chart(layout, chart_id))
            self.notified.emit(f"Deleted {chart.spec.heading} from the board. Ctrl+Z brings it back.")

    def _note(self, chart_id: str) -> None:
        chart = self._board.charts.chart(chart_id)
        if chart is not None and not chart.notes.ask():
            self.notified.emit("A note belongs to a step. Choose a chart of curves over steps or time first.")

    def do_current(self, action: str) -> None:
        """Do one action to the chart that had the focus last."""
        if self._board.current.id:
            self.do(self._board.current.id, action)
        else:
            self.notified.emit("Choose a chart first: click its title, or reach it with Tab.")

    # Size and place ------------------------------------------------------------------------------

    def resize_current(self, columns: int, rows: int) -> None:
        """Make the current chart larger by so many columns and rows; negative numbers make it smaller."""
        chart_id = self._board.current.id
        if chart_id:
            now = self._model.chart(chart_id)
            self._resize(chart_id, now.columns + columns, now.rows + rows, 0)

    def move_current(self, by: int) -> None:
        """Move the current chart by one place; past the end of its section it goes into the next one."""
        chart_id = self._board.current.id
        page = self._board.pages.of_chart(chart_id)
        if page is None:
            return
        at = next(n for n, one in enumerate(page.sections) if chart_id in one.charts)
        charts = page.sections[at].charts
        place = charts.index(chart_id)
        if 0 <= place + by < len(charts):
            after = place + by + (1 if by > 0 else 0)
            self.move(chart_id, page.sections[at].id, charts[after] if after < len(charts) else "")
        elif 0 <= at + by < len(page.sections):
            other = page.sections[at + by]
            self.move(chart_id, other.id, other.charts[0] if by > 0 and other.charts else "")
        self._board.current.show(chart_id)

    def move(self, chart_id: str, section_id: str, before: str = "") -> None:
        """Move a chart into a section, in front of the chart `before`; an empty `before` means the end."""
        self._model.arrange(
            "move chart", lambda layout: edits.move_chart(layout, chart_id, section_id, before)
        )

    def _resize(self, chart_id: str, columns: int, rows: int, gesture: int) -> None:
        self._model.change(
            "resize chart", lambda layout: edits.resize_chart(layout, chart_id, columns, rows), gesture
        )

    def _on_resize_requested(self, chart_id: str, size: QSize, begins: bool) -> None:
        if begins:
            self._gesture.begin()
            return
        page = self._board.pages.current
        grid = page.grid_of(chart_id) if page is not None else None
        if grid is not None:
            span = grid.span_for(chart_id, size.width(), size.height())
            self._resize(chart_id, *span, self._gesture.number)

    def _on_drag_began(self, chart_id: str, place: QPoint) -> None:
        cell = self._board.cells.get(chart_id)
        if cell is not None:
            self.drag.begin(cell, place)

    # Metrics -------------------------------------------------------------------------------------

    def add_series(self, chart_id: str, names: list[str]) -> None:
        """Add metrics that were dropped on a chart to it."""
        added = self._model.add_series(chart_id, names)
        heading = self._model.chart(chart_id).spec.heading
        if added:
            more = " and more" if len(added) > 3 else ""
            self.notified.emit(f"Added {', '.join(added[:3])}{more} to {heading}")
        else:
            self.notified.emit(f"{heading} already shows what was dropped on it")

    def add_metrics(self, names: list[str], section: str = "", before: str = "") -> str:
        """Make a chart of metrics dropped beside the charts, and return its id; empty without metrics."""
        if not names:
            return ""
        if not section:
            page = self._board.pages.current
            usable = [one.id for one in page.sections if not one.id.endswith("/pinned")] if page else []
            section = usable[-1] if usable else ""
        return self._model.add_chart(ChartSpec(series=tuple(names)), section, before)

    # Messages of a chart -------------------------------------------------------------------------

    def _on_filled(self, chart_id: str) -> None:
        chart = self._board.charts.chart(chart_id)
        if chart is not None:
            chart.menu.export_failed.connect(self.notified)
            chart.menu.copied.connect(self._report_copied)

    def _report_copied(self) -> None:
        self.notified.emit("Copied the chart as a picture")
