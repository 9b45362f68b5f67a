"""The form of the chart editor: series, variables, drawing, options and derived curves of a draft."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from helm_desktop.model.chart.chart_draft import ChartDraft
from helm_desktop.theme import set_look
from helm_desktop.views.board.editor.derived_list import DerivedList
from helm_desktop.views.board.editor.draw_tiles import DrawTiles
from helm_desktop.views.board.editor.options import ChartOptions, heading
from helm_desktop.views.board.editor.series_list import SeriesList
from helm_desktop.views.board.editor.variables import VariableCards

PANEL_PX = 412
HINT = "Click a part of the name to make it a variable. Double click to type another."


class EditorPanel(QScrollArea):
    """Shows a draft. The signals of its parts say what the reader changes."""

    def __init__(self, problem_of: Callable[[str], str]) -> None:
        super().__init__()
        self.series = SeriesList()
        self.problem = QLabel()
        self.variables = VariableCards()
        self.plus = QPushButton("+ Variable")
        self.tiles = DrawTiles()
        self.options = ChartOptions()
        self.derived = DerivedList(problem_of)
        set_look(self.problem, "bad")
        self.problem.setWordWrap(True)
        self.problem.hide()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFixedWidth(PANEL_PX)
        body = self._body()
        self.setWidget(body)
        set_look(body, "panel")

    def _body(self) -> QWidget:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(18, 14, 18, 16)
        column.setSpacing(8)
        hint = QLabel(HINT)
        hint.setWordWrap(True)
        set_look(hint, "small")
        plus = QHBoxLayout()
        plus.addWidget(self.plus)
        plus.addStretch(1)
        for part in (heading("Series"), self.series, hint, self.problem, heading("Variables")):
            column.addWidget(part)
        column.addWidget(self.variables)
        column.addLayout(plus)
        rest = (heading("Draw as"), self.tiles, self.options, heading("Derived curves"), self.derived)
        for widget in rest:
            column.addWidget(widget)
        column.addStretch(1)
        return body

    def show_draft(self, draft: ChartDraft) -> None:
        """Show a draft."""
        spec = draft.spec
        self.series.show_series(spec.series)
        self.variables.show_variables(draft.variables())
        self.tiles.show_draw(spec.draw)
        self.options.show_spec(spec)
        self.derived.show_derived(spec.derived)

    def show_problem(self, sentence: str) -> None:
        """Show why an edit cannot be done; an empty sentence hides the message."""
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))
