"""A choice of a few, all of them in sight."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from helm_desktop.theme import set_look


class SegmentedControl(QFrame):
    """Buttons in a row of which one is down. Arrow keys move the choice."""

    chosen = Signal(object)  # the value, by the user's hand only

    def __init__(
        self, options: Sequence[tuple[object, str]], *, name: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        set_look(self, "segments")
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._values = [value for value, _ in options]
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for number, (_, label) in enumerate(options):
            button = QPushButton(label)
            button.setCheckable(True)
            button.setAccessibleName(f"{name}: {label}" if name else label)
            set_look(button, "segment")
            self._group.addButton(button, number)
            row.addWidget(button)
        self._group.idClicked.connect(self._emit)

    @property
    def value(self) -> object | None:
        """The chosen value; None while nothing is chosen."""
        number = self._group.checkedId()
        return self._values[number] if number >= 0 else None

    def set_value(self, value: object) -> None:
        """Choose without telling; a value that is not offered clears the choice."""
        for number, own in enumerate(self._values):
            if own == value and type(own) is type(value):
                self._group.button(number).setChecked(True)
                return
        self._group.setExclusive(False)
        for button in self._group.buttons():
            button.setChecked(False)
        self._group.setExclusive(True)

    def button(self, value: object) -> QPushButton:
        """Return the button of a value."""
        found = self._group.button(self._values.index(value))
        assert isinstance(found, QPushButton)
        return found

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        number = min(max(self._group.checkedId() + step, 0), len(self._values) - 1)
        if number != self._group.checkedId():
            button = self._group.button(number)
            button.setChecked(True)
            button.setFocus()
            self._emit(number)

    def _emit(self, number: int) -> None:
        self.chosen.emit(self._values[number])
