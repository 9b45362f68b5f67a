"""A field for a number that keeps what was typed to the letter."""

from decimal import Decimal, InvalidOperation

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from helm_desktop.theme import set_look, set_state

_ROOM = 8


def plain_decimal(text: str) -> Decimal | None:
    """Return the number that a text says, None when it says none."""
    try:
        return Decimal(text.strip())
    except InvalidOperation:
        return None


class NumberField(QLineEdit):
    """Takes decimals such as 1.5e-3, a unit at the right. ↑ and ↓ change it by its step."""

    typed = Signal(str)  # what stands in the field, at each change by the user

    def __init__(self, name: str, *, unit: str = "", step: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "figure")
        self.setAccessibleName(f"{name}, in {unit}" if unit else name)
        self._step = plain_decimal(step) if step else None
        self._unit = QLabel(unit, self)
        set_look(self._unit, "quiet-figure")
        self._unit.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._unit.setVisible(bool(unit))
        self.textEdited.connect(self.typed)
        self._make_room()

    @property
    def value_text(self) -> str:
        """The text as typed, without the blanks around it."""
        return self.text().strip()

    @property
    def number(self) -> Decimal | None:
        """The number that stands in the field, None when none does."""
        return plain_decimal(self.text())

    def set_unit(self, unit: str) -> None:
        """Another unit at the right."""
        self._unit.setText(unit)
        self._unit.setVisible(bool(unit))
        self._make_room()

    def set_invalid(self, sentence: str) -> None:
        """Marks the field as wrong, or as right again with an empty sentence."""
        set_state(self, "invalid", bool(sentence))
        self.setAccessibleDescription(sentence)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        signs = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
        sign = signs.get(Qt.Key(event.key()))
        number = self.number
        if sign is None or self._step is None or number is None or not number.is_finite():
            super().keyPressEvent(event)
            return
        self.setText(str(number + sign * self._step))
        self.typed.emit(self.text())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def minimumSizeHint(self) -> QSize:
        return QSize(72, super().minimumSizeHint().height())

    def _make_room(self) -> None:
        self._unit.ensurePolished()
        width = QFontMetrics(self._unit.font()).horizontalAdvance(self._unit.text())
        self._unit.setGeometry(self.width() - width - _ROOM, 0, width, self.height())
        self.setTextMargins(0, 0, width + _ROOM if self._unit.text() else 0, 0)
