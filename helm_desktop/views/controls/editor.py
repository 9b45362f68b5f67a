"""What every editor of a value has in common."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from helm_sdk.protocol.kinds import MISSING, Node


class Editor(QWidget):
    """Edits one value of one kind. MISSING stands for a value that is not given."""

    edited = Signal()  # by the user's hand only

    clears = False  # whether emptying it means that nothing is given

    tall = False  # whether its label stands at its top

    def value(self) -> Any:
        """What stands in it, as it would be sent."""
        raise NotImplementedError

    def set_value(self, value: Any) -> None:
        """Shows a value, or none for MISSING, without telling."""
        raise NotImplementedError

    def set_complaint(self, sentence: str) -> None:
        """Marks what is wrong with the value; empty: nothing is."""

    def set_default(self, default: Any) -> None:
        """What holds while nothing is given."""
        if default is not None and default is not MISSING:
            self.set_value(default)


MakeEditor = Callable[[Node, str], Editor]
"""Makes the editor for a node; the name is for screen readers."""
