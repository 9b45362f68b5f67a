import csv
import io
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from helm_desktop.model.chart.marks import Mark
from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.model.series.series_model import Series
from helm_desktop.storage.export import export_steps
from helm_desktop.theme import ThemeManager, text_font
from helm_desktop.views.board.chart import export
from helm_desktop.views.board.chart.chart import ChartView
from helm_desktop.views.board.content.tooltip import wrapped
from helpers.charts import columns_of, inside, logged, pixels, point, saved, shown, turn

STEPS = np.arange(0, 101, 10)
NONE = Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture(autouse=True)
def _themed(theme: ThemeManager) -> None:
    """Charts wear the theme."""


def three(qtbot: QtBot) -> ChartView:
    """A chart of three curves."""
    levels = {"web": 1.0, "code": 3.0, "math": 2.0}
    group = [logged(f"loss/{name}", np.full(100, value)) for name, value in levels.items()]
    return shown(qtbot, *group, spec=ChartSpec(series=("loss/{source}",)))


def spot(chart: ChartView, name: str) -> QPoint:
    """Where the legend has a name."""
    place = chart.legend.place_of(next(e.key for e in chart.legend.entries if e.name == name))
    assert place is not None
    return place


def drawn(chart: ChartView) -> list[bool]:
    """Which of the first three colours are to be seen."""
    return [bool(columns_of(pixels(chart), colour, 60)) for colour in chart.renderer.theme.curves[:3]]


def test_that_a_click_in_the_legend_shows_one_curve_alone_and_all_again(qtbot: QtBot) -> None:
    chart = three(qtbot)
    assert [entry.name for entry in chart.legend.entries] == ["code", "math", "web"]
    assert drawn(chart) == [True, True, True]
    QTest.mouseClick(chart.legend, LEFT, NONE, spot(chart, "math"))
    assert drawn(chart) == [False, True, False]
    point(chart, 0.5)
    assert chart.pointer.tip_text().splitlines()[1:] == ["math 2.0"]
    QTest.mouseClick(chart.legend, LEFT, NONE, spot(chart, "math"))
    assert drawn(chart) == [True, True, True]


def test_that_ctrl_click_hides_a_curve_and_the_range_fits_the_rest(qtbot: QtBot) -> None:
    chart = three(qtbot)
    QTest.mouseClick(chart.legend, LEFT, CTRL, spot(chart, "code"))
    assert drawn(chart) == [False, True, True]
    assert chart.ranges.y.shown[1] < 3.0
    chart.content.visibility.show_all()
    assert drawn(chart) == [True, True, True]


def test_that_the_keyboard_does_the_same_in_the_legend(qtbot: QtBot) -> None:
    chart = three(qtbot)
    chart.activateWindow()
    chart.legend.setFocus()
    qtbot.waitUntil(chart.legend.hasFocus)
    QTest.keyClick(chart.legend, Qt.Key.Key_Right)
    QTest.keyClick(chart.legend, Qt.Key.Key_Return)
    assert drawn(chart) == [False, True, False]
    QTest.keyClick(chart.legend, Qt.Key.Key_Return)
    QTest.keyClick(chart.legend, Qt.Key.Key_Space)
    QApplication.sendEvent(chart.legend, QEvent(QEvent.Type.Leave))
    assert drawn(chart) == [True, False, True]
    QTest.keyClick(chart.legend, Qt.Key.Key_Down)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert [action.isChecked() for action in menu.actions()] == [True, False, True]
    menu.close()


def test_that_the_curve_under_the_pointer_stands_out(qtbot: QtBot) -> None:
    chart = three(qtbot)
    QTest.mouseMove(chart.legend, spot(chart, "math") + QPoint(1, 1))
    QTest.mouseMove(chart.legend, spot(chart, "math"))
    assert drawn(chart) == [False, True, False]  # the others are faint
    strokes = chart.plot.canvas._strokes
    assert strokes[-1].again
    chart.content.visibility.highlight("")
    assert drawn(chart) == [True, True, True]


def test_that_a_tooltip_of_many_curves_is_limited(qtbot: QtBot) -> None:
    group = [logged(f"loss/{at}", np.full(20, float(at))) for at in range(40)]
    chart = shown(qtbot, *group)
    point(chart, 0.5)
    lines = chart.pointer.tip_text().splitlines()
    assert lines[1] == "39 39.0"
    assert lines[-1] == "and 26 more"


