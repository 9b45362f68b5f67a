"""What was asked of a control and what became of it."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from helm_desktop.model.controls.controls_model import ControlsModel
from helm_desktop.model.controls.labels import ChangeEntry, value_text
from helm_desktop.theme import set_look
from helm_desktop.widgets import StateDot
from helm_sdk.protocol.history import CommandRecord

_MOST = 20
_BAD = {"rejected", "failed", "expired"}
_OFF = {"cancelled", "superseded"}


def clock_words(seconds: float) -> str:
    """12:04:31.2, in the reader's own time zone."""
    moment = datetime.fromtimestamp(seconds).astimezone()
    return f"{moment:%H:%M:%S}.{moment.microsecond // 100_000}"


def who_words(record: CommandRecord) -> str:
    """by laptop via helmctl, approved by ada: whose key, which program, and who let it."""
    via = record.began.body.via
    sent = f"by {record.sender}" if record.sender else ""
    sent += f" via {via}" if via and via != "helm-desktop" else ""
    approved = f"approved by {record.approver}" if record.approver else ""
    return ", ".join(part for part in (sent.strip(), approved) if part)


def _empty(layout: QGridLayout | QVBoxLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


class ChangeEntryLines(QWidget):
    """The states of one command with their times."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown: tuple[ChangeEntry, ...] = ()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(3)
        self._grid.setColumnStretch(2, 1)

    def show_entries(self, entries: Sequence[ChangeEntry]) -> None:
        """Show these; nothing is done when they are the same."""
        if tuple(entries) == self.shown:
            return
        self.shown = tuple(entries)
        _empty(self._grid)
        for at, entry in enumerate(self.shown):
            when, text = QLabel(clock_words(entry.time)), QLabel(entry.text)
            set_look(when, "quiet-figure")
            set_look(text, "small")
            text.setWordWrap(True)
            text.setTextFormat(Qt.TextFormat.PlainText)
            tone = "bad" if entry.state in _BAD else "off" if entry.state in _OFF else "done"
            top = Qt.AlignmentFlag.AlignTop
            self._grid.addWidget(when, at, 0, top)
            self._grid.addWidget(StateDot(entry.state, tone, show_word=False), at, 1, top)
            self._grid.addWidget(text, at, 2, top)


class ChangeList(QWidget):
    """Every change of a control, newest first; each can be copied as a shell command or sent again."""

    again_requested = Signal(object)  # the input
    copy_requested = Signal(str)

    def __init__(self, model: ControlsModel, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._name = name
        self._shown: list[tuple[str, str]] = []
        self._records: list[CommandRecord] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)

    def refresh(self) -> None:
        """Read the changes again."""
        records = self._model.commands.of(self._name)[:_MOST]
        shown = [(record.id + record.process, record.state) for record in records]
        if shown == self._shown:
            return
        self._shown, self._records = shown, records
        _empty(self._column)
        for number, record in enumerate(records):
            self._column.addWidget(self._change_text(number, record))

    def _change_text(self, number: int, record: CommandRecord) -> QWidget:
        control = self._model.control(self._name)
        at = f" at step {record.step:,}" if record.step is not None else ""
        words = value_text(control.node if control else None, record.input)
        parts = [f"{record.state}{at}", words, record.reason, who_words(record)]
        label = QLabel(" · ".join(part for part in parts if part))
        label.setWordWrap(True)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setToolTip(f"{clock_words(record.began.time)}\n{record.message}".strip())
        set_look(label, "small")
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(label, 1)
        for text, slot in (("Use this value", self._again), ("Copy", self._copy)):
            button = QPushButton(text)
            set_look(button, "flat")
            button.setProperty("change", number)
            button.setAccessibleName(f"{text}: {label.text()}")
            button.setToolTip(
                "Put this value into the form" if slot == self._again else "Copy as shell command"
            )
            button.clicked.connect(slot)
            row.addWidget(button)
        return line

    def _record_of(self, button: QWidget) -> CommandRecord:
        return self._records[int(button.property("change"))]

    def _again(self) -> None:
        button = self.sender()
        assert isinstance(button, QPushButton)
        self.again_requested.emit(self._record_of(button).input)

    def _copy(self) -> None:
        button = self.sender()
        assert isinstance(button, QPushButton)
        command = self._model.commands.copy_of(self._record_of(button))
        self.copy_requested.emit(self._model.shell_command(command))
