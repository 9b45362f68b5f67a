"""What can be done about a command that is under way: approve, refuse, withdraw."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from helm_desktop.theme import set_look
from helm_desktop.widgets import FlowLayout
from helm_sdk.protocol.commands import AWAITING_APPROVAL
from helm_sdk.protocol.history import CommandRecord


class CommandButtons(QWidget):
    """Buttons for the newest command of a card; hidden while none is open."""

    cancel_requested = Signal(str, str)  # process, command id
    approval_requested = Signal(str, str, bool)  # process, command id, whether it is approved

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._record: CommandRecord | None = None
        self.approve, self.refuse = QPushButton("Approve"), QPushButton("Refuse")
        self.cancel = QPushButton("Withdraw the change")
        set_look(self.approve, "primary")
        set_look(self.cancel, "link")
        self.about = QLabel()
        self.about.setTextFormat(Qt.TextFormat.PlainText)
        set_look(self.about, "small")
        flow = FlowLayout(self, gap=8, line_gap=4)
        self.problem = QLabel()
        self.problem.setTextFormat(Qt.TextFormat.PlainText)
        self.problem.setWordWrap(True)
        set_look(self.problem, "bad")
        self.problem.hide()
        flow.addWidget(self.about)
        for button in (self.approve, self.refuse, self.cancel):
            button.setAccessibleName(f"{button.text()}: {name}")
            flow.addWidget(button)
        flow.addWidget(self.problem)
        self.approve.clicked.connect(self._approve)
        self.refuse.clicked.connect(self._refuse)
        self.cancel.clicked.connect(self._cancel)
        self.show_record(None)

    def show_record(self, record: CommandRecord | None, not_here: str = "", about: str = "") -> None:
        """Offer what the state of this command allows. `not_here`: why it cannot be approved from here;
        `about`: which one it is, where the card tells of another."""
        before, self._record = self._record, record if record is not None and record.open else None
        if self._record is None or before is None or before.id != self._record.id:
            self.problem.hide()
        waits = self._record is not None and self._record.state == AWAITING_APPROVAL
        self.approve.setVisible(waits)
        self.refuse.setVisible(waits)
        self.about.setText(about)
        self.about.setVisible(bool(about))
        self.approve.setEnabled(not not_here)
        self.approve.setToolTip(not_here)
        self.setVisible(self._record is not None)

    def show_problem(self, command_id: str, sentence: str) -> None:
        """Say why the run did not get what was decided about this command."""
        if self._record is not None and self._record.id == command_id:
            self.problem.setText(f"Not sent: {sentence}")
            self.problem.show()

    def _approve(self) -> None:
        if self._record is not None:
            self.approval_requested.emit(self._record.process, self._record.id, True)

    def _refuse(self) -> None:
        if self._record is not None:
            self.approval_requested.emit(self._record.process, self._record.id, False)

    def _cancel(self) -> None:
        if self._record is not None:
            self.cancel_requested.emit(self._record.process, self._record.id)
