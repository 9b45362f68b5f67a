"""Anything that JSON can say: shown as text, edited on request."""

import json
from typing import Any

from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from helm_desktop.theme import set_look, set_state
from helm_desktop.views.controls.editor import ValueEditor
from helm_sdk.protocol.kinds import MISSING


class RawEditor(ValueEditor):
    """The JSON text, read-only until "Edit as JSON" is pressed; a note says why there is no form."""

    tall = blank = True

    def __init__(self, note: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._note = QLabel(note)
        self._note.setWordWrap(True)
        set_look(self._note, "small")
        self.text = QPlainTextEdit()
        self.text.setAccessibleName(f"{name}, JSON")
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setFixedHeight(96)
        set_look(self.text, "figure")
        self.button = QPushButton("Edit as JSON")
        self.button.clicked.connect(self._unlock)
        self.text.textChanged.connect(self._changed)
        self._quiet = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for part in (self.text, self._note, self.button):
            column.addWidget(part)
        self.button.setSizePolicy(
            self.button.sizePolicy().Policy.Maximum, self.button.sizePolicy().Policy.Fixed
        )

    def read(self) -> Any:
        text = self.text.toPlainText().strip()
        if not text:
            return MISSING
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return MISSING

    def problem(self) -> str:
        """Return why the text is no JSON; empty when it is, or when there is none."""
        text = self.text.toPlainText().strip()
        try:
            json.loads(text or "null")
        except ValueError as error:
            return f"this is no JSON: {error}"
        except RecursionError:
            return "this is nested too deeply"
        return ""

    def show_value(self, value: Any) -> None:
        self._quiet = True
        given = value is not MISSING
        self.text.setPlainText(json.dumps(value, indent=2, ensure_ascii=False, default=str) if given else "")
        self._quiet = False

    def set_complaint(self, sentence: str) -> None:
        set_state(self.text, "invalid", bool(sentence))

    def _unlock(self) -> None:
        self.text.setReadOnly(False)
        self.text.setFocus()
        self.button.hide()

    def _changed(self) -> None:
        if not self._quiet:
            self.edited.emit()
