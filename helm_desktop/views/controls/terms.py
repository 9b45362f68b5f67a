"""How a change is asked for: why, until when, and instead of which request that still waits."""

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPushButton, QVBoxLayout, QWidget

from helm_desktop.theme import set_look, set_state
from helm_desktop.views.controls.fields import seconds_in
from helm_sdk.protocol.history import CommandRecord


class SendOptions(QWidget):
    """The reason is always there; the rest shows itself when it is asked for or can be chosen."""

    changed = Signal()
    send_requested = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._waiting = ""
        self.reason, self.expires = QLineEdit(), QLineEdit()
        self.reason.setPlaceholderText("Reason")
        self.reason.setAccessibleName(f"Reason for changing {name}")
        self.expires.setPlaceholderText("Expires: 5 min, or at a step: 1200")
        self.expires.setAccessibleName(f"When the change of {name} expires")
        self.expires.hide()
        self.replaces = QCheckBox("Replace the pending change")
        self.replaces.setAccessibleName(f"Replace the pending change of {name}")
        self.replaces.hide()
        self.link = QPushButton("Expires…")
        self.link.setAccessibleName(f"Let the change of {name} expire")
        set_look(self.link, "link")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for widget in (self.reason, self.expires, self.replaces):
            column.addWidget(widget)
        self.link.clicked.connect(self._toggle)
        self.expires.textEdited.connect(self._edited)
        for field in (self.reason, self.expires):
            field.returnPressed.connect(self.send_requested)

    def show_record(self, record: CommandRecord | None) -> None:
        """The newest request: while it waits another can take its place."""
        self._waiting = record.id if record is not None and record.open else ""
        self.replaces.setVisible(bool(self._waiting))
        if not self._waiting:
            self.replaces.setChecked(False)

    def problem(self) -> str:
        """Return what is wrong with the expiry."""
        return "" if self._expiry() is not None else _UNREADABLE.format(text=self.expires.text().strip())

    def options(self) -> dict[str, Any]:
        """Return what a command says of them."""
        more: dict[str, Any] = dict(self._expiry() or {})
        if self.replaces.isChecked() and self._waiting:
            more["supersedes"] = self._waiting
        return {"reason": self.reason.text().strip(), **more}

    def clear(self) -> None:
        """For the next change."""
        self.reason.clear()
        self.expires.clear()
        self.expires.hide()
        self.replaces.setChecked(False)

    def _expiry(self) -> dict[str, Any] | None:
        text = self.expires.text().strip()
        if not text or self.expires.isHidden():
            return {}
        if text.removeprefix("step").strip().isdecimal():
            return {"expires_step": int(text.removeprefix("step"))}
        found = seconds_in(text)
        timed = any(sign.isalpha() for sign in text) and not isinstance(found, str) and found > 0
        return {"expires_in": float(found)} if timed else None

    def _toggle(self) -> None:
        self.expires.setVisible(self.expires.isHidden())
        if not self.expires.isHidden():
            self.expires.setFocus()
        self._edited()

    def _edited(self) -> None:
        set_state(self.expires, "invalid", bool(self.problem()))
        self.changed.emit()


_UNREADABLE = "expiry is {text}, it must be a time such as 5 min or a step such as 1200"
