"""A schedule's points as a small chart: drag them, add one by double click, take one out by Delete."""

from __future__ import annotations

import math
from decimal import Decimal
from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from helm_desktop import format as fmt
from helm_desktop.actions import places
from helm_desktop.model.schedule.curve import Keyframe, PixelScale, PlannedCurve
from helm_desktop.model.schedule.keyframes_draft import KeyframesDraft
from helm_desktop.theme import figure_font, text_font, theme_of
from helm_desktop.widgets import handle_key
from helm_sdk.protocol.nodes import Schedule

HEIGHT = 112
REACH_PX, RADIUS = 9.0, 4.5
_LEFT, _TOP, _RIGHT, _BOTTOM = 52.0, 8.0, 10.0, 18.0
_EDGE = 0.08  # room above and below the points, as a part of what they span


class ScheduleChart(QWidget):
    """Knows points only. The axes hold still while a hand drags."""

    moved = Signal(int)  # a point was dragged: its index
    added = Signal(int)
    removed = Signal(int)

    def __init__(self, node: Schedule, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._node = node
        self._end = 1
        self.draft = self._draft(())
        self.chosen = 0
        self._held: int | None = None
        self._x, self._y = (0.0, 1.0), (0.0, 1.0)
        self.setAccessibleName(f"{name}, chart")
        self.setToolTip("Drag a point; double click adds one; Delete removes the chosen one")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT)

    def _draft(self, frames: tuple[Keyframe, ...]) -> KeyframesDraft:
        nothing, bounds = PlannedCurve.of((), ()), self._node.bounds
        return KeyframesDraft(nothing, -1, 2**53, bounds=bounds, keyframes=frames, follows=False)

    def show_points(self, points: list[tuple[Decimal, Decimal]]) -> None:
        """Draw these, which rise."""
        self.draft = self._draft(tuple(Keyframe(at, value) for at, value in points))
        self.chosen = min(self.chosen, max(0, len(points) - 1))
        if self._held is None:
            self._fit_range()
        self.update()

    def handle(self, index: int) -> QPointF:
        """Return where a point is."""
        frame = self.draft.keyframes[index]
        return self.point_at(float(frame.at), float(frame.value))

    def point_at(self, at: float, value: float) -> QPointF:
        """Return where a place of the schedule is."""
        room = self._plot_rect()
        x = room.left() + (at - self._x[0]) / (self._x[1] - self._x[0]) * room.width()
        y = room.bottom() - (value - self._y[0]) / (self._y[1] - self._y[0]) * room.height()
        return QPointF(x, min(max(y, room.top()), room.bottom()))

    def sizeHint(self) -> QSize:
        return QSize(240, HEIGHT)

    def _plot_rect(self) -> QRectF:
        return QRectF(self.rect()).adjusted(_LEFT, _TOP, -_RIGHT, -_BOTTOM)

    def _fit_range(self) -> None:
        frames = self.draft.keyframes
        ats = [float(own.at) for own in frames] or [0.0]
        values = [float(own.value) for own in frames] or [0.0]
        self._x = (0.0, max(ats) * 1.25 or 100.0)
        low, high = min(values), max(values)
        away = (high - low) * _EDGE or abs(high) * 0.5 or 1.0
        bounds = self._node.bounds
        low = low - away if bounds.min is None else max(float(bounds.min), low - away)
        self._y = (low, high + away) if bounds.max is None else (low, min(float(bounds.max), high + away))
        if self._y[1] <= self._y[0]:
            self._y = (self._y[0], self._y[0] + (away or 1.0))

    # Painting ----------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, room = theme_of(self), self._plot_rect()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.drawRect(room)
        painter.setFont(figure_font(11))
        painter.setPen(QColor(theme.quiet))
        aside = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        values = {float(own.value) for own in self.draft.keyframes} or {0.0}
        for value in sorted({min(values), max(values)}):
            y = min(max(self.point_at(0, value).y(), room.top() + 6), room.bottom() - 6)
            painter.drawText(QRectF(0, y - 8, _LEFT - 9, 16), aside, fmt.number(value))
        below = QRectF(room.left(), room.bottom() + 2, room.width(), _BOTTOM - 2)
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, f"{self._node.axis} {round(self._x[1]):,}")
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, "0")
        frames = self.draft.keyframes
        if not frames:
            painter.setFont(text_font(12))
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, "Double click adds a point")
            return
        places = [self.handle(index) for index in range(len(frames))]
        painter.setPen(QPen(QColor(theme.warn), 1.5))
        painter.drawPolyline(QPolygonF([*places, QPointF(room.right(), places[-1].y())]))
        for index, at in enumerate(places):
            chosen = index == self._held or (index == self.chosen and self.hasFocus())
            painter.setPen(QPen(QColor(theme.warn), 1.75))
            painter.setBrush(QColor(theme.warn if chosen else theme.card))
            painter.drawEllipse(at, RADIUS, RADIUS)

    # Mouse and keys ------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self._at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and index is not None:
            self._held = self.chosen = index
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        index = self._held
        if index is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        self.draft.move(index, *self._snapped(event.position(), index))
        self.moved.emit(index)
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._held is not None:
            self._held = None
            self._fit_range()
            self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._at(event.position()) is None:
            made = self.draft.add(*self._snapped(event.position(), None))
            if made is not None:
                self.chosen = made
                self.added.emit(made)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        some = bool(self.draft.keyframes)
        handlers = {
            "keyframe_before": partial(self._step, -1) if some else None,
            "keyframe_after": partial(self._step, 1) if some else None,
            "remove": partial(self.removed.emit, self.chosen) if some else None,
        }
        if not handle_key(event, places.SCHEDULE_CHART, handlers):
            super().keyPressEvent(event)

    def _step(self, by: int) -> None:
        self.chosen = (self.chosen + by) % len(self.draft.keyframes)
        self.update()

    def _snapped(self, at: QPointF, index: int | None) -> tuple[int, Decimal]:
        room = self._plot_rect()
        step = (self._x[1] - self._x[0]) / max(1.0, room.width())
        value = (self._y[1] - self._y[0]) / max(1.0, room.height())
        x, y = (at.x() - room.left()) * step, self._y[0] + (room.bottom() - at.y()) * value
        return self.draft.snapped(max(0.0, x), y, PixelScale(step, value), index)

    def _at(self, place: QPointF) -> int | None:
        away = [
            math.hypot(at.x() - place.x(), at.y() - place.y())
            for at in map(self.handle, range(len(self.draft.keyframes)))
        ]
        nearest = min(range(len(away)), key=away.__getitem__, default=None)
        return nearest if nearest is not None and away[nearest] <= REACH_PX else None
