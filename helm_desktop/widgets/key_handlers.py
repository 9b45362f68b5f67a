"""Find the handler of a key that was pressed by the records of a widget's keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence


class KeyRecord(Protocol):
    """What a record says of its keys."""

    @property
    def id(self) -> str:
        """The id of the handler."""
        ...

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys, each as Qt's portable text."""
        ...


Handler = Callable[[], object]
_UNCOUNTED = Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.GroupSwitchModifier


def handle_key(
    event: QKeyEvent, records: Sequence[KeyRecord], handlers: Mapping[str, Handler | None]
) -> bool:
    """Call the handler of the key that was pressed, and return whether there was one.

    A key counts with exactly its modifiers. A handler that is None stands for a key that does nothing now.
    """
    ids = {record.id for record in records}
    if ids != handlers.keys():
        raise KeyError(f"no record or no handler: {', '.join(sorted(ids ^ handlers.keys()))}")
    pressed = _pressed(event)
    for record in records:
        if pressed in record.keys:
            handler = handlers[record.id]
            if handler is not None:
                handler()
            return handler is not None
    return False


def _pressed(event: QKeyEvent) -> str:
    """Return key and modifiers as Qt's portable text."""
    key = Qt.Key(event.key())
    modifiers = event.modifiers() & ~_UNCOUNTED
    if key == Qt.Key.Key_Enter:
        key = Qt.Key.Key_Return
    elif Qt.Key.Key_Space < key < Qt.Key.Key_Escape and not chr(key).isalpha():
        modifiers &= ~Qt.KeyboardModifier.ShiftModifier  # keyboards differ in which signs need Shift
    sequence = QKeySequence(QKeyCombination(modifiers, key))
    return sequence.toString(QKeySequence.SequenceFormat.PortableText)