def test_that_smoothing_draws_the_average_with_the_raw_line_faint_behind(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.random.default_rng(0).standard_normal(300)))
    chart.content.change(smoothing=0.9)
    chart.renderer.refresh()
    view = chart.renderer.drawing.view(
        chart.ranges.x.shown, chart.plot.canvas.inner(), 1.0, chart.renderer.theme
    )
    raw, smooth = view.curves
    assert raw.strength < 0.5
    assert smooth.strength == 1.0
    assert np.abs(np.diff(smooth.y)).sum() < 0.2 * np.abs(np.diff(raw.y)).sum()


def test_that_a_long_series_is_smoothed_frame_by_frame(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.ones(500_000)))
    chart.content.change(smoothing=0.9)
    chart.renderer.refresh()
    frames = 1
    while chart.renderer.dirty:
        chart.renderer.refresh()
        frames += 1
    assert frames == 3


def test_that_outliers_are_ignored_where_asked_and_that_is_told(qtbot: QtBot) -> None:
    values = np.random.default_rng(0).standard_normal(1_000)
    values[500] = 1e6
    chart = shown(qtbot, logged("loss", values))
    assert chart.ranges.y.shown[1] >= 1e6
    QTest.keyClick(chart, Qt.Key.Key_O)
    assert -10 < chart.ranges.y.shown[0] < chart.ranges.y.shown[1] < 10
    assert chart.content.spec.ignore_outliers


def test_that_the_y_range_is_set_by_hand_and_fitted_again(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.linspace(0, 10, 100)))
    told: list[ChartSpec] = []
    chart.edits.spec_changed.connect(told.append)
    rect = chart.plot.pixels.picture_rect()
    left = QPointF(rect.left() - 20, rect.center().y()).toPoint()
    before = chart.ranges.y.shown[1]
    turn(chart, 2, left)
    low, high = chart.ranges.y.shown
    assert high - low == pytest.approx(before / 1.44, rel=0.01)
    assert told[-1].y_range == (low, high)
    QTest.mouseDClick(chart.plot.viewport(), LEFT, NONE, left)
    assert chart.content.spec.y_range is None
    assert chart.ranges.y.shown[1] >= 10
    chart.content.set_spec(chart.content.spec.with_(y_range=(2.0, 3.0)))
    chart.renderer.refresh()
    assert chart.ranges.y.shown == (2.0, 3.0)


def test_that_the_wheel_scrolls_the_board_and_with_ctrl_zooms(qtbot: QtBot) -> None:
    area, body = QScrollArea(), QWidget()
    qtbot.addWidget(area)
    column = QVBoxLayout(body)
    charts = []
    for at in range(3):
        chart = ChartView(f"loss/{at}")
        chart.content.set_series([logged("loss", np.arange(1000.0))])
        chart.setFixedSize(400, 220)
        column.addWidget(chart)
        charts.append(chart)
    area.setWidget(body)
    area.resize(440, 300)
    area.show()
    qtbot.waitExposed(area)
    charts[0].renderer.refresh()
    turn(charts[0], -1, inside(charts[0], 0.5))
    assert charts[0].ranges.x.follows
    assert area.verticalScrollBar().value() > 0
    turn(charts[0], 1, inside(charts[0], 0.5), CTRL)
    assert not charts[0].ranges.x.follows


def test_that_the_menu_has_every_way_to_read_and_take_along(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.linspace(2, 1, 50)), spec=ChartSpec(series=("loss",)))
    menu = chart.menu.open(chart.mapToGlobal(QPoint(60, 60)))
    words = [action.text() for action in menu.actions() if action.text()]
    assert words[:3] == ["Edit chart", "Full window", "Follow the run"]
    assert {"Logarithmic y", "Ignore outliers", "Copy picture", "Save as PNG, SVG or CSV…"} <= set(words)
    next(action for action in menu.actions() if action.text() == "Logarithmic y").trigger()
    assert chart.content.spec.log_y
    menu.close()
    QTest.keyClick(chart, Qt.Key.Key_L)
    assert not chart.content.spec.log_y
    QTest.keyClick(chart, Qt.Key.Key_S)
    assert chart.content.spec.smoothing == 0.6
    with qtbot.waitSignal(chart.edit_requested):
        QTest.keyClick(chart, Qt.Key.Key_E)


def test_that_a_note_is_asked_for_at_the_step_under_the_pointer(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.arange(101.0)), spec=ChartSpec(series=("loss",)))
    point(chart, 0.5)
    assert "Add a note to step 50…" not in [action.text() for action in chart.menu.made().actions()]
    chart.notes.offered = True
    assert "Add a note to step 50…" in [action.text() for action in chart.menu.made().actions()]
    with qtbot.waitSignal(chart.notes.requested) as told:
        QTest.keyClick(chart, Qt.Key.Key_N)
    assert told.args == [50]


