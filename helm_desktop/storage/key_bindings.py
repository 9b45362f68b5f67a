"""Which keys do which action: as the tables say, and as somebody has changed them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtGui import QKeySequence

from helm_desktop.actions.spec import SEPARATOR, ActionSpec


class KeyBindings:
    """Several keys may do one action; one key does one action."""

    def __init__(self, specs: Sequence[ActionSpec], kept: Mapping[str, str] | None = None) -> None:
        self._specs = {spec.id: spec for spec in specs}
        self._kept = {action: keys for action, keys in (kept or {}).items() if action in self._specs}

    def keys(self, action: str) -> list[QKeySequence]:
        """Return the keys of an action."""
        return parse(self.text(action))

    def text(self, action: str) -> str:
        """Return the keys as they are kept."""
        return self._kept.get(action, self._specs[action].shortcut)

    def native_text(self, action: str) -> str:
        """Return the keys as the keyboard of this machine names them: "F1 or ?"."""
        form = QKeySequence.SequenceFormat.NativeText
        return " or ".join(keys.toString(form) for keys in self.keys(action))

    def own(self, action: str) -> bool:
        """Return True when they are as the tables say."""
        return action not in self._kept

    def problem(self, action: str, keys: str) -> str:
        """Return why an action cannot have these keys, in one sentence."""
        for wanted in parse(keys):
            if wanted.isEmpty():
                return f"{keys} is no key"
            for other in self._specs:
                if other != action and wanted in self.keys(other):
                    words = wanted.toString(QKeySequence.SequenceFormat.NativeText)
                    return f"{words} is {self._specs[other].text.rstrip('…')}: give that another key first"
        return ""

    def set(self, action: str, keys: str | None) -> None:
        """Other keys for an action; None: its own again."""
        if keys is None or keys == self._specs[action].shortcut:
            self._kept.pop(action, None)
        else:
            self._kept[action] = keys


def parse(text: str) -> list[QKeySequence]:
    """Return the keys that a text names."""
    return [QKeySequence(part) for part in text.split(SEPARATOR)] if text else []
