"""The rows of a chart whose left axis names them: each can be a button."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal

from helm_desktop.views.board.chart.parts import ChartParts


class RowButtons(QObject):
    """A row is highlighted under the pointer or the key cursor where it is a button."""

    clicked = Signal(str)  # the value of the row's variable

    def __init__(self, parts: ChartParts) -> None:
        super().__init__(parts.frame)
        self._parts = parts
        self.highlighted = ""  # the value of the row under the pointer or the key cursor
        self.enabled = False
        self.label = "Inspect {value} in the model"
        parts.plot.left_hovered.connect(self._hover)
        parts.plot.left_clicked.connect(self._click)

    def set_buttons(self, on: bool, label: str = "Inspect {value} in the model") -> None:
        """Whether rows are buttons; `label` says what a click does."""
        self.enabled, self.label = on, label

    def press(self) -> bool:
        """Click the highlighted row; whether there is one."""
        if self.highlighted:
            self.clicked.emit(self.highlighted)
        return bool(self.highlighted)

    def _value_at(self, y: float | None) -> str:
        drawing = self._parts.renderer.drawing
        return drawing.row_at(y) if y is not None and drawing.rows and self.enabled else ""

    def _hover(self, y: float | None) -> None:
        value = self._value_at(y)
        if value == self.highlighted:
            return
        self.highlighted = value
        plot = self._parts.plot
        plot.left.hover = self._parts.renderer.drawing.row_place(value) if value else None
        plot.left.update()
        plot.viewport().setCursor(Qt.CursorShape.PointingHandCursor if value else Qt.CursorShape.ArrowCursor)
        plot.viewport().setToolTip(self.label.format(value=value) if value else "")

    def _click(self, y: float) -> None:
        value = self._value_at(y)
        if value:
            self.clicked.emit(value)
