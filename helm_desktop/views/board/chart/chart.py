"""A chart on the board: the card, and the parts that show its content and that the reader uses on it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from helm_desktop.theme import set_look, theme_of
from helm_desktop.views.board.canvas.plot import HELP
from helm_desktop.views.board.chart.chart_notes import ChartNotes
from helm_desktop.views.board.chart.chart_ranges import ChartRanges
from helm_desktop.views.board.chart.crosshair import Crosshair
from helm_desktop.views.board.chart.header import ChartHeader
from helm_desktop.views.board.chart.keys import ChartKeys
from helm_desktop.views.board.chart.menu import ChartMenu
from helm_desktop.views.board.chart.nearby_marks import NearbyMarks
from helm_desktop.views.board.chart.parts import ChartParts
from helm_desktop.views.board.chart.pointer import ChartPointer
from helm_desktop.views.board.chart.renderer import ChartRenderer
from helm_desktop.views.board.chart.row_buttons import RowButtons
from helm_desktop.views.board.chart.spec_edits import SpecEdits
from helm_desktop.views.board.content.content import ChartContent

__all__ = ["ChartView"]


class ChartView(QFrame):
    """Compose the parts. Somebody calls `renderer.refresh` when there is something new to draw."""

    full_requested = Signal()
    edit_requested = Signal()
    exposed = Signal()  # came into view with something to draw

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.content = ChartContent(title, self)
        self.ranges = ChartRanges(self.content, self)
        self.renderer = ChartRenderer(self.content, self.ranges, theme_of(self), self)
        self.plot = self.renderer.plot
        self.legend, self.scale = self.renderer.legend, self.renderer.scale
        self.header = ChartHeader()
        self.crosshair = Crosshair(self.content, self.ranges, self.renderer, self.header, self)
        self.parts = ChartParts(self, self.content, self.ranges, self.renderer, self.header, self.crosshair)
        marks = NearbyMarks(self.parts)
        self.edits = SpecEdits(self.parts)
        self.notes = ChartNotes(self.parts, marks)
        self.rows = RowButtons(self.parts)
        self.pointer = ChartPointer(self.parts, marks)
        self._keys = ChartKeys(self.parts, self.rows)
        self.menu = ChartMenu(self.parts, self.edits, self.notes)
        set_look(self, "card")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setWhatsThis(HELP)
        self._build()
        self._connect()
        self._show_title()

    def _build(self) -> None:
        self._below_header = QVBoxLayout()
        self._below_header.addWidget(self.legend)
        self._below_header.addWidget(self.scale)
        column = QVBoxLayout(self)
        column.setContentsMargins(3, 5, 5, 3)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addLayout(self._below_header)
        column.addWidget(self.plot, 1)
        self._indent(self.plot.left_px)

    def _connect(self) -> None:
        self.legend.solo_requested.connect(self.content.visibility.set_solo)
        self.legend.toggle_requested.connect(self.content.visibility.toggle)
        self.legend.hovered.connect(self.content.visibility.highlight)
        self.plot.left_resized.connect(self._indent)
        self.content.replaced.connect(self._show_title)
        self.renderer.drawing_changed.connect(self._show_title)
        for part in (self.header, self.menu):
            part.edit_requested.connect(self.edit_requested)
            part.full_requested.connect(self.full_requested)

    def _indent(self, left_px: int) -> None:
        """Legend and colours begin where the picture does."""
        self._below_header.setContentsMargins(left_px + 1, 0, 10, 0)

    def _show_title(self) -> None:
        title = self.content.title
        self.header.title.setText(title)
        self.header.set_kind(self.content.spec.with_(draw=self.renderer.draw).drawing_text)
        self.setAccessibleName(f"Chart {title}".strip())

    def sizeHint(self) -> QSize:
        return QSize(320, 196)

    def minimumSizeHint(self) -> QSize:
        return QSize(180, 140)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not (self._keys.handle(event) or self.menu.key(event)):
            super().keyPressEvent(event)

    def hideEvent(self, event: QEvent) -> None:
        self.pointer.hide_tip()
        super().hideEvent(event)  # type: ignore[arg-type]

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.PaletteChange) and hasattr(self, "renderer"):
            theme = theme_of(self)
            if theme != self.renderer.theme:
                self.renderer.set_theme(theme)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange and hasattr(self, "renderer"):
            self.renderer.redraw()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.renderer.dirty:
            self.exposed.emit()
