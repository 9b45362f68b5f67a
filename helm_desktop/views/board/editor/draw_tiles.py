"""The tiles of the ways to draw a chart, each with a small picture."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QMarginsF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QGridLayout, QSizePolicy, QWidget

from helm_desktop.actions import places
from helm_desktop.model.chart.spec import DRAW_LABELS, DRAWS, Draw
from helm_desktop.theme import Theme, mix, text_font, theme_of
from helm_desktop.widgets import handle_key

COLUMNS = 3
RAMP = ("#31598f", "#2f7f8e", "#3f9f7f", "#7dbb55", "#c9cf4e")


class DrawTile(QAbstractButton):
    """The tile of one way to draw."""

    def __init__(self, draw: Draw) -> None:
        super().__init__()
        self.draw = draw
        self.setText(DRAW_LABELS[draw])
        self.setAccessibleName(f"Draw as {DRAW_LABELS[draw]}")
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(110, 78)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        strong, edge = self.isChecked() or self.hasFocus(), 2 if self.hasFocus() else 1
        painter.setPen(QPen(QColor(theme.accent if strong else theme.line), edge))
        painter.setBrush(QColor(theme.raised if self.isChecked() else theme.card))
        inside = QMarginsF(edge, edge, edge, edge) / 2
        painter.drawRoundedRect(QRectF(self.rect()).marginsRemoved(inside), 8, 8)
        area = QRectF(self.width() / 2 - 40, 10, 80, 30)
        _PICTURES[self.draw](painter, area, theme)
        painter.setPen(QColor(theme.text if self.isChecked() else theme.quiet))
        font: QFont = text_font(11)
        painter.setFont(font)
        place = self.rect().adjusted(4, 42, -4, -2)
        flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, int(flags | Qt.TextFlag.TextWordWrap), self.text())
        painter.end()


def _wave(area: QRectF, phase: float, swing: float = 0.35) -> QPolygonF:
    return QPolygonF(
        [
            QPointF(
                area.left() + area.width() * n / 24,
                area.center().y() - math.sin(n / 4 + phase) * area.height() * swing - (n - 12) * 0.25,
            )
            for n in range(25)
        ]
    )


def _lines(painter: QPainter, area: QRectF, theme: Theme) -> None:
    for colour, phase in ((theme.curves[0], 0.0), (theme.curves[1], 0.9)):
        painter.setPen(QPen(QColor(colour), 1.6))
        painter.drawPolyline(_wave(area, phase))


def _heatmap(painter: QPainter, area: QRectF, _theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    for row in range(4):
        for column in range(8):
            painter.setBrush(QColor(RAMP[min(4, (column + row) // 2)]))
            painter.drawRect(QRectF(area.left() + column * 10, area.top() + row * 7.5, 9.4, 6.6))


def _multiples(painter: QPainter, area: QRectF, theme: Theme) -> None:
    for at in range(3):
        part = QRectF(area.left() + at * 27, area.top(), 24, area.height())
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(part)
        painter.setPen(QPen(QColor(theme.curves[0]), 1.4))
        painter.drawPolyline(_wave(part.adjusted(2, 6, -2, -6), at))


def _bars(painter: QPainter, area: QRectF, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(mix(theme.card, theme.curves[0], 0.8)))
    for at, height in enumerate((0.45, 0.85, 0.6, 1.0, 0.4)):
        bar_height = area.height() * height
        painter.drawRect(QRectF(area.left() + 4 + at * 15, area.bottom() - bar_height, 11, bar_height))


def _histogram(painter: QPainter, area: QRectF, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    for at, (middle, height) in enumerate(((14.0, 0.6), (40.0, 0.8), (64.0, 0.5))):
        painter.setBrush(QColor(mix(theme.card, theme.checkpoint, 0.45 + 0.2 * at)))
        hill = [
            QPointF(
                area.left() + middle + n - 14,
                area.bottom() - area.height() * height * math.exp(-(((n - 14) / 7) ** 2)),
            )
            for n in range(29)
        ]
        painter.drawPolygon(QPolygonF([QPointF(hill[0].x(), area.bottom()), *hill]))


def _scatter(painter: QPainter, area: QRectF, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.curves[2]))
    for n in range(16):
        y = area.bottom() - area.height() * ((n * 7) % 16) / 22 - n * 0.5
        painter.drawEllipse(QPointF(area.left() + 3 + n * 5, y), 1.7, 1.7)


_PICTURES = {
    "lines": _lines,
    "heatmap": _heatmap,
    "multiples": _multiples,
    "bars": _bars,
    "histogram": _histogram,
    "scatter": _scatter,
}


class DrawTiles(QWidget):
    """A grid of tiles, one of which is chosen. Arrow keys move the choice."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._group = QButtonGroup(self)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(6)
        self.tiles: dict[Draw, DrawTile] = {}
        for at, draw in enumerate(DRAWS):
            tile = self.tiles[draw] = DrawTile(draw)
            self._group.addButton(tile, at)
            grid.addWidget(tile, *divmod(at, COLUMNS))
        self._group.idClicked.connect(self._on_clicked)

    def show_draw(self, draw: Draw) -> None:
        """Mark the tile of a way to draw as chosen."""
        self.tiles[draw].setChecked(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        moves = {"before": -1, "after": 1, "above": -COLUMNS, "below": COLUMNS}
        if not handle_key(event, places.DRAWINGS, {to: self._move(by) for to, by in moves.items()}):
            super().keyPressEvent(event)

    def _move(self, by: int) -> Callable[[], None] | None:
        """Return a function that chooses the tile `by` places further on; None when there is no such tile."""
        at = self._group.checkedId() + by
        return partial(self._choose, at) if 0 <= at < len(DRAWS) else None

    def _choose(self, at: int) -> None:
        tile = self.tiles[DRAWS[at]]
        tile.setChecked(True)
        tile.setFocus()
        self._on_clicked(at)

    def _on_clicked(self, number: int) -> None:
        self.chosen.emit(DRAWS[number])
