"""Drawing: 48 charts of a million points, all changing, beside bare QPainter and raw pyqtgraph."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEventLoop, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QApplication, QGridLayout, QWidget

from helm_desktop.model.series import Series
from helm_desktop.theme import ThemeManager
from helm_desktop.views.board.canvas import polygon
from helm_desktop.views.board.chart import ChartView
from helm_desktop.views.board.frames import FrameScheduler

Numbers = NDArray[np.float64]
CHARTS, ROWS, COLUMNS = 48, 8, 6
POINTS = 1_000_000
CARD = (320, 196)
APPEND = 100


def app() -> QApplication:
    """The one application, dressed."""
    running = QApplication.instance()
    made = running if isinstance(running, QApplication) else QApplication(sys.argv[:1])
    if not made.property("helm_theme"):
        ThemeManager(made, "dark")
    return made


def settle() -> None:
    """Everything that is to be painted, painted."""
    QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)


def median_ms(work: Callable[[], None], times: int) -> float:
    """The median time of a frame, its painting included."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        settle()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken) * 1000


def grid_of(widgets: list[Any]) -> QWidget:
    """A window with all of them in sight."""
    window = QWidget()
    layout = QGridLayout(window)
    layout.setSpacing(8)
    for at, widget in enumerate(widgets):
        layout.addWidget(widget, at // COLUMNS, at % COLUMNS)
    window.resize(COLUMNS * (CARD[0] + 8), (len(widgets) // COLUMNS) * (CARD[1] + 8))
    window.show()
    settle()
    return window


def walks(points: int, curves: int = 1) -> list[list[Series]]:
    """Series for each chart: noise about a falling line."""
    rng = np.random.default_rng(7)
    steps = np.arange(points)
    made = []
    for chart in range(CHARTS):
        group = []
        for curve in range(curves):
            series = Series(f"bench/{chart}/{curve}")
            values = 10 * np.exp(-steps / (points / 3)) + rng.standard_normal(points) + curve
            series.append("trainer", 1, steps, steps * 0.01, values)
            group.append(series)
        made.append(group)
    return made


def grow(charts: list[list[Series]], values: Numbers) -> None:
    """New points for every series."""
    for group in charts:
        for series in group:
            steps = np.arange(series.count, series.count + APPEND)
            series.append("trainer", 1, steps, steps * 0.01, values)


class Bare(QWidget):
    """The floor: pixels handed to QPainter as polygons, an opaque pen of one pixel, nothing else."""

    def __init__(self, lines: list[tuple[Numbers, Numbers]]) -> None:
        super().__init__()
        self._lines = lines
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor("#1a2029"))
        painter.setPen(QPen(QColor("#4cc2ff"), 0))
        for x, y in self._lines:
            painter.drawPolyline(polygon(x, y))


def floor_ms(curves: int, frames: int) -> float:
    """Bare QPainter: the same pixels of the same envelopes in widgets of the same size."""
    rng = np.random.default_rng(7)
    wide, high = CARD[0] - 66, CARD[1] - 62
    widgets = []
    for _ in range(CHARTS):
        lines = []
        for curve in range(curves):
            x = np.repeat(np.arange(wide, dtype=float), 2)
            centre = 10 * np.exp(-x / wide * 3) + curve
            y = centre + np.where(np.arange(2 * wide) % 2, 1, -1) * (4 + 0.4 * rng.random(2 * wide))
            lines.append((x, high * (1 - (y + 5) / 24)))
        widget = Bare(lines)
        widget.setFixedSize(wide, high)
        widgets.append(widget)
    window = grid_of(widgets)

    def frame() -> None:
        for widget in widgets:
            widget.update()

    frame()
    result = median_ms(frame, frames)
    window.close()
    return result


def helm_ms(points: int, curves: int, frames: int) -> tuple[float, float, float]:
    """All charts changing: a frame with everything drawn, one tick of the scheduler, a zoom."""
    data = walks(points, curves)
    charts = []
    for group in data:
        chart = ChartView(group[0].name)
        chart.set_series(group)
        charts.append(chart)
    window = grid_of(charts)
    for chart in charts:
        chart.refresh()
    values = np.random.default_rng(1).standard_normal(APPEND)

    def frame() -> None:
        grow(data, values)
        for chart in charts:
            chart.refresh()

    frame()
    settle()
    whole = median_ms(frame, frames)
    scheduler = FrameScheduler()
    for chart in charts:
        scheduler.add(chart)

    def tick() -> None:
        grow(data, values)
        for chart in charts:
            chart.mark_dirty()
        scheduler.tick()

    ticked = median_ms(tick, frames)
    zoomed = median_ms(lambda: wheel(charts[0]), frames)
    window.close()
    return whole, ticked, zoomed


def wheel(chart: ChartView) -> None:
    """One notch of the wheel over the middle of a chart."""
    viewport = chart.plot.viewport()
    place = QPointF(viewport.rect().center())
    event = QWheelEvent(
        place,
        viewport.mapToGlobal(place),
        QPointF(0, 0).toPoint(),
        QPointF(0, 120).toPoint(),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(viewport, event)


def raw_ms(points: int, charts: int, frames: int, *, reduced: bool) -> float:
    """pyqtgraph as it comes: setData on a PlotWidget, with and without its own downsampling."""
    rng = np.random.default_rng(7)
    x = np.arange(points, dtype=float)
    plots, curves, values = [], [], []
    for _ in range(charts):
        plot = pg.PlotWidget()
        values.append(rng.standard_normal(points))
        curve = plot.plot(x, values[-1], pen=pg.mkPen("#4cc2ff", width=1))
        if reduced:
            plot.setDownsampling(auto=True, mode="peak")
            plot.setClipToView(True)
        plots.append(plot)
        curves.append(curve)
    window = grid_of(plots)
    turn = iter(range(10_000))

    def frame() -> None:
        shift = next(turn)
        for curve, y in zip(curves, values, strict=True):
            y[shift] = 3.0
            curve.setData(x, y)

    frame()
    settle()
    result = median_ms(frame, frames)
    window.close()
    return result


def hundred_million_ms(points: int = 100_000_000, block: int = 1_000_000) -> tuple[float, float, float]:
    """A long series: an append of 1,000, a window of 2,000 pixels, bytes a point."""
    series = Series("long")
    values = np.random.default_rng(3).standard_normal(block)
    for start in range(0, points, block):
        steps = np.arange(start, start + block)
        series.append("trainer", 1, steps, steps * 0.01, values)
    series.window(0, 10, 10)

    def append() -> None:
        steps = np.arange(series.count, series.count + 1_000)
        series.append("trainer", 1, steps, steps * 0.01, values[:1_000])
        series.segment("trainer", 1).track("step")

    appended = median_ms(append, 50)
    seen = median_ms(lambda: drop(series.window(0, points, 2_000)), 20)
    return appended, seen, series.memory_bytes / series.count


def drop(_value: object) -> None:
    """Forgets a result."""


def many_curves_ms(curves: int = 1_000, points: int = 50) -> float:
    """A chart of a thousand short curves, panned."""
    rng = np.random.default_rng(5)
    steps = np.arange(points)
    group = []
    for at in range(curves):
        series = Series(f"many/{at}")
        series.append("trainer", 1, steps, steps * 0.01, rng.standard_normal(points))
        group.append(series)
    chart = ChartView("many")
    chart.set_series(group)
    chart.resize(900, 500)
    chart.show()
    chart.refresh()
    settle()
    shift = iter(range(1, 10_000))

    def pan() -> None:
        at = next(shift) * 0.5
        chart.set_x_range(at, at + 30)
        chart.refresh()

    result = median_ms(pan, 10)
    chart.close()
    return result


def row(name: str, value: float, unit: str, base: float | None = None, reach: str = "") -> dict[str, Any]:
    """One line of the table."""
    ratio = value / base if base else None
    return {"group": "drawing", "name": name, "value": value, "unit": unit, "ratio": ratio, "reach": reach}


def measure() -> list[dict[str, Any]]:
    """Every figure of drawing, as rows: name, value, unit, ratio to the floor of the same run, reach."""
    holder = app()
    floor = floor_ms(1, 30)
    million, tick, zoom = helm_ms(POINTS, 1, 30)
    small, _, _ = helm_ms(10_000, 1, 30)
    four_floor = floor_ms(4, 15)
    four, four_tick, _ = helm_ms(100_000, 4, 15)
    raw = raw_ms(POINTS, 12, 1, reduced=False)
    own = raw_ms(POINTS, 12, 2, reduced=True)
    append, window, bytes_a_point = hundred_million_ms()
    many = many_curves_ms()
    del holder
    return [
        row("QPainter polylines, 48 charts", floor, "ms a frame", floor),
        row("Helm, 48 charts of 1 M points, all changing", million, "ms a frame", floor, "ratio ≤ 2"),
        row("Helm, the same of 10 k points", small, "ms a frame", floor),
        row("1 M points against 10 k", million / small, "times", None, "≤ 1.2"),
        row("Helm, one tick of the scheduler, 48 charts", tick, "ms", None, "≤ 16"),
        row("Helm, a zoom of one chart", zoom, "ms", None, "≤ 33"),
        row("QPainter polylines, 48 charts of 4 curves", four_floor, "ms a frame", four_floor),
        row("Helm, 48 charts of 4 curves", four, "ms a frame", four_floor, "ratio ≤ 2"),
        row("Helm, one tick, 48 charts of 4 curves", four_tick, "ms", None, "≤ 16"),
        row("pyqtgraph raw, 12 charts of 1 M only", raw, "ms a frame", floor),
        row("pyqtgraph auto-downsample + clip, 12 charts only", own, "ms a frame", floor),
        row("append 1,000 to 100 M points", append, "ms"),
        row("window of 100 M points at 2,000 px", window, "ms", None, "≤ 2 with the append"),
        row("memory", bytes_a_point, "bytes a point", None, "≤ 24"),
        row("1,000 curves of 50 points, panned", many, "ms a frame", None, "≤ 33"),
    ]


def main() -> None:
    """Prints the table."""
    began = time.perf_counter()
    for line in measure():
        ratio = f"{line['ratio']:8.2f} ×" if line["ratio"] is not None else " " * 10
        print(f"{line['name']:<50}{line['value']:>10.2f} {line['unit']:<14}{ratio}  {line['reach']}")
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