def test_that_the_tooltip_has_the_average_that_is_drawn_and_what_was_logged(qtbot: QtBot) -> None:
    values = np.array([1.0, 0.0, 1.0, np.nan, 4.0])
    chart = shown(qtbot, logged("loss", values), spec=ChartSpec(series=("loss",), smoothing=0.5))
    seen = [1.0, 1 / 3, 5 / 7, np.nan, (5 / 7 * 1.75 + 4.0 * 2.0) / 3.75]  # of 1, 1/2, 1/4… the weighted mean
    for step, raw in enumerate(values):
        point(chart, step / 4)
        name, *words = chart.pointer.tip_text().splitlines()[1].split(" ")
        assert name == "loss"
        if np.isnan(raw):
            assert words == ["nan"]
        else:
            assert words[1:3] == ["·", "raw"]
            assert [float(words[0]), float(words[3])] == pytest.approx([seen[step], raw], rel=5e-3)
            assert chart.header.figure.text() == words[0]
    chart.edits.change(smoothing=0.0)
    point(chart, 0.5)
    assert chart.pointer.tip_text().splitlines()[1] == "loss 1.0"


@pytest.mark.parametrize(
    ("x", "at"),  # of a point each 10 steps and 5 seconds, whose tokens are the square of the step
    [
        ("step", lambda step: step),
        ("relative", lambda step: step / 2),
        ("wall", lambda step: 1000 + step / 2),
        ("tokens", lambda step: np.interp(step, STEPS, STEPS**2)),
    ],
)
def test_that_marks_and_notes_stand_on_every_axis(qtbot: QtBot, x: str, at: Callable[[float], float]) -> None:
    loss, tokens = Series("loss"), Series("tokens", kind="axis")
    for series, values in ((loss, STEPS * 1.0), (tokens, STEPS**2.0)):
        series.append("trainer", 1, STEPS, 1000 + STEPS * 0.5, values)
    chart = shown(qtbot, loss, tokens, spec=ChartSpec(series=("loss",), x=x))
    chart.notes.offered = True
    chart.content.set_marks([Mark("change", 20, "lr halved"), Mark("note", 65, "odd", own=True)])
    chart.renderer.refresh()
    places = {mark.step: place for place, mark in chart.content.mark_positions.all()}
    assert places == pytest.approx({20: at(20), 65: at(65)})
    assert chart.plot.canvas._picture is not None
    assert [place for _, place in chart.plot.canvas._picture.marks] == pytest.approx([at(20), at(65)])
    spot = chart.plot.viewport().mapFrom(chart, chart.parts.point_at(at(20)))
    QTest.mouseMove(chart.plot.viewport(), spot + QPoint(4, 9))
    QTest.mouseMove(chart.plot.viewport(), spot)
    assert "step 20: lr halved" in chart.pointer.tip_text()
    for step, words in ((65, "Edit the note on step 65…"), (90, "Add a note to step 90…")):
        chart.crosshair.set_x(at(step))
        assert words in [action.text() for action in chart.menu.made().actions()]
    chart.hide()


def test_that_keys_lead_the_crosshair_from_point_to_point(qtbot: QtBot) -> None:
    series = Series("loss")
    steps = np.array([0, 10, 40, 100])
    series.append("trainer", 1, steps, steps * 0.5, np.array([4.0, 3.0, 2.0, 1.0]))
    chart = shown(qtbot, series, spec=ChartSpec(series=("loss",)))
    moved: list[float] = []
    chart.crosshair.moved.connect(moved.append)
    for key in (",", ",", ",", ",", ",", "."):
        QTest.keyClicks(chart, key)
    assert moved == [100, 40, 10, 0, 10]
    assert chart.pointer.tip_text().splitlines()[0] == "step 10"
    QTest.keyClicks(chart, ">")
    assert chart.crosshair.step == 40
    chart.hide()


def test_that_a_long_note_is_told_in_several_lines(qtbot: QtBot) -> None:
    metrics = QFontMetrics(text_font(12))
    words = " ".join(f"word{number}" for number in range(30))
    lines = wrapped(words, metrics, 320)
    assert " ".join(lines) == words
    assert max(map(metrics.horizontalAdvance, lines)) <= 320
    cut = wrapped("one\ntwo\n" + words * 3, metrics, 200)
    assert cut[:2] == ["one", "two"]
    assert len(cut) == 6
    assert cut[-1].endswith("…")


def test_that_another_x_is_named_beside_the_title(qtbot: QtBot) -> None:
    spec = ChartSpec(series=("loss",), x="active")
    chart = shown(qtbot, logged("loss", np.arange(101.0)), spec=spec)
    assert chart.header.kind.text() == "over active time"
    assert chart.header.kind.isVisible()
    chart.edits.change(x="step")
    assert not chart.header.kind.isVisible()


