"""The change bar at the foot of the window: what a drafted change will do, its reason, and Send."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QPushButton, QSizePolicy, QWidget

from helm_desktop.model.schedule import draft_labels
from helm_desktop.model.schedule.draft_check import UNCHANGED
from helm_desktop.model.schedule.draft_model import DraftModel
from helm_desktop.theme import set_look, set_state
from helm_desktop.widgets import ElidedLabel, MarkGlyph, SegmentedControl

_HEIGHT = 56
_WIDE_PX, _NARROW_PX, _MIN_PX = 1280, 1000, 640  # widths of the bar
_COPY = "Copy as shell command"


class ChangeBar(QFrame):
    """The change bar; hidden while nothing is drafted."""

    copy_requested = Signal()

    def __init__(self, model: DraftModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        set_look(self, "bar")
        self.setAccessibleName("Drafted change")
        self.setFixedHeight(_HEIGHT)
        self.mark = MarkGlyph("change")
        self.name, self.figures = QLabel(), QLabel()
        set_look(self.name, "title")
        set_look(self.figures, "figure")
        self.summary = ElidedLabel("", "quiet")
        self.then = SegmentedControl([(False, "follow"), (True, "hold")], name="Then")
        self.ahead = QPushButton("Move ahead")
        self.ahead.setToolTip("Start the draft again from where the run is now")
        self.reason, self.approver = QLineEdit(), QLabel()
        self.reason.setPlaceholderText("Reason")
        self.reason.setAccessibleName("Reason for the change")
        self.reason.setMinimumWidth(120)
        set_look(self.approver, "field")
        self.approver.setAccessibleName("Approver")
        self.approver.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.copy = QPushButton(_COPY)
        self.copy.setAccessibleName(_COPY)
        self.copy.setToolTip(_COPY)
        set_look(self.copy, "link")
        self.discard, self.send = QPushButton("Discard"), QPushButton("Send change")
        set_look(self.send, "primary")
        self._lay_out()
        self.then.chosen.connect(self._set_hold)
        self.ahead.clicked.connect(model.move_ahead)
        self.reason.textEdited.connect(model.set_reason)
        self.reason.returnPressed.connect(model.send)
        self.copy.clicked.connect(self.copy_requested)
        self.discard.clicked.connect(model.discard)
        self.send.clicked.connect(model.send)
        model.changed.connect(self.refresh)
        self.refresh()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 12, 0)
        row.setSpacing(10)
        self.summary.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.reason.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        row.addWidget(self.mark)
        row.addWidget(self.name)
        row.addWidget(self.figures)
        row.addWidget(self.summary, 3)
        for widget in (self.ahead, self.then):
            row.addWidget(widget)
        row.addWidget(self.reason, 2)
        for last in (self.approver, self.copy, self.discard, self.send):
            row.addWidget(last)
        for button in (self.ahead, self.discard, self.send):
            button.setCursor(Qt.CursorShape.ArrowCursor)

    def refresh(self) -> None:
        """Show the draft as it is now."""
        model = self._model
        draft, target = model.draft, model.target
        self.setVisible(draft is not None)
        if draft is None or target is None:
            return
        problem, stale = model.problem(), draft_labels.stale_text(model.draft)
        self.name.setText(target.name)
        self.figures.setText(draft_labels.figures(model.draft))
        self._show_message(problem, stale)
        self.ahead.setVisible(bool(stale))
        self.then.setVisible(bool(target.mode) and not stale)
        self.then.set_value(draft.hold)
        if self.reason.text() != model.reason:
            self.reason.setText(model.reason)
        ruling = model.approval_need()
        self.approver.setText(f"Approver: {ruling.approver}")
        self.approver.setToolTip(ruling.refused or ruling.text())
        set_state(self.approver, "asking", ruling.approval != "none")
        self._fit()
        self.send.setEnabled(not problem)
        self.send.setToolTip(problem)
        self.copy.setEnabled(not problem)

    def _show_message(self, problem: str, stale: str) -> None:
        """Show what the run answered or why the draft cannot be sent, else what the draft will do."""
        message = self._model.answer or ("" if stale else problem)
        summary = f"Stale: {stale}" if stale else draft_labels.summary(self._model.draft)
        self.summary.setText(f"{message[:1].upper()}{message[1:]}" if message else summary)
        wrong = bool(message) and message != UNCHANGED
        set_look(self.summary, "bad" if wrong else "warn" if stale else "quiet")

    def focus_reason(self) -> None:
        """Give the focus to the reason, for a reader who comes from the chart by key."""
        self.reason.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Shorten the copy button and hide the approver in a narrow bar; one who must approve stays."""
        needs_approval = bool(self.approver.property("asking"))
        self.copy.setText(_COPY if self.width() >= _WIDE_PX else "Copy")
        self.approver.setVisible(needs_approval or self.width() >= _NARROW_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(_MIN_PX, _HEIGHT)

    def _set_hold(self, hold: object) -> None:
        self._model.hold(bool(hold))
