"""A row of the metrics: name, a small curve of its values, the last value."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from helm_desktop.model.series.series_model import Series
from helm_desktop.theme import figure_font, text_font, theme_of
from helm_desktop.views.metrics.tree import SeriesRole, ValueRole

_Index = QModelIndex | QPersistentModelIndex
ROW_PX = 26
SPARK_PX = 56
VALUE_PX = 58
KEEP = 400


class MetricRows(QStyledItemDelegate):
    """Curves are kept until their series has more points."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sparks: dict[int, tuple[int, QPolygonF]] = {}

    def forget(self) -> None:
        """Another run."""
        self._sparks.clear()

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Return the same height for every row."""
        return QSize(120, ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw one row."""
        theme = theme_of()
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        if state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            keys = QStyle.StateFlag.State_HasFocus | QStyle.StateFlag.State_KeyboardFocusChange
            focused = (state & keys) == keys
            painter.setPen(QPen(QColor(theme.accent), 1) if focused else Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.raised))
            painter.drawRoundedRect(
                rect.adjusted(-6, 0, -1, -1), 6, 6
            )  # without a gap to the ground of its arrow
        room = rect.adjusted(4, 0, -6, 0)
        value = str(index.data(ValueRole) or "")
        series = index.data(SeriesRole)
        own = series is not None
        painter.setFont(figure_font() if own else text_font(12))
        painter.setPen(QColor(theme.text if own else theme.quiet))
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, value)
        wide = QFontMetrics(painter.font()).horizontalAdvance(value)
        room.setRight(room.right() - (max(wide, VALUE_PX) if own else wide) - 8)
        if own and room.width() > 150:
            self._spark(
                painter, QRect(room.right() - SPARK_PX, room.top() + 6, SPARK_PX, ROW_PX - 12), series
            )
            room.setRight(room.right() - SPARK_PX - 8)
        painter.setFont(text_font())
        painter.setPen(QColor(theme.quiet if own else theme.text))
        metrics = QFontMetrics(painter.font())
        shown = metrics.elidedText(str(index.data() or ""), Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)
        painter.restore()

    def _spark(self, painter: QPainter, room: QRect, series: Series) -> None:
        kept = self._sparks.get(id(series))
        if kept is None or kept[0] != series.count:
            if len(self._sparks) > KEEP:
                self._sparks.clear()
            kept = self._sparks[id(series)] = series.count, spark(series)
        if kept[1].size() > 1:
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(theme_of().accent), 1))
            painter.translate(QPointF(QRectF(room).topLeft()))
            painter.drawPolyline(kept[1])
            painter.restore()


def spark(series: Series) -> QPolygonF:
    """Return a series over its whole length in a few pixels; empty where nothing is finite."""
    ends = series.extent()
    if ends is None or not series.count:
        return QPolygonF()
    low_x, high_x = ends
    lines = series.window(low_x, max(high_x, low_x + 1e-9), SPARK_PX).lines
    strong = [line for line in lines if not line.faint] or list(lines)
    if not strong:
        return QPolygonF()
    x, y = strong[-1].x, strong[-1].y
    good = np.isfinite(y)
    x, y = x[good], y[good]
    if len(y) < 2:
        return QPolygonF()
    low, high = float(y.min()), float(y.max())
    tall, span = ROW_PX - 13, high_x - low_x or 1.0
    share = (y / 2 - low / 2) / ((high / 2 - low / 2) or 1.0) if high > low else np.full(len(y), 0.5)
    points = zip((x - low_x) / span * SPARK_PX, tall * (1 - share), strict=True)
    return QPolygonF([QPointF(float(a), float(b)) for a, b in points])
