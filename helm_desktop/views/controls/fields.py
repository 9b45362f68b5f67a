"""Editors of single values: numbers, text, switches, choices, durations."""

import math
import re
from decimal import Decimal, InvalidOperation
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QSizePolicy, QSlider, QWidget

from helm_desktop import format as fmt
from helm_desktop.theme import set_state
from helm_desktop.views.controls.editor import ValueEditor
from helm_desktop.widgets import NumberField, SegmentedControl, ToggleSwitch
from helm_sdk.protocol.kinds import MISSING, Enum, InvalidValue, Scalar, decimal_of, shown
from helm_sdk.protocol.questions import same

_TICKS = 1000
_SLIDER_PX = 180  # the least room for a slider and its field
_IN_SIGHT = 4  # choices that stand side by side
_IN_SIGHT_CHARACTERS = 34


def as_sent(text: str, whole: bool) -> Any:
    """A number as JSON where JSON keeps it exactly, else the decimal string; text that is none stays text."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text
    if not number.is_finite():
        return text
    exact = number == number.to_integral_value() if abs(number.adjusted()) < 30 else False
    if exact and (whole or re.fullmatch(r"[+-]?\d+", text)):
        return int(number)
    return float(text) if Decimal(repr(float(text))) == number else text


def plain(value: Any) -> str:
    """Return a number as it is typed."""
    return "" if value is None or value is MISSING else str(value)


class NumberEditor(ValueEditor):
    """A field for a number or an integer; with both bounds there is a slider too."""

    clears = blank = True

    def __init__(self, node: Scalar, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._node = node
        self.field = NumberField(name, unit=node.unit, step=plain(node.step))
        self.field.typed.connect(self._typed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self.slider: QSlider | None = None
        if node.bounds.closed:
            self.slider = QSlider(Qt.Orientation.Horizontal)
            self.slider.setRange(0, _TICKS)
            self.slider.setAccessibleName(f"{name}, slider")
            self.slider.valueChanged.connect(self._slid)
            row.addWidget(self.slider, 1)
        row.addWidget(self.field, 0 if self.slider else 1)

    def read(self) -> Any:
        text = self.field.value_text
        return as_sent(text, self._node.type == "integer") if text else MISSING

    def show_value(self, value: Any) -> None:
        self.field.setText(plain(value))
        self._follow()

    def set_default(self, default: Any) -> None:
        if default is not MISSING and default is not None:
            self.field.setPlaceholderText(f"default {plain(default)}")

    def set_complaint(self, sentence: str) -> None:
        self.field.set_invalid(sentence)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A slider that a hand could not use gives its room to the field."""
        super().resizeEvent(event)
        if self.slider is not None:
            narrow = self.width() < _SLIDER_PX
            self.slider.setVisible(not narrow)
            wide = 84 if not self._node.unit else 120
            self.field.setMinimumWidth(0 if narrow else wide)
            self.field.setMaximumWidth(self.width() if narrow else wide)

    def _typed(self) -> None:
        self._follow()
        self.edited.emit()

    def _ends(self) -> tuple[float, float, bool]:
        low, high = float(self._node.bounds.min or 0), float(self._node.bounds.max or 0)
        return low, high, self._node.scale == "log" and low > 0

    def _follow(self) -> None:
        number = self.field.number
        if self.slider is None or number is None or not number.is_finite():
            return
        low, high, log = self._ends()
        at = min(max(float(number), low), high)
        share = math.log(at / low) / math.log(high / low) if log else (at - low) / (high - low or 1)
        self.slider.blockSignals(True)
        self.slider.setValue(round(share * _TICKS))
        self.slider.blockSignals(False)

    def _slid(self, tick: int) -> None:
        low, high, log = self._ends()
        share = tick / _TICKS
        value = low * (high / low) ** share if log else low + (high - low) * share
        if self._node.type == "integer":
            text = str(round(value))
        elif self._node.step:
            text = str(Decimal(round(value / float(self._node.step))) * self._node.step)
        else:
            text = f"{value:.3g}"
        self.field.setText(text)
        self.edited.emit()


class TextEditor(ValueEditor):
    """A line of text. Required text may be empty."""

    blank = True

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QLineEdit()
        self.field.setAccessibleName(name)
        self.field.textEdited.connect(self._typed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.field)

    def read(self) -> Any:
        return self.field.text()

    def show_value(self, value: Any) -> None:
        self.field.setText(plain(value))

    def set_default(self, default: Any) -> None:
        if isinstance(default, str):
            self.field.setPlaceholderText(f"default {default}")

    def set_complaint(self, sentence: str) -> None:
        set_state(self.field, "invalid", bool(sentence))
        self.field.setAccessibleDescription(sentence)

    def _typed(self) -> None:
        self.edited.emit()


