"""Whose keys may watch and steer the runs of this user."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from helm_desktop.theme import set_look, set_state
from helm_desktop.views.settings.setting_rows import SettingRow, SettingsSection, small, subtitle
from helm_desktop.widgets import ElidedLabel


class KeyLine(QFrame):
    """A name, its key, and a button that takes it off the list."""

    remove_requested = Signal(str)

    def __init__(self, name: str, key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        set_look(self, "card")
        text, self.remove = ElidedLabel(key, "quiet-figure"), QPushButton("Remove")
        self.remove.setAccessibleName(f"Trust {name} no more")
        label = QLabel(name)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setMinimumWidth(120)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 8, 6)
        row.setSpacing(12)
        row.addWidget(label)
        row.addWidget(text, 1)
        row.addWidget(self.remove)
        self.remove.clicked.connect(self._remove)

    def _remove(self) -> None:
        self.remove_requested.emit(self.name)


class KeysSection(SettingsSection):
    """The own key to hand on, and the list of those that are let in."""

    copy_requested = Signal()
    trust_requested = Signal(str, str)  # name, public key
    revoke_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            "Keys",
            "A run talks to keys that it knows, and to nobody else: yours, and those that you trust here. "
            "Runs notice a change within a second.",
            parent,
        )
        self.own, self.copy = ElidedLabel("", "figure"), QPushButton("Copy")
        self.copy.setAccessibleName("Copy your public key")
        self._own = SettingRow("Your public key", "", self.copy)
        self._own.add_below(self.own)
        self.lines: dict[str, KeyLine] = {}
        self._list = QWidget()
        self._column = QVBoxLayout(self._list)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)
        self.empty = small("Nobody else. Whoever shall watch or steer your runs gives you their public key.")
        self.name, self.key, self.add = QLineEdit(), QLineEdit(), QPushButton("Trust")
        self.problem = small()
        set_look(self.problem, "bad")
        self._form = self._made_form()
        self.fill(self._own, subtitle("Trusted"), self.empty, self._list, self._form, self.problem)
        self.copy.clicked.connect(self.copy_requested)
        self.add.clicked.connect(self._trust)
        for field in (self.name, self.key):
            field.textEdited.connect(self._edited)
            field.returnPressed.connect(self._trust)
        self._edited()

    def show_keys(self, name: str, own: str, trusted: Mapping[str, str], problem: str = "") -> None:
        """The keys as they are now; a problem of the own ones stands in their place."""
        self.own.setText(own)
        self._own.set_description(problem or f"Yours is called {name}. Give it to whoever shall let you in.")
        self.copy.setEnabled(bool(own))
        for gone in [known for known in self.lines if known not in trusted]:
            line = self.lines.pop(gone)
            self._column.removeWidget(line)
            line.hide()
            line.deleteLater()
        for known, key in trusted.items():
            if known not in self.lines:
                line = self.lines[known] = KeyLine(known, key)
                line.remove_requested.connect(self.revoke_requested)
                self._column.addWidget(line)
        self.empty.setVisible(not trusted)

    def on_key_trusted(self) -> None:
        """The key that was typed is trusted."""
        self.name.clear()
        self.key.clear()
        self._edited()

    def complain(self, sentence: str) -> None:
        """Why a key could not be trusted."""
        self.problem.setText(f"{sentence[:1].upper()}{sentence[1:]}")
        self.problem.setVisible(bool(sentence))
        set_state(self.key, "invalid", bool(sentence))
        self.key.setAccessibleDescription(sentence)

    def _made_form(self) -> QWidget:
        self.name.setPlaceholderText("Name, such as ada")
        self.name.setAccessibleName("Name of the key")
        self.key.setPlaceholderText("Public key, 40 characters, or the text of a key file")
        self.key.setAccessibleName("Public key")
        set_look(self.key, "figure")
        self.name.setMaximumWidth(180)
        form = QWidget()
        row = QHBoxLayout(form)
        row.setContentsMargins(0, 4, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.name)
        row.addWidget(self.key, 1)
        row.addWidget(self.add)
        return form

    def _edited(self) -> None:
        self.complain("")
        self.add.setEnabled(bool(self.name.text().strip() and self.key.text().strip()))

    def _trust(self) -> None:
        if self.add.isEnabled():
            self.trust_requested.emit(self.name.text().strip(), self.key.text())