def test_that_csv_holds_every_value_exactly(qtbot: QtBot, tmp_path: Path) -> None:
    values = [0.1, 1 / 3, math.nan, math.inf, -math.inf, 5e-324, 1.7976931348623157e308]
    chart = shown(qtbot, logged("loss, a", values))
    saved(chart, tmp_path / "chart.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "chart.csv").read_text())))
    read = [float(row["value"]) for row in rows]
    assert read[:2] + read[3:] == values[:2] + values[3:]
    assert math.isnan(read[2])
    assert rows[1] | {"value": ""} == {
        "series": "loss, a",
        "process": "trainer",
        "attempt": "1",
        "step": "1",
        "time": "0.5",
        "value": "",
    }


def test_that_lines_of_a_large_picture_are_as_strong_as_on_the_screen(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.full(50, 1.0)), spec=ChartSpec(series=("loss",)), size=(400, 220))
    chart.setFocus()
    picture = export.picture_of(chart.parts, 1600)
    rows = [
        row
        for row in range(picture.height())
        if near_colour(picture, 800, row, chart.renderer.theme.curve(0))
    ]
    assert 4 <= len(rows) <= 7, "1.25 pixels, four times as large"
    assert not near_colour(picture, 800, 0, chart.renderer.theme.accent), "the frame of what has the focus"
    assert chart.header.figure.text() == "1.0"


def near_colour(picture: QImage, x: int, y: int, colour: str) -> bool:
    """Whether a pixel is about this colour."""
    have, want = picture.pixelColor(x, y).getRgb(), QColor(colour).getRgb()
    return sum(abs(a - b) for a, b in zip(have[:3], want[:3], strict=True)) < 90  # type: ignore[index]


def test_that_an_svg_of_heatmap_rows_has_each_row_in_its_colours(qtbot: QtBot) -> None:
    group = [logged(f"health/layer{n}/ratio", np.full(50, 10.0**-n)) for n in range(3)]
    chart = shown(qtbot, *group, spec=ChartSpec(series=("health/layer{layer}/ratio",), draw="heatmap"))
    picture = QImage(chart.size(), QImage.Format.Format_RGB32)
    painter = QPainter(picture)
    QSvgRenderer(export.svg_of(chart.parts)).render(painter)
    painter.end()
    screen = chart.grab().toImage()
    rect = chart.plot.pixels.picture_rect()
    for part in (1, 3, 5):
        place = chart.plot.mapTo(
            chart, QPointF(rect.center().x(), rect.top() + rect.height() * part / 6).toPoint()
        )
        assert near_colour(picture, place.x(), place.y(), screen.pixelColor(place).name()), part


def test_that_svg_keeps_lines_as_lines(qtbot: QtBot, tmp_path: Path) -> None:
    chart = shown(qtbot, logged("loss", np.linspace(2, 1, 50)))
    saved(chart, tmp_path / "chart.svg")
    text = (tmp_path / "chart.svg").read_text()
    assert text.startswith("<?xml")
    assert "<polyline" in text


def test_that_a_copied_chart_is_a_picture(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.linspace(2, 1, 50)))
    with qtbot.waitSignal(chart.menu.copied):
        QTest.keyClick(chart, Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().image().width() == chart.width()


def test_that_saving_asks_where_and_says_what_went_wrong(qtbot: QtBot, tmp_path: Path) -> None:
    chart = shown(qtbot, logged("a/b: c", np.linspace(2, 1, 50)))
    dialog = chart.menu.ask_where()
    assert Path(dialog.selectedFiles()[0]).name.startswith("a_b__c")
    dialog.close()
    with qtbot.waitSignal(chart.menu.save_requested) as told:
        chart.menu._save(str(tmp_path / "chart.png"))
    path, content = told.args
    assert path == str(tmp_path / "chart.png")
    for _ in export_steps(Path(path), content):
        pass
    assert Path(path).read_bytes().startswith(b"\x89PNG")
    with qtbot.waitSignal(chart.menu.export_failed) as failed:
        chart.menu._save(str(tmp_path / "chart.gif"))
    assert failed.args[0].startswith("The chart was not saved: chart.gif has no ending")
    with pytest.raises(OSError, match="missing"):
        saved(chart, tmp_path / "missing" / "chart.png")


def test_that_curves_are_painted_once_however_often_the_crosshair_moves(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.random.default_rng(0).standard_normal(5_000)))
    QApplication.processEvents()
    for at in range(20):
        chart.crosshair.set_x(at * 100.0)
        QApplication.processEvents()
    assert chart.plot.canvas.paints <= 3
