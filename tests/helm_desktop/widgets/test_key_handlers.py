"""A key that was pressed finds its handler by the records of the widget's keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent

from helm_desktop.widgets import handle_key

NONE = Qt.KeyboardModifier.NoModifier
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
KEYPAD = Qt.KeyboardModifier.KeypadModifier


@dataclass(frozen=True)
class Record:
    """The keys of one handler."""

    id: str
    keys: tuple[str, ...]


RECORDS = (
    Record("done", ("Return", "Space")),
    Record("more", ("Shift+Return",)),
    Record("far", ("<",)),
    Record("less", ("-",)),
    Record("log", ("L",)),
    Record("copy", ("Ctrl+C",)),
)


def pressed(key: int, modifiers: Qt.KeyboardModifier = NONE, without: str = "") -> str:
    """Return the id of the handler that was called; empty where none was."""
    called: list[str] = []
    handlers: dict[str, Callable[[], object] | None] = {
        record.id: lambda action=record.id: called.append(action)  # type: ignore[misc]
        for record in RECORDS
    }
    if without:
        handlers[without] = None
    handled = handle_key(QKeyEvent(QEvent.Type.KeyPress, key, modifiers), RECORDS, handlers)
    assert handled == bool(called)
    return "".join(called)


@pytest.mark.parametrize(
    ("key", "modifiers", "action"),
    [
        (Qt.Key.Key_Return, NONE, "done"),
        (Qt.Key.Key_Enter, KEYPAD, "done"),
        (Qt.Key.Key_Space, NONE, "done"),
        (Qt.Key.Key_Return, SHIFT, "more"),
        (Qt.Key.Key_Enter, SHIFT | KEYPAD, "more"),
        (Qt.Key.Key_Return, CONTROL, ""),
        (Qt.Key.Key_Less, NONE, "far"),
        (Qt.Key.Key_Less, SHIFT, "far"),
        (Qt.Key.Key_Minus, KEYPAD, "less"),
        (Qt.Key.Key_L, NONE, "log"),
        (Qt.Key.Key_L, SHIFT, ""),
        (Qt.Key.Key_L, CONTROL, ""),
        (Qt.Key.Key_C, CONTROL, "copy"),
        (Qt.Key.Key_C, NONE, ""),
        (Qt.Key.Key_Shift, SHIFT, ""),
        (ord("Ф"), NONE, ""),
    ],
)
def test_that_a_key_counts_with_its_modifiers(
    key: Qt.Key | int, modifiers: Qt.KeyboardModifier, action: str
) -> None:
    assert pressed(int(key), modifiers) == action


def test_that_a_key_without_a_handler_now_is_left_to_others() -> None:
    assert pressed(Qt.Key.Key_L, without="log") == ""


def test_that_a_record_without_a_handler_and_the_other_way_are_told() -> None:
    event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_L, NONE)
    with pytest.raises(KeyError, match="log"):
        handle_key(event, RECORDS[4:5], {})
    with pytest.raises(KeyError, match="pin"):
        handle_key(event, (), {"pin": None})