class SwitchEditor(ValueEditor):
    """true or false."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.switch = ToggleSwitch(name)
        self.switch.clicked.connect(self._clicked)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.switch)
        row.addStretch(1)

    def read(self) -> Any:
        return self.switch.isChecked()

    def show_value(self, value: Any) -> None:
        self.switch.setChecked(value is True)

    def _clicked(self) -> None:
        self.edited.emit()


class ChoiceEditor(ValueEditor):
    """One of a few: all in sight up to four, else a list that drops down."""

    def __init__(self, node: Enum, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.values = node.values
        self.segments: SegmentedControl | None = None
        self.combo: QComboBox | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        if len(node.values) <= _IN_SIGHT and sum(map(len, node.labels)) <= _IN_SIGHT_CHARACTERS:
            self.segments = SegmentedControl(list(zip(node.values, node.labels, strict=True)), name=name)
            self.segments.chosen.connect(self._chosen)
            row.addWidget(self.segments)
            row.addStretch(1)
        else:
            self.combo = QComboBox()
            self.combo.setAccessibleName(name)
            self.combo.addItems(node.labels)
            self.combo.setCurrentIndex(-1)
            self.combo.setPlaceholderText("Choose…")
            self.combo.setMinimumContentsLength(8)
            self.combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            self.combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            self.combo.activated.connect(self._chosen)
            row.addWidget(self.combo)

    def read(self) -> Any:
        if self.segments is not None:
            chosen = self.segments.value
            return MISSING if chosen is None else chosen
        index = self.combo.currentIndex() if self.combo is not None else -1
        return self.values[index] if index >= 0 else MISSING

    def show_value(self, value: Any) -> None:
        place = next((place for place, own in enumerate(self.values) if same(own, value)), None)
        if self.segments is not None:
            self.segments.set_value(value if place is None else self.values[place])
        elif self.combo is not None:
            self.combo.setCurrentIndex(place if place is not None else -1)

    def _chosen(self) -> None:
        self.edited.emit()


_UNITS: dict[str, int | Decimal] = {
    "d": 86_400,
    "h": 3_600,
    "min": 60,
    "m": 60,
    "s": 1,
    "ms": Decimal("0.001"),
}
_PART = re.compile(r"\s*([0-9.]+(?:e[+-]?[0-9]+)?)\s*(d|h|min|ms|m|s)\b", re.IGNORECASE)


def seconds_in(text: str) -> Any:
    """Return the seconds in "1 h 30 min", "90" or "15 min"; text that says no time span stays text."""
    total, at = Decimal(0), 0
    while match := _PART.match(text, at):
        try:
            total += Decimal(match[1]) * _UNITS[match[2].lower()]
        except InvalidOperation:
            return text
        at = match.end()
    if at == 0 or text[at:].strip():
        return as_sent(text.strip(), whole=False)
    return int(total) if total == total.to_integral_value() else as_sent(str(total), whole=False)


class DurationEditor(ValueEditor):
    """A time span as people write it."""

    clears = blank = True

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self.field = NumberField(name, unit="duration")
        self.field.setPlaceholderText("1 h 30 min")
        self.field.typed.connect(self._typed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.field)

    def read(self) -> Any:
        return seconds_in(self.field.value_text) if self.field.value_text else MISSING

    def problem(self) -> str:
        """Return the sentence for text that says no time span; empty when it says one."""
        value = self.value()
        try:
            decimal_of("0" if value is MISSING else value, "")
        except InvalidValue:
            return f"{self._name} is {shown(value)}, it must be a time such as 90 s or 1 h 30 min"
        return ""

    def show_value(self, value: Any) -> None:
        self.field.setText(self._format(value))

    def set_default(self, default: Any) -> None:
        if default is not MISSING and default is not None:
            self.field.setPlaceholderText(f"default {self._format(default)}")

    def set_complaint(self, sentence: str) -> None:
        self.field.set_invalid(sentence)

    def _format(self, value: Any) -> str:
        if value is None or value is MISSING:
            return ""
        try:
            seconds = decimal_of(value, "")
            words = fmt.duration(float(seconds))
            return words if decimal_of(seconds_in(words), "") == seconds else plain(value)
        except InvalidValue:
            return plain(value)

    def _typed(self) -> None:
        self.edited.emit()
