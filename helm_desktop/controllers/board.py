"""What each action of the Board menu does, and where boards are kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog

from helm_desktop.controllers.current_run import CurrentRun
from helm_desktop.model.board.layout import BoardLayout
from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.storage.board_files import BoardFiles, read, write
from helm_desktop.storage.storage_thread import Storage
from helm_desktop.views.board.pages.board import BoardView
from helm_desktop.views.metrics import MetricsView

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session


class BoardController(QObject):
    """One method an action; the board's edits do the rest."""

    notified = Signal(str)

    def __init__(
        self,
        current: CurrentRun,
        board: BoardView,
        metrics: MetricsView,
        folder: Path | None,
        storage: Storage,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._current = current
        self._board, self._storage = board, storage
        self._metrics = metrics
        self._edits = board.edits
        self._undo = self._redo = QAction()
        self._edits.notified.connect(self.notified)
        self.files = BoardFiles(board.model, folder, storage, self)  # without a folder nothing is kept
        self.files.notified.connect(self.notified)
        current.changed.connect(self._run_changed)
        current.follow("about_changed", self._open_files)
        metrics.add_requested.connect(self._add_metrics)
        metrics.chart_requested.connect(self._chart_metrics)
        metrics.show_requested.connect(self.show_metric)
        metrics.current_title = self._current_title

    def _run_changed(self, before: Session | None, now: Session) -> None:
        self._board.set_session(now)
        self._metrics.set_session(now)

    def _open_files(self) -> None:
        session = self._current.session
        if session is not None and session.project:
            self.files.open(session.project)

    def update_actions(self, actions: dict[str, QAction]) -> None:
        """Undo and redo say what they would do, and can be chosen only when there is something."""
        stack = self._board.model.stack
        undo, redo = self._undo, self._redo = actions["undo"], actions["redo"]
        for action in (undo, redo):
            action.setEnabled(False)
        stack.canUndoChanged.connect(undo.setEnabled)
        stack.canRedoChanged.connect(redo.setEnabled)
        stack.undoTextChanged.connect(self._show_undo_text)
        stack.redoTextChanged.connect(self._show_redo_text)

    def _show_undo_text(self, text: str) -> None:
        self._undo.setText(f"Undo {text}".strip())

    def _show_redo_text(self, text: str) -> None:
        self._redo.setText(f"Redo {text}".strip())

    def handlers(self) -> dict[str, Callable[..., None]]:
        """What each action calls. Partials are called without what Qt tells, bound methods as they ask."""
        edits, board, pills = self._edits, self._board, self._board.head.pills
        on_chart = {
            f"{wish}_chart": partial(edits.charts.do_current, wish)
            for wish in ("edit", "note", "full", "duplicate", "hide", "pin", "delete")
        }
        return on_chart | {
            "undo": edits.undo,
            "redo": edits.redo,
            "find_charts": board.search.open,
            "new_chart": self._new_chart,
            "chart_earlier": partial(edits.charts.move_current, -1),
            "chart_later": partial(edits.charts.move_current, 1),
            "chart_wider": partial(edits.charts.resize_current, 1, 0),
            "chart_narrower": partial(edits.charts.resize_current, -1, 0),
            "chart_taller": partial(edits.charts.resize_current, 0, 1),
            "chart_lower": partial(edits.charts.resize_current, 0, -1),
            "next_page": partial(board.pages.step, 1),
            "previous_page": partial(board.pages.step, -1),
            "new_page": edits.pages.add,
            "rename_page": edits.pages.rename_current,
            "page_left": partial(edits.pages.move, -1),
            "page_right": partial(edits.pages.move, 1),
            "delete_page": partial(edits.pages.remove),
            "new_section": edits.sections.add,
            "fold_all": partial(edits.sections.fold_all, True),
            "unfold_all": partial(edits.sections.fold_all, False),
            "show_hidden": board.pages.show_hidden,
            "whole_run": board.charts.window.follow,
            "choose_x": partial(pills.axis.click),
            "choose_smoothing": partial(pills.smoothing.click),
            "save_board": self._choose_save_file,
            "load_board": self._choose_load_file,
            "reset_board": edits.reset,
        }

    def _new_chart(self) -> None:
        if self._board.session is None:
            self.notified.emit("Open a run first: a chart is made from its streams.")
            return
        page = self._board.pages.current
        own = [one.id for one in page.sections if not one.id.endswith("/pinned")] if page else []
        chart_id = self._board.model.add_chart(ChartSpec(), own[-1] if own else "")
        self._board.current.show(chart_id)
        self._board.edit_requested.emit(chart_id)

    def _current_title(self) -> str:
        board = self._board
        return board.model.chart(board.current.id).spec.heading if board.current.id else ""

    def _add_metrics(self, names: list[str]) -> None:
        if self._board.current.id:
            self._edits.charts.add_series(self._board.current.id, names)
        else:
            self.notified.emit(
                "Choose a chart first by a click on its title, or make a new one: Shift+Return."
            )

    def _chart_metrics(self, names: list[str]) -> None:
        chart_id = self._edits.charts.add_metrics(names)
        if chart_id:
            self._board.current.show(chart_id)

    def show_metric(self, name: str) -> None:
        """The chart that shows a metric, its own before others."""
        model = self._board.model
        charts = [chart for plan in self._board.pages.shown for chart in plan.charts]
        showing = [chart for chart in charts if name in model.chart(chart).spec.series]
        for chart in sorted(showing, key=lambda chart: chart != name)[:1]:
            self._board.current.show(chart)
            return
        self.notified.emit(f"No chart of this board shows {name}. Shift+Return makes one.")

    # Files ---------------------------------------------------------------------------------------

    def _dialog(self, title: str, *, save: bool) -> QFileDialog:
        dialog = QFileDialog(self._board.window(), title, "", "Boards (*.json)")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setDefaultSuffix("json")
        if save:
            dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            dialog.selectFile(f"{self._board.model.project or 'board'}-board.json")
        else:
            dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        return dialog

    def _choose_save_file(self) -> None:
        dialog = self._dialog("Export board", save=True)
        dialog.fileSelected.connect(self.save_to)
        dialog.open()

    def _choose_load_file(self) -> None:
        dialog = self._dialog("Load a board", save=False)
        dialog.fileSelected.connect(self.load_from)
        dialog.open()

    def save_to(self, path: str) -> None:
        """Write the board, its places written down, to a file."""
        model = self._board.model
        work = partial(write, Path(path), model.explicit_layout(), model.project)
        self._storage.run(work, partial(self._saved, path), self._report_error)

    def _saved(self, path: str, _: None) -> None:
        self.notified.emit(f"Exported the board to {path}")

    def load_from(self, path: str) -> None:
        """Take a board from a file, as an edit that can be undone."""
        self._storage.run(partial(read, Path(path)), self._loaded, self._report_error)

    def _loaded(self, layout: BoardLayout) -> None:
        self._board.model.change("load board", lambda _: layout)
        self.notified.emit("Loaded the board. Ctrl+Z brings back the one before.")

    def _report_error(self, error: Exception) -> None:
        self.notified.emit(str(error))
