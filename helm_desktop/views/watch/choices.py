"""A choice of a few that goes on in the next line where there is no room; of one, or of several."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QPushButton, QWidget

from helm_desktop.theme import set_look
from helm_desktop.widgets import FlowLayout


class WrappedChoices(QWidget):
    """Buttons that are down or not."""

    changed = Signal()  # by the user's hand only

    def __init__(
        self,
        options: Sequence[tuple[str, str]],
        name: str,
        *,
        several: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.buttons: dict[str, QPushButton] = {}
        self._group = QButtonGroup(self)
        self._group.setExclusive(not several)
        flow = FlowLayout(self, gap=4, line_gap=4)
        for value, label in options:
            button = QPushButton(label)
            button.setCheckable(True)
            button.setAccessibleName(f"{name}: {label}")
            set_look(button, "choice")
            self._group.addButton(button)
            self.buttons[value] = button
            flow.addWidget(button)
            button.clicked.connect(self.changed)

    @property
    def values(self) -> set[str]:
        """What is down."""
        return {value for value, button in self.buttons.items() if button.isChecked()}

    def set_values(self, values: set[str]) -> None:
        """Put these down without telling."""
        exclusive = self._group.exclusive()
        self._group.setExclusive(False)
        for value, button in self.buttons.items():
            button.setChecked(value in values)
        self._group.setExclusive(exclusive)
