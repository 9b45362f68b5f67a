"""The ways to draw a chart, each with a small picture of it."""

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
    """One way to draw."""

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
        room = QRectF(self.width() / 2 - 40, 10, 80, 30)
        _PICTURES[self.draw](painter, room, theme)
        painter.setPen(QColor(theme.text if self.isChecked() else theme.quiet))
        font: QFont = text_font(11)
        painter.setFont(font)
        place = self.rect().adjusted(4, 42, -4, -2)
        flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, int(flags | Qt.TextFlag.TextWordWrap), self.text())
        painter.end()


def _wave(room: QRectF, phase: float, swing: float = 0.35) -> QPolygonF:
    return QPolygonF(
        [
            QPointF(
                room.left() + room.width() * n / 24,
                room.center().y() - math.sin(n / 4 + phase) * room.height() * swing - (n - 12) * 0.25,
            )
            for n in range(25)
        ]
    )


def _lines(painter: QPainter, room: QRectF, theme: Theme) -> None:
    for colour, phase in ((theme.curves[0], 0.0), (theme.curves[1], 0.9)):
        painter.setPen(QPen(QColor(colour), 1.6))
        painter.drawPolyline(_wave(room, phase))


def _heatmap(painter: QPainter, room: QRectF, _theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    for row in range(4):
        for column in range(8):
            painter.setBrush(QColor(RAMP[min(4, (column + row) // 2)]))
            painter.drawRect(QRectF(room.left() + column * 10, room.top() + row * 7.5, 9.4, 6.6))


def _multiples(painter: QPainter, room: QRectF, theme: Theme) -> None:
    for at in range(3):
        part = QRectF(room.left() + at * 27, room.top(), 24, room.height())
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(part)
        painter.setPen(QPen(QColor(theme.curves[0]), 1.4))
        painter.drawPolyline(_wave(part.adjusted(2, 6, -2, -6), at))


def _bars(painter: QPainter, room: QRectF, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(mix(theme.card, theme.curves[0], 0.8)))
    for at, high in enumerate((0.45, 0.85, 0.6, 1.0, 0.4)):
        tall = room.height() * high
        painter.drawRect(QRectF(room.left() + 4 + at * 15, room.bottom() - tall, 11, tall))


def _histogram(painter: QPainter, room: QRectF, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    for at, (middle, high) in enumerate(((14.0, 0.6), (40.0, 0.8), (64.0, 0.5))):
        painter.setBrush(QColor(mix(theme.card, theme.checkpoint, 0.45 + 0.2 * at)))
        hill = [
            QPointF(
                room.left() + middle + n - 14,
                room.bottom() - room.height() * high * math.exp(-(((n - 14) / 7) ** 2)),
            )
            for n in range(29)
        ]
        painter.drawPolygon(QPolygonF([QPointF(hill[0].x(), room.bottom()), *hill]))


def _scatter(painter: QPainter, room: QRectF, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.curves[2]))
    for n in range(16):
        y = room.bottom() - room.height() * ((n * 7) % 16) / 22 - n * 0.5
        painter.drawEllipse(QPointF(room.left() + 3 + n * 5, y), 1.7, 1.7)


_PICTURES = {
    "lines": _lines,
    "heatmap": _heatmap,
    "multiples": _multiples,
    "bars": _bars,
    "histogram": _histogram,
    "scatter": _scatter,
}


class DrawTiles(QWidget):
    """One of them is chosen; arrow keys move the choice."""

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
        """The way that is chosen now."""
        self.tiles[draw].setChecked(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        moves = {"before": -1, "after": 1, "above": -COLUMNS, "below": COLUMNS}
        if not handle_key(event, places.DRAWINGS, {to: self._move(by) for to, by in moves.items()}):
            super().keyPressEvent(event)

    def _move(self, by: int) -> Callable[[], None] | None:
        """Return what chooses the tile so many further on; None where there is none."""
        at = self._group.checkedId() + by
        return partial(self._choose, at) if 0 <= at < len(DRAWS) else None

    def _choose(self, at: int) -> None:
        tile = self.tiles[DRAWS[at]]
        tile.setChecked(True)
        tile.setFocus()
        self._on_clicked(at)

    def _on_clicked(self, number: int) -> None:
        self.chosen.emit(DRAWS[number])
