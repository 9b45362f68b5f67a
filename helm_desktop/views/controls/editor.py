"""What every editor of a value has in common."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from helm_sdk.protocol.kinds import MISSING, InvalidValue, Node, check

_NOTHING = object()
_BY_TAB = (Qt.FocusPolicy.TabFocus, Qt.FocusPolicy.StrongFocus, Qt.FocusPolicy.WheelFocus)


class ValueEditor(QWidget):
    """Edits one value of one kind. MISSING stands for a value that is not given."""

    edited = Signal()  # by the user's hand only

    clears = False  # whether emptying it means that nothing is given

    blank = False  # whether it can stand empty, so that it shows itself that nothing is given

    tall = False  # whether its label stands at its top

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kept: Any = _NOTHING  # what was shown last, until a hand changes it: it is sent to the letter
        self.edited.connect(self._forget)

    def value(self) -> Any:
        """Return the editor's value as it would be sent; an untouched one is the value that was given."""
        return self.read() if self._kept is _NOTHING else self._kept

    def set_value(self, value: Any) -> None:
        """Show a value, or none for MISSING, without telling."""
        self.show_value(value)
        self._kept = _NOTHING if value is MISSING else value

    def read(self) -> Any:
        """Return the value as the widgets label it."""
        raise NotImplementedError

    def show_value(self, value: Any) -> None:
        """Fill the widgets."""
        raise NotImplementedError

    def problem(self) -> str:
        """Return what is wrong with what stands in it that no value could say; empty: nothing is."""
        return ""

    def _forget(self) -> None:
        self._kept = _NOTHING

    def set_complaint(self, sentence: str) -> None:
        """Marks what is wrong with the value; empty: nothing is."""

    def set_default(self, default: Any) -> None:
        """What holds while nothing is given."""
        if default is not None and default is not MISSING:
            self.set_value(default)


MakeEditor = Callable[[Node, str], ValueEditor]
"""Makes the editor for a node; the name is for screen readers."""


def problem_of(editor: ValueEditor, node: Node) -> str:
    """Return why the run would refuse an editor's value; empty when it would accept it."""
    if message := editor.problem():
        return message
    value = editor.value()
    if value is MISSING:
        return "nothing is given"
    try:
        check(node, value)
    except InvalidValue as error:
        return error.sentence
    return ""


def order_tabs(before: QWidget, inside: QWidget, after: QWidget) -> None:
    """Tab goes from one widget through all of another to a third."""
    for widget in inside.findChildren(QWidget):
        if widget.focusPolicy() in _BY_TAB and widget.window() is inside.window():  # no popup of its own
            QWidget.setTabOrder(before, widget)
            before = widget
    QWidget.setTabOrder(before, after)
