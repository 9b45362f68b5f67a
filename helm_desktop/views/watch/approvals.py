"""What waits for approval: a card each, with Approve and Refuse."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from helm_desktop.model.controls.controls_model import ControlsModel
from helm_desktop.model.controls.labels import value_text
from helm_desktop.theme import set_look
from helm_desktop.views.watch.form_rows import small_label
from helm_desktop.widgets import ElidedLabel
from helm_sdk.protocol.history import CommandRecord


class ApprovalCard(QFrame):
    """One request."""

    decided = Signal(str, str, bool, str)  # process, command id, whether it is approved, reason

    def __init__(self, record: CommandRecord, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.record = record
        set_look(self, "card")
        self.setAccessibleName(f"{title}, requested by {record.sender}")
        self.title, self.asker = ElidedLabel(title, "title"), QLabel(record.sender)
        set_look(self.asker, "quiet-figure")
        message = [
            record.message.removeprefix("policy: "),
            f"Reason: {record.reason}" if record.reason else "",
        ]
        self.words = small_label(". ".join(part[:1].upper() + part[1:] for part in message if part))
        self.complaint, self.elsewhere = small_label(), small_label()
        set_look(self.complaint, "bad")
        self.approve, self.refuse = QPushButton("Approve"), QPushButton("Refuse…")
        self.reason = QLineEdit()
        set_look(self.approve, "primary")
        self.reason.setPlaceholderText("Reason for refusing, Enter refuses")
        self.reason.setAccessibleName("Reason for refusing")
        self._lay_out()
        self.approve.clicked.connect(self._approve)
        self.refuse.clicked.connect(self._refuse)
        self.reason.returnPressed.connect(self._refuse)

    def show_here(self, sentence: str) -> None:
        """Why it cannot be approved from here; nothing when it can."""
        text = sentence[:1].upper() + sentence[1:]
        if text == self.elsewhere.text():
            return  # and an approval that is on its way stays so
        self.approve.setEnabled(not text)
        self.approve.setToolTip(text)
        self.elsewhere.setText(text)
        self.elsewhere.setVisible(bool(text))

    def complain(self, sentence: str) -> None:
        """The run did not take the decision."""
        self.complaint.setText(f"Not sent: {sentence}")
        self.complaint.show()
        self.approve.setEnabled(True)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self.title, 1)
        top.addWidget(self.asker)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.refuse)
        buttons.addStretch(1)
        buttons.addWidget(self.approve)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 9, 12, 10)
        column.setSpacing(6)
        column.addLayout(top)
        for widget in (self.words, self.elsewhere, self.complaint, self.reason):
            column.addWidget(widget)
        column.addLayout(buttons)
        self.words.setVisible(bool(self.words.text()))
        self.complaint.hide()
        self.elsewhere.hide()
        self.reason.hide()

    def _approve(self) -> None:
        self.approve.setEnabled(False)
        self.decided.emit(self.record.process, self.record.id, True, "")

    def _refuse(self) -> None:
        if self.reason.isHidden():
            self.reason.show()
            self.reason.setFocus()
            self.refuse.setText("Refuse")
            return
        self.decided.emit(self.record.process, self.record.id, False, self.reason.text().strip())


class Approvals(QWidget):
    """Header with the count, and the cards; hidden while nothing waits."""

    decided = Signal(str, str, bool, str)
    count_changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model: ControlsModel | None = None
        self.cards: dict[tuple[str, str], ApprovalCard] = {}
        title, self.count = QLabel("Waiting for approval"), QLabel()
        set_look(title, "title")
        set_look(self.count, "quiet-figure")
        top = QHBoxLayout()
        top.addWidget(title, 1)
        top.addWidget(self.count)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 8, 0, 0)
        self._column.setSpacing(8)
        self._column.addLayout(top)
        self.hide()

    def set_model(self, model: ControlsModel | None) -> None:
        """Another run's requests."""
        if self._model is not None:
            self._model.control_changed.disconnect(self._changed)
            self._model.controls_changed.disconnect(self.refresh)
        self._model = model
        if model is not None:
            model.control_changed.connect(self._changed)
            model.controls_changed.connect(self.refresh)
        self.refresh()

    def complain(self, command_id: str, sentence: str) -> None:
        """The run did not take a decision on this command."""
        for (_, known), card in self.cards.items():
            if known == command_id:
                card.complain(sentence)

    def refresh(self) -> None:
        """Cards for what waits now, in the order it came."""
        model = self._model
        waiting = [] if model is None else model.commands.awaiting_approval()
        wanted = {(record.process, record.id): record for record in waiting}
        for key in [key for key in self.cards if key not in wanted]:
            card = self.cards.pop(key)
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        for key, record in wanted.items():
            if key not in self.cards and model is not None:
                card = ApprovalCard(record, _title(model, record))
                card.decided.connect(self.decided)
                self.cards[key] = card
                self._column.addWidget(card)
            if model is not None:
                self.cards[key].show_here(model.approvals.cannot_approve(record))
        self.count.setText(str(len(wanted)))
        self.count.setAlignment(Qt.AlignmentFlag.AlignRight)
        if self.isHidden() == bool(wanted):
            self.setVisible(bool(wanted))
        self.count_changed.emit(len(wanted))

    def _changed(self, name: str) -> None:
        self.refresh()


def _title(model: ControlsModel, record: CommandRecord) -> str:
    control = model.control(record.capability)
    words = value_text(control.node if control is not None else None, record.input)
    return f"{record.capability} to {words}" if words else record.capability
