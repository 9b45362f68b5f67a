"""The edits of the draft of a chart, from the form of the chart editor to the draft."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from helm_desktop.model.chart.chart_draft import ChartDraft, DraftError
from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.views.board.editor.panel import EditorPanel
from helm_desktop.widgets import has_focus


class DraftEdits(QObject):
    """Holds the draft. An edit that cannot be done is explained in the form and changes nothing."""

    changed = Signal()  # the reader has changed the draft

    def __init__(self, frame: QWidget) -> None:
        super().__init__(frame)
        self._frame = frame
        self.draft = ChartDraft(ChartSpec())
        self.panel = panel = EditorPanel(self._problem_of)
        panel.series.added.connect(self._add)
        panel.series.removed.connect(self._remove)
        panel.series.typed.connect(self._retype)
        panel.series.part_chosen.connect(self._make_variable)
        panel.variables.renamed.connect(self._rename)
        panel.variables.removed.connect(self._remove_variable)
        panel.variables.switched.connect(self._switch)
        panel.variables.all_requested.connect(self._enable_all_values)
        panel.plus.clicked.connect(self._begin_variable)
        panel.tiles.chosen.connect(self._draw_as)
        panel.options.changed.connect(self._set_option)
        panel.options.wrong.connect(panel.show_problem)
        panel.derived.entered.connect(self._set_derived)
        panel.derived.removed.connect(self._remove_derived)

    def begin(self, draft: ChartDraft) -> None:
        """Edit another draft from now on."""
        self.draft = draft
        self.panel.series.set_names(draft.names)
        self.panel.show_problem("")
        self.panel.show_draft(draft)

    def set_names(self, names: Sequence[str]) -> None:
        """Update the names of the streams that the draft can use, after the run logged new ones."""
        self.draft.names = tuple(names)
        self.panel.series.set_names(self.draft.names)
        self.panel.show_draft(self.draft)

    def undo(self, *, again: bool = False) -> None:
        """Undo the last change of the draft; with `again` redo it."""
        if self.draft.redo() if again else self.draft.undo():
            self._show()

    def _show(self) -> None:
        self.panel.show_problem("")
        self.panel.show_draft(self.draft)
        self.changed.emit()

    def _try(self, work: Callable[..., Any], *arguments: object) -> bool:
        """Apply an edit to the draft and return True; show why it cannot be done and return False."""
        before = self.draft.spec
        had_focus = has_focus(self._frame)
        try:
            work(*arguments)
        except DraftError as error:
            self.panel.show_problem(str(error))
            return False
        self.draft.push_undo(before)
        self._show()
        if had_focus and not has_focus(self._frame):
            self._frame.setFocus()  # the widget that had the focus was removed
        return True

    # Series and variables ------------------------------------------------------------------------

    def _add(self, text: str) -> None:
        if self._try(self.draft.add_series, text):
            self.panel.series.clear_field()

    def _remove(self, at: int) -> None:
        self._try(self.draft.remove_series, at)

    def _retype(self, at: int, text: str) -> None:
        self._try(self.draft.replace_series, at, text)

    def _make_variable(self, at: int, start: int) -> None:
        self._try(self.draft.make_variable, at, start)

    def _begin_variable(self) -> None:
        rows = self.panel.series.rows
        if rows:
            rows[0].field.begin_choosing()
        else:
            self.panel.show_problem("Add a series first. A variable is a part of the name of a series.")

    def _rename(self, old: str, new: str) -> None:
        self._try(self.draft.rename_variable, old, new)

    def _remove_variable(self, name: str) -> None:
        self._try(self.draft.remove_variable, name)

    def _switch(self, variable: str, value: str, on: bool) -> None:
        if not self._try(self.draft.switch_value, variable, value, on):
            self.panel.variables.show_variables(self.draft.variables(), rebuild=True)

    def _enable_all_values(self) -> None:
        self._try(self.draft.all_values)
        self.panel.variables.show_variables(self.draft.variables(), rebuild=True)

    # The rest of the spec ------------------------------------------------------------------------

    def _draw_as(self, draw: str) -> None:
        self._set_option("draw", draw)

    def _set_option(self, part: str, value: object) -> None:
        self._try(partial(self.draft.set, **{part: value}))

    def _set_derived(self, at: int, text: str) -> None:
        self._try(self.draft.set_derived, at, text)

    def _remove_derived(self, at: int) -> None:
        self._try(self.draft.remove_derived, at)

    def _problem_of(self, expression: str) -> str:
        return self.draft.problem_of(expression)
