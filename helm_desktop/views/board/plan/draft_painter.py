"""How a draft looks over a chart's picture: its line, a handle for each keyframe, and one handle's words."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from helm_desktop.model.schedule.keyframes_draft import KeyframesDraft
from helm_desktop.theme import Theme, text_font
from helm_desktop.views.board.canvas.canvas import polygon
from helm_desktop.views.board.plan.handles import KeyframeHandles
from helm_desktop.views.board.plan.places import HANDLE_PX, PixelPositions


class DraftPainter:
    """Compute the line only where the draft or the window changed."""

    def __init__(self, places: PixelPositions, handles: KeyframeHandles) -> None:
        self._places = places
        self._handles = handles
        self._line = QPolygonF()
        self._key: object = None

    def forget(self) -> None:
        """The draft has changed."""
        self._key = None

    def paint_line(self, painter: QPainter, draft: KeyframesDraft, theme: Theme) -> None:
        """Paint what the draft plans."""
        key = (self._places.key, draft.now if draft.stale else 0)
        if self._key != key:
            self._key, self._line = key, polygon(*self._places.line(draft.curve()))
        painter.setPen(QPen(QColor(theme.warn), 1.75))
        painter.drawPolyline(self._line)

    def paint_handle(
        self, painter: QPainter, draft: KeyframesDraft, index: int, theme: Theme, *, filled: bool
    ) -> None:
        """Paint a keyframe's handle; `filled` for the one that is meant."""
        colour = QColor(theme.faint if draft.passed(index) else theme.warn)
        painter.setPen(QPen(colour, 2.0))
        painter.setBrush(colour if filled else QColor(theme.card))
        painter.drawEllipse(self._handles.place(index), HANDLE_PX, HANDLE_PX)

    def paint_label(self, painter: QPainter, index: int, room: QSize, theme: Theme) -> None:
        """Paint a keyframe's words above its handle, or below where there is no room."""
        text, at = self._handles.label(index), self._handles.place(index)
        painter.setFont(text_font(11))
        wide = painter.fontMetrics().horizontalAdvance(text) + 10
        box = QRectF(at.x() - wide / 2, at.y() - HANDLE_PX - 22, wide, 17)
        if box.top() < 0:
            box.moveTop(at.y() + HANDLE_PX + 5)
        box.moveLeft(min(max(box.left(), 0.0), max(0.0, room.width() - wide)))
        painter.setPen(QColor(theme.line))
        painter.setBrush(QColor(theme.raised))
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(QColor(theme.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
