"""The chart editor: the form of a chart, with a preview at the left that shows each change at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from helm_desktop.actions import places
from helm_desktop.model.chart.chart_draft import ChartDraft, matched_text
from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.theme import set_look
from helm_desktop.views.board.editor.draft_edits import DraftEdits
from helm_desktop.views.board.editor.preview import ChartPreview
from helm_desktop.widgets import handle_key

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session
    from helm_desktop.views.board.chart.chart import ChartView


class ChartEditor(QWidget):
    """Edits the draft of a chart. `applied` carries the draft to the board, `left` closes the editor."""

    drafted = Signal(object)  # the draft's ChartSpec, for the preview
    applied = Signal(object)  # the draft's ChartSpec
    duplicated = Signal(object)  # the draft's ChartSpec, for another chart
    left = Signal()
    inspect_requested = Signal(str)  # the text to search the model for

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "window")
        self._session: Session | None = None
        self.preview = ChartPreview()
        self.edits = DraftEdits(self)
        self.panel = self.edits.panel
        self._about, self._matched, self._scope = QLabel(), QLabel(), QLabel()
        self.done, self.cancel = QPushButton("Done"), QPushButton("Cancel")
        self.duplicate, self.back = QPushButton("Duplicate"), QPushButton("‹ Board")
        self._build()
        self.edits.changed.connect(self._on_changed)
        self.done.clicked.connect(self._apply)
        self.cancel.clicked.connect(self.left)
        self.back.clicked.connect(self.left)
        self.duplicate.clicked.connect(self._duplicate)
        self.preview.inspect_requested.connect(self.inspect_requested)
        self.preview.fitted.connect(self.panel.options.show_fitted)

    def _build(self) -> None:
        set_look(self.done, "primary")
        for label in (self._about, self._matched, self._scope):
            set_look(label, "quiet")
        title = QLabel("Edit chart")
        set_look(title, "heading")
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self.preview, 1)
        middle.addWidget(self.panel)
        head = _bar(self.back, title, self._about, None, self._scope)
        foot = _bar(self._matched, None, self.duplicate, self.cancel, self.done)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addLayout(middle, 1)
        column.addWidget(foot)
        self._parts = (head, self.preview, self.panel, foot)

    def parts(self) -> list[QWidget]:
        """Return the parts in the order in which Tab goes through them."""
        return list(self._parts)

    # Open and close ------------------------------------------------------------------------------

    def edit(self, spec: ChartSpec, session: Session, chart: ChartView, *, inspects: bool) -> None:
        """Begin a draft of a specification, which `chart` draws; with `inspects` its rows open the model."""
        mixtures = [control.mixture for control in session.controls.controls]
        sources = [part for mixture in mixtures if mixture is not None for part in mixture[1].components]
        self._session = session
        axes = [name for name, one in session.store.series.items() if one.kind == "axis"]
        self.panel.options.set_others([*axes, *session.streams.names])
        self._scope.setText(f"Changes the chart only, for every run of {session.project or 'the project'}")
        self.preview.show_chart(chart, inspects=inspects)
        session.streams_changed.connect(self._on_streams)
        session.points_arrived.connect(self._count)
        self.edits.begin(ChartDraft(spec, session.charted, sources))
        self._show()
        self.panel.series.field.setFocus() if not spec.series else self.setFocus()

    def close_draft(self) -> None:
        """Discard the draft and its chart."""
        session, self._session = self._session, None
        if session is not None:
            session.streams_changed.disconnect(self._on_streams)
            session.points_arrived.disconnect(self._count)
        self.preview.release_chart()

    def _apply(self) -> None:
        self.applied.emit(self.edits.draft.spec)

    def _duplicate(self) -> None:
        self.duplicated.emit(self.edits.draft.spec)

    # What is shown -------------------------------------------------------------------------------

    def _on_streams(self) -> None:
        if self._session is not None:
            self.edits.set_names(self._session.charted)
            self._show()

    def _on_changed(self) -> None:
        self.drafted.emit(self.edits.draft.spec)
        self._show()

    def _show(self) -> None:
        self._about.setText(", ".join(self.edits.draft.spec.series[:2]) or "No series yet")
        self._count()
        self.preview.refresh()

    def _count(self) -> None:
        if self._session is not None:
            self._matched.setText(matched_text(self.edits.draft, self._session.store.series))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        handlers: dict[str, Callable[[], object]] = {
            "leave": self.left.emit,
            "apply": self._apply,
            "undo": self.edits.undo,
            "redo": partial(self.edits.undo, again=True),
        }
        if not handle_key(event, places.EDITOR, handlers):
            super().keyPressEvent(event)


def _bar(*widgets: QWidget | None) -> QFrame:
    """Return a bar with widgets in a row; None stands for the space that takes the rest of the width."""
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
