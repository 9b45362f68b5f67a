"""The pills of the board, which set for every chart the x axis, the smoothing and the range."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QSlider, QVBoxLayout, QWidget

from helm_desktop.format import number
from helm_desktop.model.chart.spec import ACTIVE, RELATIVE, STEP, WALL, X_LABELS
from helm_desktop.theme import set_look
from helm_desktop.widgets import Pill

X_TIPS = {
    STEP: "The step that each value was logged at",
    RELATIVE: "Time since the first point",
    ACTIVE: "Time without pauses and gaps",
    WALL: "The time of day",
}
MAX_WEIGHT = 0.999
FINE_FROM = 0.98  # weights from here on have three decimals instead of two


def weight_at(place: int) -> float:
    """Return the smoothing weight, 0 to 0.999, for a slider position of 0 to 100; finer towards 1."""
    weight = 0.0 if place <= 0 else min(MAX_WEIGHT, 1 - (1 - place / 100) ** 2 * 0.999 - 0.001)
    return round(weight, 2 if weight < FINE_FROM else 3)


def place_for(weight: float) -> int:
    """Return the slider position, 0 to 100, that comes nearest to a smoothing weight."""
    return min(range(101), key=lambda place: abs(weight_at(place) - weight))


class SmoothingPopover(QFrame):
    """A popup with the slider of the smoothing; the charts follow the slider at once."""

    changed = Signal(float)
    began = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        set_look(self, "card")
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, 100)
        self.slider.setAccessibleName("Smoothing")
        self._value = QLabel()
        set_look(self._value, "figure")
        row = QHBoxLayout()
        row.addWidget(self.slider, 1)
        row.addWidget(self._value)
        self._value.setMinimumWidth(40)
        text = QLabel(
            "Each point is drawn as a weighted mean of all points up to it. Older points weigh less."
        )
        text.setWordWrap(True)
        set_look(text, "small")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 10)
        column.addLayout(row)
        column.addWidget(text)
        self.setFixedWidth(280)
        self.slider.valueChanged.connect(self._on_value)
        self.slider.sliderPressed.connect(self.began)

    def open_at(self, place: QPoint, weight: float) -> None:
        """Open the popup with its right part below `place`, a point of the screen."""
        self.slider.blockSignals(True)
        self.slider.setValue(place_for(weight))
        self.slider.blockSignals(False)
        self._show_weight(weight)
        self.adjustSize()
        self.move(place - QPoint(self.width() - 120, -4))
        self.show()
        self.slider.setFocus()
        self.began.emit()

    def sizeHint(self) -> QSize:
        return QSize(280, super().sizeHint().height())

    def _on_value(self, place: int) -> None:
        weight = weight_at(place)
        self._show_weight(weight)
        self.changed.emit(weight)

    def _show_weight(self, weight: float) -> None:
        self._value.setText(f"{weight:g}" if weight else "off")


class BoardPills(QWidget):
    """The three pills at the right of the page tabs."""

    x_chosen = Signal(str)
    smoothing_chosen = Signal(float)
    smoothing_began = Signal()
    whole_requested = Signal()  # show the whole run again

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.axis = Pill("x: step", clickable=True)
        self.smoothing = Pill("smoothing off", clickable=True)
        self.range = Pill("whole run", clickable=True)
        self._axes: tuple[str, ...] = ()
        self._x, self._weight = STEP, 0.0
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for pill in (self.axis, self.smoothing, self.range):
            row.addWidget(pill)
        self.axis.setToolTip("The x axis of every chart")
        self.axis.clicked.connect(self._open_x)
        self.smoothing.clicked.connect(self._open_smoothing)
        self.range.clicked.connect(self.whole_requested)
        self.popover = SmoothingPopover(self)
        self.popover.changed.connect(self.smoothing_chosen)
        self.popover.began.connect(self.smoothing_began)
        self.show_range(None)

    def set_axes(self, axes: Sequence[str]) -> None:
        """Set the further axes that the run logs, such as tokens."""
        self._axes = tuple(axes)

    def show_state(self, x: str, smoothing: float) -> None:
        """Show the x axis and the smoothing of the board."""
        self._x, self._weight = x, smoothing
        self.axis.show_text(f"x: {X_LABELS.get(x, x)}")
        self.smoothing.show_text(f"smoothing {smoothing:g}" if smoothing else "smoothing off")

    def show_range(self, zoom: tuple[float, float] | None, x: str = STEP) -> None:
        """Show the part of the run that the charts show; None means the whole run."""
        if zoom is None:
            self.range.show_text("whole run")
            self.range.setToolTip("Every chart shows the whole run. Drag over a chart to show a part of it.")
            return
        low, high = zoom
        text = f"step {low:,.0f} to {high:,.0f}" if x == STEP else f"{number(low)} to {number(high)}"
        self.range.show_text(f"{text} ×" if x in (STEP, RELATIVE, ACTIVE) else "a part ×", "accent")
        self.range.setToolTip("Show the whole run again")

    def x_menu(self) -> QMenu:
        """Return the menu of the x axes."""
        menu = QMenu(self)
        group = QActionGroup(menu)
        for x in (*X_LABELS, *self._axes):
            action = menu.addAction(X_LABELS.get(x, x).capitalize() if x in X_LABELS else x)
            action.setToolTip(X_TIPS.get(x, f"The axis {x} that the run logs"))
            action.setData(x)
            action.setCheckable(True)
            action.setChecked(x == self._x)
            group.addAction(action)
            if x == WALL and self._axes:
                menu.addSeparator()
        menu.setToolTipsVisible(True)
        menu.triggered.connect(self._on_x)
        return menu

    def _open_x(self) -> None:
        menu = self.x_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.axis.mapToGlobal(self.axis.rect().bottomLeft()))

    def _on_x(self, action: object) -> None:
        self.x_chosen.emit(action.data())  # type: ignore[attr-defined]

    def _open_smoothing(self) -> None:
        self.popover.open_at(self.smoothing.mapToGlobal(self.smoothing.rect().bottomLeft()), self._weight)
