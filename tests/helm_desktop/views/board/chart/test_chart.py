import gc

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QGridLayout, QWidget
from pytestqt.qtbot import QtBot

from helm_desktop.model.chart.marks import Mark
from helm_desktop.model.series.series_model import Series
from helm_desktop.theme import ThemeManager
from helm_desktop.views.board.chart.chart import ChartView
from helm_desktop.views.board.drawing.lines import LABEL_PX
from helm_desktop.views.board.pages.redraw_schedule import FrameScheduler
from helpers.charts import columns_of, inside, logged, pixels, point, shown, turn

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture(autouse=True)
def _themed(theme: ThemeManager) -> None:
    """Charts wear the theme."""


def test_that_an_empty_chart_says_so(qtbot: QtBot) -> None:
    chart = shown(qtbot, title="train/loss")
    assert chart.content.title == "train/loss"
    assert (chart.content.point_count, chart.plot.canvas.drawn_points) == (0, 0)
    words = columns_of(pixels(chart), chart.renderer.theme.quiet)
    assert words
    assert chart.plot.canvas.width() / 3 < min(words) < max(words) < chart.plot.canvas.width() * 2 / 3
    assert chart.plot.left.shown() == []


def test_that_the_latest_value_stands_in_the_header(qtbot: QtBot) -> None:
    series = logged("train/loss", [3.0, 0.4123])
    chart = shown(qtbot, series)
    assert chart.header.figure.text() == "0.412"
    series.append("trainer", 1, np.array([2]), np.array([1.0]), np.array([0.25]))
    chart.renderer.refresh()
    assert chart.header.figure.text() == "0.25"
    assert (chart.content.title, chart.content.point_count, chart.plot.canvas.drawn_points) == (
        "train/loss",
        3,
        3,
    )


def test_that_the_wheel_zooms_about_the_pointer(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.arange(1000.0)))
    before = chart.plot.pixels.x_at(QPointF(inside(chart, 0.25)))
    with qtbot.waitSignal(chart.ranges.zoomed) as told:
        turn(chart, 3, inside(chart, 0.25))
    low, high = chart.ranges.x.shown
    assert told.args == [low, high]
    assert high - low == pytest.approx(999 / 1.2**3)
    assert chart.plot.pixels.x_at(QPointF(inside(chart, 0.25))) == pytest.approx(before)
    assert not chart.ranges.x.follows


def test_that_a_drag_zooms_into_the_stretch_and_a_double_click_returns(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.arange(1000.0)))
    viewport = chart.plot.viewport()
    QTest.mousePress(viewport, LEFT, Qt.KeyboardModifier.NoModifier, inside(chart, 0.2))
    QTest.mouseMove(viewport, inside(chart, 0.5))
    QTest.mouseRelease(viewport, LEFT, Qt.KeyboardModifier.NoModifier, inside(chart, 0.6))
    low, high = chart.ranges.x.shown
    assert low == pytest.approx(200, abs=5)
    assert high == pytest.approx(600, abs=5)
    with qtbot.waitSignal(chart.ranges.follow_requested):
        QTest.mouseDClick(viewport, LEFT, Qt.KeyboardModifier.NoModifier, inside(chart, 0.5))
    assert chart.ranges.x.shown == (0, 999)


def test_that_a_drag_with_shift_moves_the_range(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.arange(1000.0)))
    chart.ranges.set_x(200, 400)
    chart.renderer.refresh()
    viewport = chart.plot.viewport()
    QTest.mousePress(viewport, LEFT, Qt.KeyboardModifier.ShiftModifier, inside(chart, 0.5))
    QTest.mouseMove(viewport, inside(chart, 0.75))
    QTest.mouseRelease(viewport, LEFT, Qt.KeyboardModifier.ShiftModifier, inside(chart, 0.75))
    assert chart.ranges.x.shown == pytest.approx((150, 350), abs=2)


def test_that_keys_do_what_the_mouse_does(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.arange(1000.0)))
    QTest.keyClick(chart, Qt.Key.Key_Plus)
    assert not chart.ranges.x.follows
    zoomed = chart.ranges.x.shown
    QTest.keyClick(chart, Qt.Key.Key_Right)
    assert chart.ranges.x.shown[0] > zoomed[0]
    QTest.keyClick(chart, Qt.Key.Key_Home)
    assert chart.ranges.x.shown == (0, 999)


