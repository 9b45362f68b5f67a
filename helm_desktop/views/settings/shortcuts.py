"""Every action with its keys, to be found and given others."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QFrame, QHBoxLayout, QKeySequenceEdit, QLabel, QPushButton, QVBoxLayout, QWidget

from helm_desktop.actions.spec import ActionSpec
from helm_desktop.storage.key_bindings import KeyBindings
from helm_desktop.theme import set_look
from helm_desktop.views.settings.setting_rows import SettingsSection, small, subtitle
from helm_desktop.widgets import SearchField


class ShortcutLine(QFrame):
    """An action and a field that takes the keys that are pressed in it."""

    keys_requested = Signal(str, str)  # the action's id, its keys
    reset_requested = Signal(str)

    def __init__(self, spec: ActionSpec, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spec = spec
        self.words = spec.text.rstrip("…")
        name, self.keys = QLabel(self.words), QKeySequenceEdit()
        self.reset, self.clear, self.problem = QPushButton("Reset"), QPushButton("×"), small()
        self.keys.setMaximumSequenceLength(1)
        self.keys.setFixedWidth(160)
        self.keys.setAccessibleName(f"Keys of {self.words}")
        self.reset.setAccessibleName(f"Reset the keys of {self.words}")
        self.clear.setAccessibleName(f"Leave {self.words} without keys")
        self.clear.setToolTip("Without keys")
        self.clear.setFixedWidth(24)
        room = self.clear.sizePolicy()
        room.setRetainSizeWhenHidden(True)
        self.clear.setSizePolicy(room)
        set_look(self.reset, "link")
        set_look(self.clear, "flat")
        set_look(self.problem, "bad")
        name.setBuddy(self.keys)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(name, 1)
        row.addWidget(self.reset)
        row.addWidget(self.keys)
        row.addWidget(self.clear)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(row)
        column.addWidget(self.problem)
        self.problem.hide()
        self.keys.keySequenceChanged.connect(self._typed)
        self.reset.clicked.connect(self._reset)
        self.clear.clicked.connect(self._clear)

    def show_keys(self, shortcuts: KeyBindings) -> None:
        """The keys as they are."""
        keys = shortcuts.keys(self.spec.id)
        with QSignalBlocker(self.keys):
            self.keys.setKeySequence(keys[0] if keys else QKeySequence())
        self.keys.setToolTip(f"Also {shortcuts.native_text(self.spec.id)}" if len(keys) > 1 else "")
        self.reset.setVisible(not shortcuts.own(self.spec.id))
        self.clear.setVisible(bool(keys))
        self.complain("")

    def complain(self, sentence: str) -> None:
        """Why it does not have what stands in the field."""
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))
        self.keys.setAccessibleDescription(sentence)

    def _typed(self, keys: QKeySequence) -> None:
        """Empty: somebody has begun to press keys."""
        if not keys.isEmpty():
            self.keys_requested.emit(self.spec.id, keys.toString(QKeySequence.SequenceFormat.PortableText))

    def _clear(self) -> None:
        self.keys_requested.emit(self.spec.id, "")

    def _reset(self) -> None:
        self.reset_requested.emit(self.spec.id)


class ShortcutsSection(SettingsSection):
    """The lines of every menu below its title; a search leaves those that fit."""

    keys_requested = Signal(str, str)
    reset_requested = Signal(str)

    def __init__(self, specs: Sequence[ActionSpec], parent: QWidget | None = None) -> None:
        super().__init__(
            "Shortcuts", "Click a field and press the keys that shall do it; × takes them away.", parent
        )
        self.search = SearchField("Search actions or keys", "Search shortcuts")
        self.lines: dict[str, ShortcutLine] = {}
        self._titles: dict[str, QLabel] = {}
        self.nothing = small()
        widgets: list[QWidget] = [self.search, self.nothing]
        for spec in specs:
            if spec.menu not in self._titles:
                self._titles[spec.menu] = subtitle(spec.menu)
                widgets.append(self._titles[spec.menu])
            line = self.lines[spec.id] = ShortcutLine(spec)
            line.keys_requested.connect(self.keys_requested)
            line.reset_requested.connect(self.reset_requested)
            widgets.append(line)
        self.fill(*widgets)
        self.nothing.hide()
        self.search.textChanged.connect(self._narrow)

    def show_shortcuts(self, shortcuts: KeyBindings) -> None:
        """The keys as they are."""
        for line in self.lines.values():
            line.show_keys(shortcuts)

    def _narrow(self, text: str) -> None:
        words = text.lower().split()
        shown: set[str] = set()
        for line in self.lines.values():
            keys = line.keys.keySequence().toString(QKeySequence.SequenceFormat.NativeText)
            message = f"{line.spec.menu} {line.words} {keys}".lower()
            fits = all(word in message for word in words)
            line.setVisible(fits)
            shown |= {line.spec.menu} if fits else set()
        for menu, title in self._titles.items():
            title.setVisible(menu in shown)
        self.nothing.setText(f"No action fits “{text}”.")
        self.nothing.setVisible(not shown)
