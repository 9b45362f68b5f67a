"""Between the board and the chart editor, which takes the window while a chart is edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from helm_desktop.actions.board import BOARD
from helm_desktop.controllers.navigation import Navigation
from helm_desktop.model.board import edits as edits
from helm_desktop.model.board.board_model import ADD_CHART
from helm_desktop.model.board.layout import BoardLayout
from helm_desktop.model.chart.spec import STEP, ChartSpec
from helm_desktop.views.board.pages.board import BoardView
from helm_desktop.window.main_window import MainWindow

if TYPE_CHECKING:
    from helm_desktop.views.board.editor.editor import ChartEditor


class ChartEditorController(QObject):
    """The editor is made with the first chart that is edited."""

    def __init__(
        self,
        board: BoardView,
        window: MainWindow,
        navigation: Navigation,
        actions: dict[str, QAction],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._board, self._window, self._actions = board, window, actions
        self._navigation = navigation
        self._chart_id = ""
        self._inspects = False
        self.editor: ChartEditor | None = None
        self._board.edit_requested.connect(self.open)
        self._board.session_left.connect(self.close)

    def set_inspects(self, on: bool) -> None:
        """Whether a heatmap's row leads into the model."""
        self._inspects = on
        self._board.charts.set_inspects(on)

    def open(self, chart_id: str) -> None:
        """Edit a chart."""
        board = self._board
        session = board.session
        if session is None:
            return
        self.close()
        spec = board.model.chart(chart_id).spec
        shown = board.charts.chart(chart_id)
        if shown is not None:  # what was logged as histograms is drawn so whatever the spec says
            spec = spec.with_(draw=shown.content.draw)
        chart = board.charts.preview(self._as_shown(spec))
        if chart is None:
            return
        editor = self.editor = self.editor or self._make()
        self._chart_id = chart_id
        self._enable_board(False)
        self._window.show_page(editor)
        editor.panel.options.set_board_smoothing(board.model.layout.smoothing)
        editor.edit(spec, session, chart, inspects=self._inspects)

    def close(self) -> None:
        """Back to the board."""
        if self.editor is None or not self._chart_id:
            return
        chart_id, self._chart_id = self._chart_id, ""
        self._enable_board(True)
        self._board.charts.end_preview()
        self.editor.close_draft()
        self._window.close_page(self.editor)
        spec = self._board.model.chart(chart_id).spec
        if not spec.series and not spec.derived and self._board.model.stack.undoText() == ADD_CHART:
            self._board.model.stack.undo()  # a new chart that nothing was chosen for
        self._board.current.show(chart_id)

    def _enable_board(self, on: bool) -> None:
        """The keys of the board are not the editor's: Ctrl+Z means the draft there."""
        stack = self._board.model.stack
        for spec in BOARD:
            self._actions[spec.id].setEnabled(on)
        if on:
            self._actions["undo"].setEnabled(stack.canUndo())
            self._actions["redo"].setEnabled(stack.canRedo())

    def _make(self) -> ChartEditor:
        from helm_desktop.views.board.editor.editor import ChartEditor

        editor = ChartEditor()
        editor.drafted.connect(self._draft)
        editor.applied.connect(self._apply)
        editor.duplicated.connect(self._duplicate)
        editor.left.connect(self.close)
        editor.inspect_requested.connect(self._inspect)
        return editor

    def _as_shown(self, spec: ChartSpec) -> ChartSpec:
        """With what the board says for all of its charts."""
        layout = self._board.model.layout
        spec = spec.with_(x=layout.x) if spec.x == STEP else spec
        return spec.with_(smoothing=layout.smoothing) if not spec.smoothing else spec

    def _draft(self, spec: ChartSpec) -> None:
        self._board.charts.set_preview(self._as_shown(spec))

    def _apply(self, spec: ChartSpec) -> None:
        self._board.model.set_spec(self._chart_id, spec)
        self.close()

    def _duplicate(self, spec: ChartSpec) -> None:
        """The draft becomes a chart of its own beside the one it was made from."""
        model, chart_id = self._board.model, self._chart_id
        place = model.place_of(chart_id)
        if place is None:
            return

        def work(layout: BoardLayout) -> BoardLayout:
            charts = edits.section_of(layout, place.section).charts
            after = charts[place.at + 1] if place.at + 1 < len(charts) else ""
            return edits.add_chart(layout, spec, place.section, after, chart_id)

        model.arrange("duplicate chart", work)
        self.close()

    def _inspect(self, words: str) -> None:
        self.close()
        self._navigation.show_in_model(words)
