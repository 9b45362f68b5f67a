"""Painting of a draft over a chart: its curve, a handle for each keyframe, and the label of one handle."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from helm_desktop.model.schedule.keyframes_draft import KeyframesDraft
from helm_desktop.theme import Theme, text_font
from helm_desktop.views.board.canvas.canvas import polygon
from helm_desktop.views.board.plan.handles import KeyframeHandles
from helm_desktop.views.board.plan.places import HANDLE_PX, PixelPositions


class DraftPainter:
    """Paints a draft. Its curve is computed again only after the draft or the chart's range has changed."""

    def __init__(self, places: PixelPositions, handles: KeyframeHandles) -> None:
        self._places = places
        self._handles = handles
        self._polyline = QPolygonF()
        self._key: object = None

    def forget(self) -> None:
        """Compute the curve again at the next painting, after the draft has changed."""
        self._key = None

    def paint_curve(self, painter: QPainter, draft: KeyframesDraft, theme: Theme) -> None:
        """Paint the curve of a draft."""
        key = (self._places.key, draft.now if draft.stale else 0)
        if self._key != key:
            self._key, self._polyline = key, polygon(*self._places.polyline(draft.curve()))
        painter.setPen(QPen(QColor(theme.warn), 1.75))
        painter.drawPolyline(self._polyline)

    def paint_handle(
        self, painter: QPainter, draft: KeyframesDraft, index: int, theme: Theme, *, filled: bool
    ) -> None:
        """Paint a keyframe's handle; `filled` for one that is dragged, chosen or under the pointer."""
        colour = QColor(theme.faint if draft.passed(index) else theme.warn)
        painter.setPen(QPen(colour, 2.0))
        painter.setBrush(colour if filled else QColor(theme.card))
        painter.drawEllipse(self._handles.place(index), HANDLE_PX, HANDLE_PX)

    def paint_label(self, painter: QPainter, index: int, size: QSize, theme: Theme) -> None:
        """Paint a keyframe's label above its handle, or below it at the upper edge of a picture of `size`."""
        text, at = self._handles.label(index), self._handles.place(index)
        painter.setFont(text_font(11))
        width = painter.fontMetrics().horizontalAdvance(text) + 10
        box = QRectF(at.x() - width / 2, at.y() - HANDLE_PX - 22, width, 17)
        if box.top() < 0:
            box.moveTop(at.y() + HANDLE_PX + 5)
        box.moveLeft(min(max(box.left(), 0.0), max(0.0, size.width() - width)))
        painter.setPen(QColor(theme.line))
        painter.setBrush(QColor(theme.raised))
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(QColor(theme.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
