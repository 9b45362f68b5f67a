"""All actions of a rule, one below the other, and a button for one more of each kind."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from helm_desktop.model.controls.controls_model import ControlsModel
from helm_desktop.model.rules.action_draft import CAPTURE, KINDS, ActionDraft, Kind
from helm_desktop.theme import set_look
from helm_desktop.views.watch.action_row import ActionRow, none_yet
from helm_desktop.views.watch.form_rows import labelled
from helm_desktop.widgets import FlowLayout


class ActionList(QWidget):
    """Edits the list of a rule's draft in place."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._controls: ControlsModel | None = None
        self._drafts: list[ActionDraft] = []
        self.rows: list[ActionRow] = []
        self.add: dict[Kind, QPushButton] = {}
        self.nothing = none_yet()
        buttons = QWidget()
        flow = FlowLayout(buttons, gap=4, line_gap=4)
        for kind, words in KINDS:
            button = self.add[kind] = QPushButton(f"+ {words}")
            button.setAccessibleName(f"Then also: {words}")
            button.setProperty("kind", kind)
            set_look(button, "pill")
            button.clicked.connect(self._add)
            flow.addWidget(button)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)
        self._column.addWidget(labelled("Then", buttons))
        self._column.addWidget(self.nothing)

    def set_controls(self, controls: ControlsModel | None) -> None:
        """The controls that can be sent; a run without any offers none, one without captures no capture."""
        self._controls = controls
        names = {control.name for control in controls.controls} if controls is not None else set()
        self.add["send"].setVisible(bool(names - {CAPTURE}))
        self.add["capture"].setVisible(CAPTURE in names)

    def show_drafts(self, drafts: list[ActionDraft]) -> None:
        """Show these, and edits them from now on."""
        for row in list(self.rows):
            self._drop(row)
        self._drafts = drafts
        for draft in drafts:
            self._add_row(draft)
        self._show_empty()

    def show_wrong(self) -> None:
        """Marks what cannot be used; an input that its control refuses is told too, and may be sent later."""
        for row in self.rows:
            row.show_wrong()
            row.judge_input()

    def _add_row(self, draft: ActionDraft) -> ActionRow:
        row = ActionRow(draft, self._controls)
        row.changed.connect(self.changed)
        row.gone.connect(self._gone)
        self._column.insertWidget(2 + len(self.rows), row)
        self.rows.append(row)
        return row

    def _add(self) -> None:
        draft = ActionDraft(self.sender().property("kind"))
        self._drafts.append(draft)
        row = self._add_row(draft)
        self._show_empty()
        self.changed.emit()
        first = next(iter(row.fields.values()), None) if draft.kind != "send" else row.control
        (first or row.beep).setFocus()

    def _gone(self, row: ActionRow) -> None:
        self._drafts.remove(row.draft)
        self._drop(row)
        self._show_empty()
        self.changed.emit()

    def _drop(self, row: ActionRow) -> None:
        self.rows.remove(row)
        self._column.removeWidget(row)
        row.hide()
        row.deleteLater()

    def _show_empty(self) -> None:
        self.nothing.setVisible(not self.rows)