def test_that_following_grows_by_a_quarter_and_zooms_stay(qtbot: QtBot) -> None:
    series = logged("loss", np.arange(100.0))
    chart = shown(qtbot, series)
    assert chart.ranges.x.shown == (0, 99)
    series.append("trainer", 1, np.array([100]), np.array([50.0]), np.array([1.0]))
    chart.renderer.refresh()
    assert chart.ranges.x.shown == (0, 125)
    chart.content.set_live(False)
    chart.renderer.refresh()
    assert chart.ranges.x.shown == (0, 100)
    chart.ranges.set_x(10, 20)
    series.append("trainer", 1, np.array([900]), np.array([60.0]), np.array([1.0]))
    chart.renderer.refresh()
    assert chart.ranges.x.shown == (10, 20)


def test_that_the_plan_is_dashed_after_now_and_widens_x(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("optim/lr/group0", np.linspace(1, 0.7, 200)))
    chart.content.set_plan([0, 600], [1.0, 0.1])
    chart.renderer.refresh()
    assert chart.ranges.x.shown == (0, 600)
    image = pixels(chart)
    columns = columns_of(image, chart.renderer.theme.curves[0])
    ahead = {column for column in columns if column > image.width() * 0.35}
    assert max(ahead) > 0.9 * image.width()
    assert 0.3 < len(ahead) / (image.width() * 0.65) < 0.95


def test_that_the_plan_is_bent_on_a_logarithmic_axis_as_the_run_goes(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("optim/lr/group0", np.full(20, 1.0)))
    chart.content.set_plan([0, 19, 600], [1.0, 1.0, 1e-4])
    chart.content.change(log_y=True)
    chart.renderer.refresh()
    view = chart.renderer.drawing.view(
        chart.ranges.x.shown, chart.plot.canvas.inner(), 1.0, chart.renderer.theme
    )
    (dashed,) = (curve for curve in view.curves if curve.dashed)
    halfway = (1.0 + 1e-4) / 2
    middle = (19 + 600) / 2
    assert np.interp(middle, dashed.x, dashed.y) == pytest.approx(np.log10(halfway), abs=1e-3)


@pytest.mark.parametrize("now", [30, 300, 560])
def test_that_the_plans_label_stands_above_every_curve(qtbot: QtBot, now: int) -> None:
    falling = np.linspace(1, 0, 601)
    chart = shown(qtbot, logged("optim/lr/group0", falling[: now + 1]))
    chart.content.set_plan(np.arange(601.0), falling)
    chart.renderer.refresh()
    size = chart.plot.canvas.inner()
    view = chart.renderer.drawing.view(chart.ranges.x.shown, size, 1.0, chart.renderer.theme)
    assert view.label is not None
    middle, height, words = view.label
    low, high = chart.ranges.x.shown
    half = LABEL_PX / 2 * (high - low) / size.width()
    assert words == "planned ahead"
    assert low <= middle - half < middle + half <= high + 1e-9
    assert height >= falling[round(middle - half)] - 1 / 600


def test_that_marks_are_drawn_and_told(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.linspace(2, 1, 601)))
    chart.content.set_marks(
        [Mark("change", 300, "lr applied: 1e-3"), Mark("checkpoint", 450, "saved, 21 KB")]
    )
    chart.renderer.refresh()
    image = pixels(chart)
    foot = image.copy(0, image.height() - 12, image.width(), 12)
    assert np.mean(list(columns_of(foot, chart.renderer.theme.warn))) == pytest.approx(
        image.width() / 2, abs=3
    )
    assert np.mean(list(columns_of(foot, chart.renderer.theme.checkpoint))) == pytest.approx(
        0.75 * image.width(), abs=3
    )
    point(chart, 0.5)
    qtbot.waitUntil(lambda: "step 300: lr applied: 1e-3" in chart.pointer.tip_text())


def test_that_the_tooltip_is_sorted_by_value_and_shared_as_a_line(qtbot: QtBot) -> None:
    levels = {"web": 1.0, "code": 3.0}
    group = [logged(f"eval/loss/{name}", np.full(100, value)) for name, value in levels.items()]
    chart = shown(qtbot, *group, title="eval/loss/{source}")
    other = shown(qtbot, logged("lr", np.arange(100.0)))
    chart.crosshair.moved.connect(other.crosshair.set_x)
    point(chart, 0.5)
    qtbot.waitUntil(lambda: chart.pointer.tip_text() != "")
    assert chart.pointer.tip_text().splitlines()[1:] == ["code 3.0", "web 1.0"]
    assert other.header.figure.text() in ("49.0", "50.0")
    assert columns_of(pixels(other), other.renderer.theme.quiet)
    QApplication.sendEvent(chart.plot, QEvent(QEvent.Type.Leave))
    assert chart.pointer.tip_text() == ""
    assert other.header.figure.text() == "99.0"


