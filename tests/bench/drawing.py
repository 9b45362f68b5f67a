"""Drawing: 48 charts of a million points, all changing, beside bare QPainter and raw pyqtgraph."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEventLoop, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QApplication, QGridLayout, QWidget

from helm_desktop.model.series.series_model import Series
from helm_desktop.theme import ThemeManager
from helm_desktop.views.board.canvas.canvas import polygon
from helm_desktop.views.board.chart.chart import ChartView
from helm_desktop.views.board.pages.redraw_schedule import FrameScheduler

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


def cost_ms(work: Callable[[], None]) -> float:
    """What a frame costs this thread, its painting included: other programs of the machine do not count."""
    began = time.thread_time()
    work()
    settle()
    return (time.thread_time() - began) * 1000


def median_ms(work: Callable[[], None], times: int) -> float:
    """The median cost of a frame."""
    return statistics.median(cost_ms(work) for _ in range(times))


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


@dataclass(frozen=True)
class Frame:
    """Median costs, frame by frame in turn with the floor."""

    floor: float
    whole: float
    tick: float
    zoom: float


def bare_of(charts: list[ChartView], data: list[list[Series]]) -> list[Bare]:
    """The floor: the polylines of these charts in pixels, in widgets of the same size."""
    made = []
    for chart, group in zip(charts, data, strict=True):
        (x0, x1), (y0, y1), room = chart.ranges.x.shown, chart.ranges.y.shown, chart.plot.canvas.inner()
        lines = []
        for series in group:
            drawn = series.window(x0, x1, room.width())
            x, y = (drawn.x - x0) / (x1 - x0) * room.width(), (y1 - drawn.y) / (y1 - y0) * room.height()
            lines.append((x, y))
        widget = Bare(lines)
        widget.setFixedSize(room)
        made.append(widget)
    return made


def frame_of(points: int, curves: int, frames: int) -> Frame:
    """All charts changing: everything drawn in a frame, one tick of the scheduler, a zoom of one chart."""
    data = walks(points, curves)
    charts = []
    for group in data:
        chart = ChartView(group[0].name)
        chart.content.set_series(group)
        charts.append(chart)
    windows = [grid_of(charts)]
    for chart in charts:
        chart.renderer.refresh()
    settle()
    bare = bare_of(charts, data)
    windows.append(grid_of(bare))
    values = np.random.default_rng(1).standard_normal(APPEND)
    scheduler = FrameScheduler()
    for chart in charts:
        scheduler.add(chart)

    def floor() -> None:
        for widget in bare:
            widget.update()

    def whole() -> None:
        grow(data, values)
        for chart in charts:
            chart.renderer.refresh()

    def tick() -> None:
        grow(data, values)
        for chart in charts:
            chart.renderer.mark_dirty()
        scheduler.stop()  # it would tick once more by itself while this frame is painted
        scheduler.tick()

    works: dict[str, Callable[[], None]] = {"floor": floor, "whole": whole, "tick": tick}
    taken: dict[str, list[float]] = {name: [] for name in works}
    for turn in range(frames + 2):
        for name, work in works.items():
            cost = cost_ms(work)
            if turn >= 2:
                taken[name].append(cost)
    zoom = median_ms(lambda: wheel(charts[0]), frames)
    scheduler.stop()
    for window in windows:
        window.close()
    medians = {name: statistics.median(costs) for name, costs in taken.items()}
    return Frame(**medians, zoom=zoom)


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
        series.segment("trainer", 1).pyramid("step")

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
    chart.content.set_series(group)
    chart.resize(900, 500)
    chart.show()
    chart.renderer.refresh()
    settle()
    shift = iter(range(1, 10_000))

    def pan() -> None:
        at = next(shift) * 0.5
        chart.ranges.set_x(at, at + 30)
        chart.renderer.refresh()

    result = median_ms(pan, 10)
    chart.close()
    return result


def renewals_a_second(points: int = 100_000, curves: int = 4, seconds: float = 2.0) -> float:
    """How often a second each of 48 charts is renewed by the scheduler while all of them change."""
    data = walks(points, curves)
    charts = []
    for group in data:
        chart = ChartView(group[0].name)
        chart.content.set_series(group)
        charts.append(chart)
    window = grid_of(charts)
    scheduler = FrameScheduler()
    for chart in charts:
        chart.renderer.refresh()
        scheduler.add(chart)
    values = np.random.default_rng(1).standard_normal(APPEND)
    drawn, began, fed = scheduler.drawn, time.perf_counter(), 0.0
    while time.perf_counter() - began < seconds:
        if time.perf_counter() - fed > 0.033:  # the pace at which batches come in
            fed = time.perf_counter()
            grow(data, values)
            for chart in charts:
                chart.renderer.mark_dirty()
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)
    result = (scheduler.drawn - drawn) / CHARTS / (time.perf_counter() - began)
    scheduler.stop()
    window.close()
    return result


def row(name: str, value: float, unit: str, base: float | None = None, aim: str = "") -> dict[str, Any]:
    """One line of the table."""
    line: dict[str, Any] = {"what": f"drawing: {name}", "figure": round(value, 3), "unit": unit, "aim": aim}
    if base is not None:
        line |= {"beside": "bare QPainter", "ratio": round(value / base, 2)}
    if aim:
        judged = line["ratio"] if "×" in aim else value
        bound = float(aim.split()[1])
        line["reached"] = bool(judged >= bound if aim.startswith("≥") else judged <= bound)
    return line


def measure() -> list[dict[str, Any]]:
    """Every figure of drawing, as rows: name, value, unit, ratio to the floor of the same run, reach."""
    holder = app()
    million = frame_of(POINTS, 1, 25)
    small = frame_of(10_000, 1, 25)
    four = frame_of(100_000, 4, 12)
    raw = raw_ms(POINTS, 12, 1, reduced=False)
    own = raw_ms(POINTS, 12, 2, reduced=True)
    append, window, bytes_a_point = hundred_million_ms()
    many = many_curves_ms()
    renewed = renewals_a_second()
    del holder
    return [
        row("QPainter polylines, 48 charts", million.floor, "ms a frame", million.floor),
        row("48 charts of 1 M points, all changing", million.whole, "ms a frame", million.floor, "≤ 2 ×"),
        row("the same of 10 k points", small.whole, "ms a frame", small.floor),
        row("1 M points against 10 k", million.whole / small.whole, "times", None, "≤ 1.2"),
        row("one tick of the scheduler, 48 charts", million.tick, "ms", None, "≤ 16"),
        row("a zoom of one chart", million.zoom, "ms", None, "≤ 33"),
        row("QPainter polylines, 48 charts of 4 curves", four.floor, "ms a frame", four.floor),
        row("48 charts of 4 curves", four.whole, "ms a frame", four.floor, "≤ 2 ×"),
        row("one tick, 48 charts of 4 curves", four.tick, "ms", None, "≤ 16"),
        row("each of 48 charts of 4 curves renewed", renewed, "times a second", None, "≥ 5"),
        row("pyqtgraph raw, 12 charts of 1 M only", raw, "ms a frame", million.floor),
        row("pyqtgraph auto-downsample + clip, 12 charts only", own, "ms a frame", million.floor),
        row("append 1,000 to 100 M points", append, "ms"),
        row("append and window of 100 M points at 2,000 px", append + window, "ms", None, "≤ 2"),
        row("memory", bytes_a_point, "bytes a point", None, "≤ 24"),
        row("1,000 curves of 50 points, panned", many, "ms a frame", None, "≤ 33"),
    ]


def main() -> None:
    """Prints the table."""
    began = time.perf_counter()
    for line in measure():
        ratio = f"{line['ratio']:8.2f} ×" if "ratio" in line else " " * 10
        print(f"{line['what']:<60}{line['figure']:>10.2f} {line['unit']:<14}{ratio}  {line['aim']}")
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
