"""The form of a rule: what it watches, for how long, what then; and where it would have fired."""

from __future__ import annotations

import time
from collections.abc import Iterator

from PySide6.QtCore import QStringListModel, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QCompleter,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from helm_desktop.actions import places
from helm_desktop.model.rules.rule_draft import NEEDS_VALUE, Better, RuleDraft, draft_of
from helm_desktop.model.rules.rules_model import RulesModel, trial_text
from helm_desktop.model.run.session import Session
from helm_desktop.theme import set_look
from helm_desktop.views.watch.action_list import ActionList
from helm_desktop.views.watch.choices import WrappedChoices
from helm_desktop.views.watch.form_rows import TextField, labelled, small_label
from helm_desktop.widgets import handle_key
from helm_sdk.rules import Rule
from helm_sdk.rules.spec import CONDITIONS, When

_WORDS = {"not finite": "NaN"}
_BETTER: tuple[tuple[Better, str], ...] = (("", "as the run says"), ("lower", "lower"), ("higher", "higher"))
_VALUE = {
    "above": ("Value", ""),
    "below": ("Value", ""),
    "change": ("Rises by", "%"),
    "plateau": ("Better by", "%"),
}
_SLICE_S = 0.006
_TYPING_MS = 250


class RuleForm(QFrame):
    """Add stays disabled while something is wrong, and says what beside it."""

    rule_ready = Signal(object)  # Rule
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "card")
        self._model: RulesModel | None = None
        self._session: Session | None = None
        self._draft = RuleDraft()
        self._trial: Iterator[list[int]] | None = None
        self.title = QLabel("New rule")
        set_look(self.title, "title")
        self.watched = TextField("Metric or pattern", "train/loss, or grad_norm/*")
        self._names = QStringListModel(self)
        completer = QCompleter(self._names, self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.watched.setCompleter(completer)
        completer.activated.connect(self._edited)
        self.when = WrappedChoices([(kind, _WORDS.get(kind, kind)) for kind in CONDITIONS], "Condition")
        self.value, self.over = TextField("Value"), TextField("Over", "the point before, 100 steps, 5 min")
        self.hold = TextField("For", "at once, 20 steps, 5 min")
        self.then = ActionList()
        self.better = WrappedChoices(_BETTER, "Better is")
        self.mark = QCheckBox("Mark ▲ on charts")
        self.name = TextField("Name", "what it watches")
        self.would, self.complaint = small_label(), small_label("", "bad")
        self.add, self.cancel = QPushButton("Add rule"), QPushButton("Cancel")
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._slices = QTimer(self, interval=0)
        self._lay_out()
        self._connect()

    def set_session(self, session: Session | None) -> None:
        """Another run."""
        self._session = session
        self._model = session.rules if session is not None else None
        self._stop()

    def open(self, rule: Rule | None = None, *, known: bool = False) -> None:
        """A new rule, one that is offered, or one that is there."""
        self._draft = draft_of(rule) if rule is not None else RuleDraft()
        self.title.setText("Change the rule" if known else "New rule")
        self.add.setText("Change" if known else "Add rule")
        if self._session is not None:
            self._names.setStringList(self._session.streams.names)
            self.then.set_controls(self._session.controls)
        draft = self._draft
        for field, text in (
            (self.watched, draft.metric),
            (self.value, draft.value),
            (self.over, draft.over),
            (self.hold, draft.hold),
            (self.name, draft.name),
        ):
            field.setText(text)
        self.when.set_values({draft.when})
        self.better.set_values({draft.better})
        self.mark.setChecked(draft.mark)
        self.then.show_drafts(draft.then)
        self.show()
        self._edited()
        self.watched.setFocus()

    def draft(self) -> RuleDraft:
        """Return the values of the fields."""
        draft = self._draft
        draft.metric, draft.value, draft.over = self.watched.text(), self.value.text(), self.over.text()
        draft.hold, draft.name = self.hold.text(), self.name.text()
        draft.when = self._condition()
        draft.better = next((way for way, _ in _BETTER if way in self.better.values), "")
        draft.mark = self.mark.isChecked()
        return draft

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not handle_key(event, places.FORM, {"leave": self._close}):
            super().keyPressEvent(event)

    # Building ----------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.title)
        column.addWidget(labelled("When", self.watched))
        column.addWidget(labelled("", self.when))
        self._value_row, self._over_row = labelled("Value", self.value), labelled("Over", self.over)
        self._better_row = labelled("Better", self.better)
        hold = labelled("For", self.hold)
        name = labelled("Name", self.name)
        mark = labelled("", self.mark)
        for row in (self._value_row, self._over_row, self._better_row, hold, mark, self.then, name):
            column.addWidget(row)
        column.addWidget(self.complaint)
        column.addWidget(self.would)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        set_look(self.add, "primary")
        buttons.addWidget(self.cancel)
        buttons.addStretch(1)
        buttons.addWidget(self.add)
        column.addLayout(buttons)

    def _connect(self) -> None:
        for field in (self.watched, self.value, self.over, self.hold, self.name):
            field.textEdited.connect(self._edited)
            field.returnPressed.connect(self._add)
        self.when.changed.connect(self._edited)
        self.then.changed.connect(self._edited)
        self.better.changed.connect(self._edited)
        self.mark.clicked.connect(self._edited)
        self.add.clicked.connect(self._add)
        self.cancel.clicked.connect(self._close)
        self._typing.timeout.connect(self._try)
        self._slices.timeout.connect(self._search_history)

    # Keeping up --------------------------------------------------------------------------------

    def _condition(self) -> When:
        return next((kind for kind in CONDITIONS if kind in self.when.values), "above")

    def _edited(self) -> None:
        draft = self.draft()
        rule = draft.rule()
        label, unit = _VALUE.get(draft.when, ("Value", ""))
        self._value_row.set_label(label)
        self.value.set_unit(unit)
        self._value_row.setVisible(draft.when in NEEDS_VALUE)
        self._over_row.setVisible(draft.when == "change")
        self._better_row.setVisible(draft.when == "plateau")
        fields = {"metric": self.watched, "value": self.value, "over": self.over, "hold": self.hold}
        for name, field in fields.items():
            field.set_invalid(draft.wrong.get(name, "") if field.text().strip() else "")
        self.then.show_wrong()
        message = draft.problem
        self.complaint.setText(message)
        self.complaint.setVisible(bool(message) and bool(draft.metric.strip()))
        self.add.setEnabled(rule is not None)
        self.add.setToolTip(message)
        self._stop()
        self.would.setVisible(rule is not None)
        if rule is not None:
            self._typing.start()

    def _try(self) -> None:
        rule = self.draft().rule()
        if rule is not None and self._model is not None:
            self.would.setText(trial_text([], whole=False))
            self._trial = self._model.trial(rule)
            self._slices.start()

    def _search_history(self) -> None:
        until, steps = time.perf_counter() + _SLICE_S, None
        while self._trial is not None and time.perf_counter() < until:
            found = next(self._trial, None)
            if found is None:
                self._stop()
                break
            steps = found
        if steps is not None:
            self.would.setText(trial_text(steps, whole=True))

    def _stop(self) -> None:
        self._typing.stop()
        self._slices.stop()
        self._trial = None

    def _add(self) -> None:
        rule = self.draft().rule()
        if rule is not None:
            self._close()
            self.rule_ready.emit(rule)

    def _close(self) -> None:
        self._stop()
        self.hide()
        self.closed.emit()
