"""The options of a chart: its axes, range, unit, smoothing, ranks, outliers, marks and title."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QSlider,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from helm_desktop.format import number
from helm_desktop.model.chart.spec import ACTIVE, RELATIVE, STEP, WALL, ChartSpec
from helm_desktop.theme import set_look
from helm_desktop.views.board.pages.pills import place_for, weight_at
from helm_desktop.widgets import NumberField, SegmentedControl, ToggleSwitch

SCALES = ((False, "linear"), (True, "log"))
RANK_CHOICES = (("each", "each"), ("mean", "mean"), ("band", "band"), ("max", "max"), ("min", "min"))
X_CHOICES = ((STEP, "step"), (RELATIVE, "relative"), (ACTIVE, "active"), (WALL, "wall"))
LABEL_PX = 104


def heading(text: str) -> QLabel:
    """Return a label with the title of a part of the panel."""
    label = QLabel(text)
    label.setIndent(0)
    set_look(label, "small-title")
    return label


class ChartOptions(QWidget):
    """The fields of the options. Each change is emitted as a part of the chart's specification."""

    changed = Signal(str, object)  # the name of a part of the specification, and its value
    wrong = Signal(str)  # a sentence on a value that cannot be used

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.axis = SegmentedControl(X_CHOICES, name="x axis")
        self.other_x = QToolButton()
        self.log_x = SegmentedControl(SCALES, name="x scale")
        self.log_y = SegmentedControl(SCALES, name="y scale")
        self.low, self.high = NumberField("Lower end of y"), NumberField("Upper end of y")
        self.fit = QPushButton("fit")
        self.unit = QLineEdit()
        self.smoothing = QSlider(Qt.Orientation.Horizontal)
        self._weight = QLabel()
        self.ranks = SegmentedControl(RANK_CHOICES, name="Ranks")
        self.outliers = ToggleSwitch("Ignore outliers")
        self.marks = ToggleSwitch("Marks")
        self.title = QLineEdit()
        self._others: tuple[str, ...] = ()
        self._board_smoothing = 0.0
        self._build()
        self._connect()

    def _build(self) -> None:
        self.other_x.setText("…")
        self.other_x.setToolTip("Any axis or metric as x")
        self.other_x.setAccessibleName("Another x axis")
        self.other_x.setFixedHeight(self.axis.sizeHint().height())
        set_look(self.fit, "link")
        self.unit.setPlaceholderText("as logged")
        self.unit.setAccessibleName("Unit")
        self.title.setPlaceholderText("as the series are named")
        self.title.setAccessibleName("Title")
        self.smoothing.setRange(0, 100)
        self.smoothing.setAccessibleName("Smoothing")
        set_look(self._weight, "quiet-figure")
        self._weight.setMinimumWidth(38)
        self._weight.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        axes = self._grid(
            ("x", [self.axis, self.other_x]),
            ("x scale", [self.log_x]),
            ("y", [self.log_y]),
            ("Range", [self.low, QLabel("to"), self.high, self.fit]),
            ("Unit", [self.unit]),
        )
        reading = self._grid(
            ("Smoothing", [self.smoothing, self._weight]),
            ("Ranks", [self.ranks]),
            ("Ignore outliers", [self.outliers]),
            ("Marks ◆ ▮ ▲", [self.marks]),
        )
        for widget in (heading("Axes"), axes, heading("Reading"), reading, heading("Title"), self.title):
            column.addWidget(widget)

    def _grid(self, *rows: tuple[str, list[QWidget]]) -> QWidget:
        holder = QWidget()
        grid = QGridLayout(holder)
        grid.setContentsMargins(0, 0, 0, 6)
        grid.setVerticalSpacing(7)
        grid.setColumnMinimumWidth(0, LABEL_PX)
        for at, (text, widgets) in enumerate(rows):
            label = QLabel(text)
            set_look(label, "quiet")
            grid.addWidget(label, at, 0)
            row = QHBoxLayout()
            row.setSpacing(6)
            for widget in widgets:
                stretches = isinstance(widget, QLineEdit | QSlider)
                row.addWidget(widget, 1 if stretches else 0)
            if not any(isinstance(widget, QLineEdit | QSlider) for widget in widgets):
                row.addStretch(1)
            grid.addLayout(row, at, 1)
        return holder

    def _connect(self) -> None:
        self._parts: dict[QObject, str] = {
            self.axis: "x",
            self.log_x: "log_x",
            self.log_y: "log_y",
            self.ranks: "ranks",
            self.outliers: "ignore_outliers",
            self.marks: "marks",
            self.unit: "unit",
            self.title: "title",
        }
        for choice in (self.axis, self.log_x, self.log_y, self.ranks):
            choice.chosen.connect(self._on_chosen)
        for switch in (self.outliers, self.marks):
            switch.clicked.connect(self._on_chosen)
        for field in (self.unit, self.title):
            field.textEdited.connect(self._on_typed)
        self.smoothing.valueChanged.connect(self._on_smoothing)
        self.low.editingFinished.connect(self._on_range)
        self.high.editingFinished.connect(self._on_range)
        self.fit.clicked.connect(self._on_fit)
        self.other_x.clicked.connect(self._open_others)

    def set_others(self, names: Sequence[str]) -> None:
        """Set the further axes and metrics that can be the x axis."""
        self._others = tuple(names)

    def set_board_smoothing(self, weight: float) -> None:
        """Set the smoothing of the board, which a chart without smoothing of its own gets."""
        self._board_smoothing = weight

    def show_spec(self, spec: ChartSpec) -> None:
        """Show the options of a chart."""
        self.axis.set_value(spec.x)
        known = {value for value, _ in X_CHOICES}
        self.other_x.setText("…" if spec.x in known else spec.x)
        self.log_x.set_value(spec.log_x)
        self.log_y.set_value(spec.log_y)
        self.ranks.set_value(spec.ranks)
        self.outliers.setChecked(spec.ignore_outliers)
        self.marks.setChecked(spec.marks)
        self.smoothing.blockSignals(True)
        if weight_at(self.smoothing.value()) != spec.smoothing:
            self.smoothing.setValue(place_for(spec.smoothing))
        self.smoothing.blockSignals(False)
        self._show_weight(spec.smoothing)
        for field, text in ((self.unit, spec.unit), (self.title, spec.title)):
            if field.text().strip() != text:
                field.setText(text)
        ends = spec.y_range
        for at, end in enumerate((self.low, self.high)):
            if not end.hasFocus():
                end.setText(f"{ends[at]:g}" if ends is not None else "")
                end.setPlaceholderText("fit")
        self.fit.setEnabled(ends is not None)

    def show_fitted(self, low: float, high: float) -> None:
        """Show the range that the chart has fitted to its values as the placeholders of the range fields."""
        for field, end in ((self.low, low), (self.high, high)):
            field.setPlaceholderText(number(end))

    def _on_chosen(self, value: object) -> None:
        self.changed.emit(self._parts[self.sender()], value)

    def _on_typed(self, text: str) -> None:
        self.changed.emit(self._parts[self.sender()], text.strip())

    def _on_other(self, action: QAction) -> None:
        self.changed.emit("x", action.data())

    def _on_smoothing(self, place: int) -> None:
        weight = weight_at(place)
        self._show_weight(weight)
        self.changed.emit("smoothing", weight)

    def _show_weight(self, weight: float) -> None:
        board = f"board {self._board_smoothing:g}" if self._board_smoothing else "off"
        self._weight.setText(f"{weight:g}" if weight else board)
        self.smoothing.setAccessibleDescription(self._weight.text())

    def _on_range(self) -> None:
        low, high = self.low.number, self.high.number
        texts = [field.value_text for field in (self.low, self.high)]
        if not any(texts):
            self._on_fit()
        elif low is None or high is None:
            if all(texts):
                self.wrong.emit("The ends of the y range must be numbers.")
        elif not low < high:
            self.wrong.emit("The lower end of the y range must be below the upper end.")
        else:
            self.changed.emit("y_range", (float(low), float(high)))

    def _on_fit(self) -> None:
        self.low.clear()
        self.high.clear()
        self.changed.emit("y_range", None)

    def _open_others(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for name in self._others[:60]:
            menu.addAction(name).setData(name)
        if not self._others:
            menu.addAction("This run logs nothing else").setEnabled(False)
        menu.triggered.connect(self._on_other)
        menu.popup(self.other_x.mapToGlobal(self.other_x.rect().bottomLeft()))
