"""A chart as a file: a picture of exactly so many pixels, a drawing, or its exact values."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QCoreApplication,
    QEvent,
    QIODevice,
    QPoint,
    QPointF,
    QRectF,
    Qt,
)
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QRegion
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from helm_desktop.model.series.row_snapshot import RowSnapshot
from helm_desktop.theme import set_state
from helm_desktop.theme.tokens import CARD_RADIUS
from helm_desktop.views.board.chart.parts import ChartParts

WIDTHS = (640, 1_024, 1_600, 2_400)


def picture_of(chart: ChartParts, width: int, height: int = 0) -> QImage:
    """Return the chart, `width` pixels wide; as high as its shape asks for when no height is given."""
    frame = chart.frame
    size = frame.size() if frame.width() > 0 else frame.sizeHint()
    scale = width / max(1, size.width())
    made = QImage(width, height or max(1, round(size.height() * scale)), QImage.Format.Format_ARGB32)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    painter.scale(width / size.width(), made.height() / size.height())
    ground = QPainterPath()
    ground.addRoundedRect(QRectF(QPointF(), size), CARD_RADIUS, CARD_RADIUS)
    painter.fillPath(ground, QColor(chart.renderer.theme.card))  # so that edges between parts leave no seams
    _render(chart, painter)
    painter.end()
    return made


def _render(chart: ChartParts, painter: QPainter) -> None:
    """Painted anew at the painter's own scale, without what the pointer and the focus show."""
    frame = chart.frame
    chart.crosshair.set_x(None)
    chart.renderer.refresh()
    for part in (chart.header, frame):  # what has just been written may need more room
        QCoreApplication.sendPostedEvents(part, QEvent.Type.LayoutRequest.value)
    chart.plot.canvas.forget_pixels()
    flags = QWidget.RenderFlag.DrawWindowBackground | QWidget.RenderFlag.DrawChildren
    set_state(frame, "bare", True)
    try:
        with chart.header.without_buttons():
            frame.render(painter, QPoint(), QRegion(), flags)
    finally:
        set_state(frame, "bare", False)
        chart.plot.canvas.forget_pixels()


def svg_of(chart: ChartParts) -> bytes:
    """Return an SVG file: lines stay lines."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    made = QSvgGenerator()
    made.setOutputDevice(buffer)
    made.setSize(chart.frame.size())
    made.setViewBox(chart.frame.rect())
    made.setTitle(chart.content.title)
    painter = QPainter(made)
    _render(chart, painter)
    painter.end()
    return bytes(data.data())


def rows_of(chart: ChartParts) -> list[RowSnapshot]:
    """Return every point that the chart's series have now, as they were logged."""
    origins = {id(shown.origin): shown for shown in chart.content.source.refresh()}
    return [
        RowSnapshot.of(shown.label, segment)
        for shown in origins.values()
        for segment in shown.origin.segments.values()
    ]


def content_of(chart: ChartParts, path: Path, width: int = 1_600) -> QImage | bytes | list[RowSnapshot]:
    """Return what the file holds whose ending is .png, .svg or .csv: a picture, a drawing or rows.

    Raises ValueError. Nothing is written: that is for the storage thread.
    """
    ending = path.suffix.lower()
    if ending == ".csv" and chart.content.histograms and not chart.content.series:
        raise ValueError("logged histograms are files already, save them from Media, or choose .png or .svg")
    if ending == ".csv":
        return rows_of(chart)
    if ending == ".svg":
        return svg_of(chart)
    if ending == ".png":
        return picture_of(chart, width)
    raise ValueError(f"{path.name} has no ending that a chart can be saved as: .png, .svg or .csv")
