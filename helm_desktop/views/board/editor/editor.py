"""The chart editor: what a chart shows and how, tried on the chart at the left before it is applied."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from helm_desktop.actions import places
from helm_desktop.model.chart.chart_draft import ChartDraft, DraftError, matched_words
from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.theme import set_look
from helm_desktop.views.board.editor.derived_list import DerivedList
from helm_desktop.views.board.editor.draw_tiles import DrawTiles
from helm_desktop.views.board.editor.options import ChartOptions, heading
from helm_desktop.views.board.editor.preview import ChartPreview
from helm_desktop.views.board.editor.series_list import SeriesList
from helm_desktop.views.board.editor.variables import VariableCards
from helm_desktop.widgets import handle_key, has_focus

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session
    from helm_desktop.views.board.chart.chart import ChartView

PANEL_PX = 412
HINT = "Click a part of the name to make it a variable. Double click to type another."


class ChartEditor(QWidget):
    """Holds a draft; `applied` gives it to the board, `left` closes it."""

    drafted = Signal(object)  # the draft's ChartSpec, for the preview
    applied = Signal(object)
    duplicated = Signal(object)
    left = Signal()
    inspect_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "window")
        self.draft = ChartDraft(ChartSpec())
        self._session: Session | None = None
        self.preview = ChartPreview()
        self.series = SeriesList()
        self.variables = VariableCards()
        self.plus = QPushButton("+ Variable")
        self.tiles = DrawTiles()
        self.derived = DerivedList(self._problem_of)
        self.options = ChartOptions()
        self._problem, self._about, self._matched = QLabel(), QLabel(), QLabel()
        self._scope = QLabel()
        self.done, self.cancel = QPushButton("Done"), QPushButton("Cancel")
        self.duplicate, self.back = QPushButton("Duplicate"), QPushButton("‹ Board")
        self._build()
        self._connect()

    def _build(self) -> None:
        set_look(self.done, "primary")
        set_look(self._problem, "bad")
        self._problem.setWordWrap(True)
        self._problem.hide()
        for label in (self._about, self._matched, self._scope):
            set_look(label, "quiet")
        title = QLabel("Edit chart")
        set_look(title, "heading")
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self.preview, 1)
        panel = self._panel()
        middle.addWidget(panel)
        head = self._bar(self.back, title, self._about, None, self._scope)
        foot = self._bar(self._matched, None, self.duplicate, self.cancel, self.done)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addLayout(middle, 1)
        column.addWidget(foot)
        self._parts = (head, self.preview, panel, foot)

    def parts(self) -> list[QWidget]:
        """In the order in which Tab goes through them."""
        return list(self._parts)

    def _bar(self, *widgets: QWidget | None) -> QFrame:
        bar = QFrame()
        set_look(bar, "panel")
        row = QHBoxLayout(bar)
        row.setContentsMargins(16, 8, 16, 8)
        row.setSpacing(10)
        for widget in widgets:
            if widget is None:
                row.addStretch(1)
            else:
                row.addWidget(widget)
        return bar

    def _panel(self) -> QScrollArea:
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
        for part in (heading("Series"), self.series, hint, self._problem, heading("Variables")):
            column.addWidget(part)
        column.addWidget(self.variables)
        column.addLayout(plus)
        rest = (heading("Draw as"), self.tiles, self.options, heading("Derived curves"), self.derived)
        for widget in rest:
            column.addWidget(widget)
        column.addStretch(1)
        panel = QScrollArea()
        panel.setFrameShape(QFrame.Shape.NoFrame)
        panel.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        panel.setWidgetResizable(True)
        panel.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        panel.setFixedWidth(PANEL_PX)
        panel.setWidget(body)
        set_look(body, "panel")
        return panel

    def _connect(self) -> None:
        self.series.added.connect(self._add)
        self.series.removed.connect(self._remove)
        self.series.typed.connect(self._retype)
        self.series.part_chosen.connect(self._make_variable)
        self.variables.renamed.connect(self._rename)
        self.variables.removed.connect(self._unmake)
        self.variables.switched.connect(self._switch)
        self.variables.all_wanted.connect(self._all)
        self.plus.clicked.connect(self._begin_variable)
        self.tiles.chosen.connect(self._draw_as)
        self.options.changed.connect(self._option)
        self.options.wrong.connect(self._say)
        self.derived.entered.connect(self._derive)
        self.derived.removed.connect(self._underive)
        self.done.clicked.connect(self._apply)
        self.cancel.clicked.connect(self.left)
        self.back.clicked.connect(self.left)
        self.duplicate.clicked.connect(self._duplicate)
        self.preview.inspect_requested.connect(self.inspect_requested)
        self.preview.fitted.connect(self.options.show_fitted)

    # Open and close ------------------------------------------------------------------------------

    def edit(self, spec: ChartSpec, session: Session, chart: ChartView, *, inspects: bool) -> None:
        """Begins with a chart's spec; `chart` draws the draft."""
        mixtures = [control.mixture for control in session.controls.controls]
        sources = [part for mixture in mixtures if mixture is not None for part in mixture[1].components]
        self.draft = ChartDraft(spec, session.charted, sources)
        self._session = session
        self.series.set_names(session.charted)
        axes = [name for name, one in session.store.series.items() if one.kind == "axis"]
        self.options.set_others([*axes, *session.streams.names])
        self._scope.setText(f"Changes the chart only, for every run of {session.project or 'the project'}")
        self.preview.hold(chart, inspects=inspects)
        session.streams_changed.connect(self._more_streams)
        session.points_arrived.connect(self._count)
        self._say("")
        self._renew(tell=False)
        self.series.field.setFocus() if not spec.series else self.setFocus()

    def close_draft(self) -> None:
        """Forgets the draft and its chart."""
        session, self._session = self._session, None
        if session is not None:
            session.streams_changed.disconnect(self._more_streams)
            session.points_arrived.disconnect(self._count)
        self.preview.let_go()

    def _apply(self) -> None:
        self.applied.emit(self.draft.spec)

    def _duplicate(self) -> None:
        self.duplicated.emit(self.draft.spec)

    def _more_streams(self) -> None:
        if self._session is not None:
            self.draft.names = tuple(self._session.charted)
            self.series.set_names(self.draft.names)
            self._renew(tell=False)

    # Edits of the draft --------------------------------------------------------------------------

    def _try(self, work: Callable[..., Any], *arguments: object) -> bool:
        """Does something to the draft, or says why it cannot be done."""
        before = self.draft.spec
        held = has_focus(self)
        try:
            work(*arguments)
        except DraftError as error:
            self._say(str(error))
            return False
        self.draft.push_undo(before)
        self._say("")
        self._renew()
        if held and not has_focus(self):
            self.setFocus()  # what had it is gone: the keys go on here
        return True

    def undo(self, *, again: bool = False) -> None:
        """Takes the last change of the draft back, or does it again."""
        if self.draft.redo() if again else self.draft.undo():
            self._say("")
            self._renew()

    def _add(self, text: str) -> None:
        if self._try(self.draft.add_series, text):
            self.series.clear_field()

    def _remove(self, at: int) -> None:
        self._try(self.draft.remove_series, at)

    def _retype(self, at: int, text: str) -> None:
        self._try(self.draft.replace_series, at, text)

    def _make_variable(self, at: int, start: int) -> None:
        self._try(self.draft.make_variable, at, start)

    def _begin_variable(self) -> None:
        if self.series.rows:
            self.series.rows[0].field.begin_choosing()
        else:
            self._say("Add a series first: a variable is a part of its name")

    def _rename(self, old: str, new: str) -> None:
        self._try(self.draft.rename_variable, old, new)

    def _unmake(self, name: str) -> None:
        self._try(self.draft.remove_variable, name)

    def _switch(self, variable: str, value: str, on: bool) -> None:
        if not self._try(self.draft.switch_value, variable, value, on):
            self.variables.show_variables(self.draft.variables(), anew=True)

    def _all(self) -> None:
        self._try(self.draft.all_values)
        self.variables.show_variables(self.draft.variables(), anew=True)

    def _draw_as(self, draw: str) -> None:
        self._option("draw", draw)

    def _option(self, part: str, value: object) -> None:
        self._try(partial(self.draft.set, **{part: value}))

    def _derive(self, at: int, text: str) -> None:
        self._try(self.draft.set_derived, at, text)

    def _underive(self, at: int) -> None:
        self._try(self.draft.remove_derived, at)

    def _problem_of(self, expression: str) -> str:
        return self.draft.problem_of(expression)

    # What is shown -------------------------------------------------------------------------------

    def _say(self, sentence: str) -> None:
        self._problem.setText(sentence)
        self._problem.setVisible(bool(sentence))

    def _renew(self, *, tell: bool = True) -> None:
        spec = self.draft.spec
        self.series.show_series(spec.series)
        self.variables.show_variables(self.draft.variables())
        self.tiles.show_draw(spec.draw)
        self.options.show_spec(spec)
        self.derived.show_derived(spec.derived)
        self._about.setText(", ".join(spec.series[:2]) or "no series yet")
        self._count()
        if tell:
            self.drafted.emit(spec)
        self.preview.renew()

    def _count(self) -> None:
        if self._session is not None:
            self._matched.setText(matched_words(self.draft, self._session.store.series))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        handlers: dict[str, Callable[[], object]] = {
            "leave": self.left.emit,
            "apply": self._apply,
            "undo": self.undo,
            "redo": partial(self.undo, again=True),
        }
        if not handle_key(event, places.EDITOR, handlers):
            super().keyPressEvent(event)
