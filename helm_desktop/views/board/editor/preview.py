"""The preview of a draft: its chart, and below it the values under the pointer, the row and the colours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from helm_desktop.model.series.name_patterns import variables
from helm_desktop.theme import set_look
from helm_desktop.views.board.canvas.colour_map import ScaleBar

if TYPE_CHECKING:
    from helm_desktop.views.board.chart.chart import ChartView

MAX_LINES = 4


class ChartPreview(QWidget):
    """Shows a chart while the chart editor is open."""

    inspect_requested = Signal(str)  # the row to look up in the model, such as "layer 2"
    fitted = Signal(float, float)  # the least and the greatest value that the chart or its colours show

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chart: ChartView | None = None
        self._inspects = False
        self._row = ""
        self._chart_column = QVBoxLayout()
        self._pointer = self._label("figure")
        self._mark = self._label("small")
        self._row_hint = self._label("quiet")
        self.inspect = QPushButton()
        self.inspect.clicked.connect(self._on_inspect)
        below = QHBoxLayout()
        below.setSpacing(12)
        below.addWidget(self._card("Under the pointer", self._pointer, self._mark), 1)
        self._row_card = self._card("Row", self.inspect, self._row_hint)
        below.addWidget(self._row_card, 1)
        self.scale = ScaleBar(wide=True)
        self._scale_card = self._card("Colour", self.scale)
        below.addWidget(self._scale_card, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addLayout(self._chart_column, 1)
        column.addLayout(below)
        self._show_pointer(None)

    def _label(self, style: str) -> QLabel:
        label = QLabel()
        label.setWordWrap(True)
        set_look(label, style)
        return label

    def _card(self, title: str, *parts: QWidget) -> QFrame:
        card = QFrame()
        set_look(card, "card")
        column = QVBoxLayout(card)
        column.setContentsMargins(12, 8, 12, 10)
        column.setSpacing(6)
        heading = QLabel(title)
        set_look(heading, "small")
        column.addWidget(heading)
        for part in parts:
            row = QHBoxLayout()
            row.addWidget(part)
            if isinstance(part, QPushButton):
                row.addStretch(1)
            column.addLayout(row)
        column.addStretch(1)
        return card

    def show_chart(self, chart: ChartView, *, inspects: bool) -> None:
        """Show a chart; `inspects` says whether its rows can be opened in the model."""
        self.chart, self._inspects = chart, inspects
        chart.header.set_editable(False)
        chart.header.full.hide()
        chart.scale.show_elsewhere()
        chart.scale.changed.connect(self._show_scale)
        chart.renderer.range_changed.connect(self._show_range)
        chart.plot.hovered.connect(self._on_hovered)
        self._chart_column.addWidget(chart)
        chart.show()
        self._show_scale()
        self._show_pointer(None)

    def release_chart(self) -> None:
        """Remove the chart."""
        chart, self.chart = self.chart, None
        if chart is not None:
            self._chart_column.removeWidget(chart)
            chart.hide()
            chart.setParent(None)
            chart.deleteLater()

    def refresh(self) -> None:
        """Clear the values under the pointer, after the draft has changed."""
        self._show_pointer(None)

    def _show_scale(self) -> None:
        chart = self.chart
        ends = chart.scale.ends if chart is not None else None
        self.scale.set_ends(ends, log=chart is not None and chart.scale.log)
        self._scale_card.setVisible(ends is not None)
        self._show_range()

    def _show_range(self) -> None:
        chart = self.chart
        if chart is None:
            return
        ends = chart.scale.ends
        if ends is None:  # ends of colours are values; ends of a logarithmic axis are exponents
            ends = chart.ranges.x.shown if chart.renderer.drawing.rows else chart.ranges.y.shown
            low, high = (max(-300.0, min(300.0, end)) for end in ends)
            ends = (10.0**low, 10.0**high) if chart.content.spec.log_y else ends
        self.fitted.emit(*ends)

    def _on_hovered(self, x: float | None, y: float) -> None:
        self._show_pointer((x, y) if x is not None else None)

    def _show_pointer(self, at: tuple[float, float] | None) -> None:
        chart = self.chart
        rows = chart is not None and chart.renderer.drawing.rows
        self._row_card.setVisible(rows)
        if chart is None or at is None:
            self._pointer.setText("–")
            self._mark.setText("Move over the chart to read its values.")
            if not self._row:
                self._show_row("")
            return
        x = chart.ranges.x.from_axis((at[0], at[0]))[0]
        report = chart.renderer.drawing.pointer_report(x, at[1], chart.renderer.theme)
        lines = [f"{one.name}  {one.text}{one.raw}" for one in report.readings[:MAX_LINES]]
        more = len(report.readings) - len(lines)
        lines += [f"and {more} more"] if more > 0 else []
        parts = [part for part in (report.heading, *report.notes, *lines[:1]) if part]
        self._pointer.setText(" · ".join(parts) or "–")
        low, high = chart.ranges.x.shown
        near = (
            chart.content.mark_positions.near(x, (high - low) / 100)
            if not chart.renderer.drawing.own_x
            else []
        )
        marks = [f"step {mark.step:,}: {mark.text}" for mark in near[:2]]
        self._mark.setText("\n".join([*lines[1:], *marks]))
        if rows:
            self._show_row(chart.renderer.drawing.row_at(at[1]))

    def _show_row(self, value: str) -> None:
        chart = self.chart
        found = (
            [one for text in chart.content.spec.series for one in variables(text)]
            if chart is not None
            else []
        )
        self._row = f"{found[0]} {value}" if value and found else value
        self.inspect.setVisible(bool(self._row) and self._inspects)
        self.inspect.setText(f"Inspect {self._row} in the model")
        self._row_hint.setText("" if self._row and self._inspects else self._row or "Point at a row.")
        self._row_hint.setVisible(bool(self._row_hint.text()))

    def _on_inspect(self) -> None:
        if self._row:
            self.inspect_requested.emit(self._row)
