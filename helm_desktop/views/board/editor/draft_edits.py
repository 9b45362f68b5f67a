"""What the reader does to the draft of a chart, from the form to the draft."""

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
    """Hold the draft. An edit that cannot be done is explained in the form and changes nothing."""

    changed = Signal()  # by the reader

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
        panel.variables.removed.connect(self._unmake)
        panel.variables.switched.connect(self._switch)
        panel.variables.all_wanted.connect(self._all)
        panel.plus.clicked.connect(self._begin_variable)
        panel.tiles.chosen.connect(self._draw_as)
        panel.options.changed.connect(self._option)
        panel.options.wrong.connect(panel.show_problem)
        panel.derived.entered.connect(self._derive)
        panel.derived.removed.connect(self._underive)

    def begin(self, draft: ChartDraft) -> None:
        """Edit another draft."""
        self.draft = draft
        self.panel.series.set_names(draft.names)
        self.panel.show_problem("")
        self.panel.show_draft(draft)

    def set_names(self, names: Sequence[str]) -> None:
        """The run has other streams now."""
        self.draft.names = tuple(names)
        self.panel.series.set_names(self.draft.names)
        self.panel.show_draft(self.draft)

    def undo(self, *, again: bool = False) -> None:
        """Take the last change of the draft back, or do it again."""
        if self.draft.redo() if again else self.draft.undo():
            self._show()

    def _show(self) -> None:
        self.panel.show_problem("")
        self.panel.show_draft(self.draft)
        self.changed.emit()

    def _try(self, work: Callable[..., Any], *arguments: object) -> bool:
        """Do something to the draft, or say why it cannot be done."""
        before = self.draft.spec
        held = has_focus(self._frame)
        try:
            work(*arguments)
        except DraftError as error:
            self.panel.show_problem(str(error))
            return False
        self.draft.push_undo(before)
        self._show()
        if held and not has_focus(self._frame):
            self._frame.setFocus()  # what had it is gone: the keys go on here
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
            self.panel.show_problem("Add a series first: a variable is a part of its name")

    def _rename(self, old: str, new: str) -> None:
        self._try(self.draft.rename_variable, old, new)

    def _unmake(self, name: str) -> None:
        self._try(self.draft.remove_variable, name)

    def _switch(self, variable: str, value: str, on: bool) -> None:
        if not self._try(self.draft.switch_value, variable, value, on):
            self.panel.variables.show_variables(self.draft.variables(), anew=True)

    def _all(self) -> None:
        self._try(self.draft.all_values)
        self.panel.variables.show_variables(self.draft.variables(), anew=True)

    # The rest of the spec ------------------------------------------------------------------------

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