def test_that_the_theme_dresses_a_chart_at_once(qtbot: QtBot, theme: ThemeManager) -> None:
    chart = shown(qtbot, logged("loss", np.arange(100.0)))
    theme.choose("light")
    assert pixels(chart).pixelColor(5, 12).name() == theme.current().card
    assert columns_of(pixels(chart), theme.current().curves[0])


def test_that_a_long_title_is_known_to_be_shortened(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("a/very/long/name/" * 9, [1.0]))
    assert chart.header.elided_labels() == ["a/very/long/name/" * 9]


@pytest.mark.parametrize("scene", ["one point", "nan only", "huge x", "repeats", "two processes", "resumed"])
def test_that_odd_data_is_drawn(qtbot: QtBot, scene: str) -> None:
    series = Series("loss")
    rows = {
        "one point": [("a", 1, [5], [1.0])],
        "nan only": [("a", 1, [1, 2], [np.nan, np.inf])],
        "huge x": [("a", 1, [0, 1 << 60], [1.0, 2.0])],
        "repeats": [("a", 1, [1, 1, 3, 2, 2], [1.0, 2.0, 3.0, 4.0, 5.0])],
        "two processes": [("a", 1, [1, 2], [1.0, 2.0]), ("b", 1, [1, 2], [3.0, 4.0])],
        "resumed": [("a", 1, [1, 2, 3], [1.0, 2.0, 3.0]), ("a", 2, [2, 4], [5.0, 6.0])],
    }[scene]
    for process, attempt, steps, values in rows:
        at = np.array(steps)
        series.append(process, attempt, at, at * 1.0, np.array(values))
    chart = shown(qtbot, series)
    for axis in ("wall", "relative", "step"):
        chart.content.change(x=axis)
        chart.renderer.refresh()
    assert chart.content.point_count == sum(len(steps) for _, _, steps, _ in rows)
    chart.content.change(log_y=True)
    for zoom in ((-1e18, 1e18), (2.0, 2.0000001), (1e17, 2e17)):
        chart.ranges.set_x(*zoom)
        chart.renderer.refresh()


def test_that_charts_can_be_dropped_in_any_order(qtbot: QtBot) -> None:
    for at in range(60):
        chart = ChartView("gone")
        chart.content.set_series([logged("loss", [1.0, 2.0])])
        chart.resize(200, 160)
        chart.show()
        chart.renderer.refresh()
        chart.close()
        del chart
        if at % 7 == 0:
            gc.collect()


def board(qtbot: QtBot, count: int) -> tuple[QWidget, list[ChartView], FrameScheduler]:
    """Charts in one window, looked after."""
    window = QWidget()
    qtbot.addWidget(window)
    layout = QGridLayout(window)
    frames = FrameScheduler(window)
    charts = []
    for at in range(count):
        chart = ChartView(f"chart {at}")
        chart.content.set_series([logged(f"loss/{at}", np.arange(50.0))])
        layout.addWidget(chart, at // 6, at % 6)
        charts.append(chart)
    window.resize(1300, 180 * (count // 6))
    window.show()
    qtbot.waitExposed(window)
    for chart in charts:
        frames.add(chart)
    return window, charts, frames


def test_that_only_charts_in_view_are_drawn_and_the_rest_when_they_are_shown(qtbot: QtBot) -> None:
    _, charts, frames = board(qtbot, 12)
    qtbot.waitUntil(lambda: not frames.running)
    drawn = frames.drawn
    charts[3].hide()
    for chart in charts:
        chart.renderer.mark_dirty()
    qtbot.waitUntil(lambda: not frames.running)
    assert frames.drawn - drawn == 11
    assert charts[3].renderer.dirty
    charts[3].show()
    qtbot.waitUntil(lambda: not charts[3].renderer.dirty)
    qtbot.waitUntil(lambda: not frames.running)


def test_that_the_longest_unrenewed_chart_comes_first(qtbot: QtBot) -> None:
    _, charts, frames = board(qtbot, 6)
    qtbot.waitUntil(lambda: not frames.running)
    charts[2].renderer.refresh()
    charts[0].renderer.refresh()
    for chart in charts:
        chart.renderer.mark_dirty()
    order = frames.waiting()
    assert order[-2:] == [charts[2], charts[0]]
    frames.remove(charts[1])
    assert charts[1] not in frames.waiting()
    qtbot.waitUntil(lambda: not frames.running)
