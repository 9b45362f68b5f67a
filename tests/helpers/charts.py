"""Charts on the screen, and what is to be seen of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.model.series.number_column import Array
from helm_desktop.model.series.series_model import Series
from helm_desktop.storage.export import export_steps
from helm_desktop.theme import ThemeManager
from helm_desktop.views.board.chart.chart import ChartView
from helm_desktop.views.board.chart.export import content_of

LEFT = Qt.MouseButton.LeftButton


def dress() -> None:
    """The application wears the dark theme, unless it wears one."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    if application.property("helm_theme") is None:
        application.setProperty("helm_test_theme", ThemeManager(application, "dark"))


def logged(name: str, values: Array | Sequence[float], first: int = 0, process: str = "trainer") -> Series:
    """A series of one process, a point a step and each half second."""
    series = Series(name)
    steps = np.arange(first, first + len(values))
    if len(values):
        series.append(process, 1, steps, steps * 0.5, np.asarray(values, float))
    return series


def saved(chart: ChartView, path: Path, width: int = 1_600) -> None:
    """Write the file that saving the chart writes, on this thread."""
    for _ in export_steps(path, content_of(chart.parts, path, width)):
        pass


def shown(
    qtbot: QtBot,
    *series: Series,
    title: str = "",
    spec: ChartSpec | None = None,
    size: tuple[int, int] = (420, 220),
) -> ChartView:
    """A chart on the screen with these drawn: all of them, or what a spec says of them."""
    dress()
    chart = ChartView(title)
    qtbot.addWidget(chart)
    if spec is None:
        chart.content.set_series(series)
    else:
        chart.content.set_spec(spec, {one.name: one for one in series})
    chart.resize(*size)
    chart.show()
    qtbot.waitExposed(chart)
    chart.renderer.refresh()
    return chart


def pixels(chart: ChartView) -> QImage:
    """What the picture of a chart shows on the screen."""
    return chart.plot.canvas.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def near(image: QImage, colour: str, most: int = 130) -> Array:
    """Which pixels of an image are of a colour, or close to it."""
    data = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine() // 4, 4)
    data = data[:, : image.width()]
    wanted = np.array([int(colour[at : at + 2], 16) for at in (5, 3, 1)])
    return np.asarray(np.abs(data[:, :, :3].astype(int) - wanted).sum(axis=2) < most)


def columns_of(image: QImage, colour: str, most: int = 130) -> set[int]:
    """Columns that hold a pixel of a colour, or one close to it."""
    return set(np.flatnonzero(near(image, colour, most).any(axis=0)).tolist())


def turn(
    chart: ChartView,
    notches: int,
    at: QPoint,
    keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    """The real wheel over the plot: what the chart does not take goes on to what it lies in."""
    window = chart.window()
    place = QPointF(chart.plot.viewport().mapTo(window, at))
    QTest.wheelEvent(window.windowHandle(), place, QPoint(0, 120 * notches), QPoint(), keys)
    QApplication.processEvents()


def inside(chart: ChartView, share: float) -> QPoint:
    """A place of the plot, as a share of its width."""
    rect = chart.plot.pixels.picture_rect()
    return QPointF(rect.left() + share * rect.width(), rect.center().y()).toPoint()


def point(chart: ChartView, share: float) -> None:
    """Moves the real pointer over the plot."""
    QTest.mouseMove(chart.plot.viewport(), inside(chart, share) + QPoint(3, 9))
    QTest.mouseMove(chart.plot.viewport(), inside(chart, share))
