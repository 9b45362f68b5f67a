"""The card of one rule: its mark and name, how it stands, what it says."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from helm_desktop.actions import places
from helm_desktop.theme import set_look
from helm_desktop.views.watch.form_rows import small_label
from helm_desktop.widgets import ElidedLabel, FlowLayout, MarkGlyph, handle_key
from helm_sdk.rules import RuleState
from helm_sdk.rules.state import FIRED, PENDING

_TONES = {FIRED: ("bad", "bad-figure"), PENDING: ("warn", "warn-figure")}


class RuleCard(QFrame):
    """A click, Enter or space shows what can be done with the rule."""

    edit_requested = Signal(str)  # the rule's id
    enable_requested = Signal(str, bool)
    remove_requested = Signal(str)
    step_requested = Signal(int)

    def __init__(self, rule_id: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rule_id = rule_id
        self._enabled = True
        self._step: int | None = None
        set_look(self, "card")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.mark = MarkGlyph("rule")
        self.name, self.state = ElidedLabel("", "title"), QLabel()
        self.words = small_label()
        self.edit, self.rest = QPushButton("Change"), QPushButton("Mute")
        self.remove, self.go = QPushButton("Remove"), QPushButton("Go to the step")
        self._lay_out()

    def show_state(self, state: RuleState, words: str, standing: str) -> None:
        """Show how the rule stands now."""
        rule = state.rule
        tone, look = _TONES.get(state.status, ("faint", "quiet-figure"))
        self.mark.set_mark("rule", tone=tone)
        self.name.setText(rule.title)
        set_look(self.state, look)
        self.state.setText(standing)
        times = "once" if state.fired == 1 else f"{state.fired:,} times"
        self.state.setToolTip(f"Fired {times} in this run" if state.fired else "")
        self.words.setText(words)
        self.setAccessibleName(f"Rule {rule.title}, {standing}")
        self.rest.setText("Mute" if rule.enabled else "Unmute")
        for button in (self.edit, self.rest, self.remove, self.go):
            button.setAccessibleName(f"{button.text()}: rule {rule.title}")
        self._enabled = rule.enabled
        self._step = state.last.step if state.last is not None else None
        self.go.setVisible(self._step is not None)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self.mark)
        top.addWidget(self.name, 1)
        top.addWidget(self.state)
        self.state.setTextFormat(Qt.TextFormat.PlainText)
        self.more = QWidget()
        flow = FlowLayout(self.more, gap=14, line_gap=2)
        for button, slot in (
            (self.edit, self._edit),
            (self.rest, self._toggle_muted),
            (self.go, self._show_step),
            (self.remove, self._remove),
        ):
            set_look(button, "link")
            button.clicked.connect(slot)
            flow.addWidget(button)
        self.more.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 9, 12, 9)
        column.setSpacing(4)
        column.addLayout(top)
        inside = QVBoxLayout()
        inside.setContentsMargins(20, 0, 0, 0)
        inside.addWidget(self.words)
        inside.addWidget(self.more)
        column.addLayout(inside)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self._toggle()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not handle_key(event, places.RULE, {"toggle": self._toggle, "remove": self._remove}):
            super().keyPressEvent(event)

    def _toggle(self) -> None:
        self.more.setVisible(self.more.isHidden())

    def _edit(self) -> None:
        self.edit_requested.emit(self.rule_id)

    def _toggle_muted(self) -> None:
        self.enable_requested.emit(self.rule_id, not self._enabled)

    def _remove(self) -> None:
        self.remove_requested.emit(self.rule_id)

    def _show_step(self) -> None:
        if self._step is not None:
            self.step_requested.emit(self._step)
