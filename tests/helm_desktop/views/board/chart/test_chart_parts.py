"""The parts of a chart: each is asked for what it knows, and the chart only composes them."""

from __future__ import annotations

import gc
from weakref import ref

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from helm_desktop.model.chart.marks import Mark
from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.theme import ThemeManager
from helm_desktop.views.board.chart.chart import ChartView
from helm_desktop.views.board.chart.nearby_marks import NearbyMarks
from helm_desktop.views.board.drawing.bars import BarsDrawing
from helpers.charts import logged, point, shown

LOSS = ChartSpec(series=("loss",))
LAYERS = ChartSpec(series=("norm/layer{layer}",), draw="heatmap")


@pytest.fixture(autouse=True)
def _themed(theme: ThemeManager) -> None:
    """Charts wear the theme."""


def test_that_a_dropped_chart_is_destroyed_at_once(qtbot: QtBot) -> None:
    chart = ChartView("gone")
    chart.content.set_series([logged("loss", [1.0, 2.0])])
    chart.show()
    chart.renderer.refresh()
    kept = ref(chart)
    chart.close()
    gc.disable()
    try:
        del chart
        assert kept() is None, "no part refers to the card strongly"
    finally:
        gc.enable()


# The renderer --------------------------------------------------------------------------------------


def test_that_new_content_waits_until_somebody_draws_it(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", [3.0, 1.0]), spec=LOSS)
    assert not chart.renderer.dirty
    with qtbot.waitSignal(chart.renderer.stale), qtbot.assertNotEmitted(chart.renderer.drawn):
        chart.content.set_marks([Mark("change", 1, "lr")])
    assert chart.renderer.dirty
    with qtbot.waitSignal(chart.renderer.drawn):
        chart.renderer.refresh()
    assert not chart.renderer.dirty


def test_that_another_window_is_told_and_the_same_is_not(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.arange(100.0)), spec=LOSS)
    with qtbot.assertNotEmitted(chart.renderer.range_changed):
        chart.renderer.refresh()
    chart.ranges.set_x(10.0, 20.0)
    with qtbot.waitSignal(chart.renderer.range_changed):
        chart.renderer.refresh()
    assert chart.ranges.x.shown == (10.0, 20.0)
    assert chart.plot.pixels.x == (10.0, 20.0)


def test_that_the_drawing_is_the_one_that_the_spec_says(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", [1.0, 2.0]), spec=LOSS)
    with qtbot.waitSignal(chart.renderer.drawing_changed):
        chart.content.change(draw="bars")
    assert isinstance(chart.renderer.drawing, BarsDrawing)
    assert chart.ranges.x.own
    assert chart.header.kind.text() == "bars of the last"


def test_that_what_is_left_out_is_counted(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", [1.0, np.nan, -1.0]), spec=LOSS.with_(log_y=True))
    assert chart.renderer.notice == "1 not finite, 1 hidden"


# Crosshair, marks and notes ------------------------------------------------------------------------


def test_that_the_crosshair_of_another_chart_is_taken_and_not_told_back(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.arange(100.0)), spec=LOSS)
    with qtbot.assertNotEmitted(chart.crosshair.moved):
        chart.crosshair.set_x(40.0)
    assert (chart.crosshair.step, chart.header.figure.text()) == (40, "40.0")
    with qtbot.waitSignal(chart.crosshair.moved) as told:
        chart.crosshair.move(None)
    assert told.args == [None]
    assert chart.header.figure.text() == "99.0"
    chart.content.change(x="wall")
    chart.crosshair.set_x(3.0)
    assert chart.crosshair.step is None


def test_that_marks_within_a_few_pixels_are_near(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.arange(101.0)), spec=LOSS)
    mark = Mark("note", 50, "why", own=True)
    chart.content.set_marks([mark])
    near = NearbyMarks(chart.parts)
    a_pixel = 100 / chart.plot.canvas.inner().width()
    assert near.at(50 + 4 * a_pixel) == [mark]
    assert near.at(50 + 7 * a_pixel) == []


def test_that_a_note_is_meant_for_the_one_close_by_the_crosshair_or_the_last_step(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.arange(101.0)), spec=LOSS)
    assert chart.notes.step() is None
    chart.notes.offered = True
    assert chart.notes.step() == 100
    chart.crosshair.set_x(30.0)
    assert chart.notes.step() == 30
    chart.content.set_marks([Mark("note", 31, "why", own=True)])
    assert chart.notes.step() == 31
    with qtbot.waitSignal(chart.notes.requested) as told:
        assert chart.notes.ask()
    assert told.args == [31]
    chart.content.change(draw="bars")
    assert not chart.notes.ask()


# What the reader does ------------------------------------------------------------------------------


def test_that_an_edit_of_the_spec_is_shown_and_told(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.arange(1.0, 101.0)), spec=LOSS)
    with qtbot.waitSignals([chart.renderer.drawn, chart.edits.spec_changed]):
        chart.edits.change(log_y=True)
    assert chart.ranges.y.shown[1] == 2.0
    chart.plot.y_requested.emit(0.0, 1.0)
    assert chart.content.spec.y_range == (1.0, 10.0)
    chart.edits.fit_y()
    assert chart.content.spec.y_range is None


def test_that_a_row_is_pressed_only_where_it_is_a_button(qtbot: QtBot) -> None:
    rows = [logged(f"norm/layer{n}", np.arange(1.0, 11.0)) for n in range(3)]
    chart = shown(qtbot, *rows, spec=LAYERS)
    chart.plot.left_hovered.emit(1.5)
    assert not chart.rows.press()
    chart.rows.set_buttons(True, "Look at {value}")
    chart.plot.left_hovered.emit(1.5)
    assert chart.plot.viewport().toolTip() == "Look at 1"
    with qtbot.waitSignal(chart.rows.clicked) as told:
        assert chart.rows.press()
    assert told.args == ["1"]
    chart.plot.left_hovered.emit(None)
    assert not chart.rows.press()


def test_that_keys_zoom_and_pan_by_parts_of_the_window(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.arange(81.0)), spec=LOSS)
    QTest.keyClick(chart, Qt.Key.Key_Plus)
    assert chart.ranges.x.shown == (10.0, 70.0)
    QTest.keyClick(chart, Qt.Key.Key_Left)
    assert chart.ranges.x.shown == (4.0, 64.0)
    QTest.keyClick(chart, Qt.Key.Key_Home)
    assert chart.ranges.x.shown == (0.0, 80.0)


def test_that_the_pointer_reads_the_chart_and_leaves_nothing_behind(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.arange(101.0)), spec=LOSS)
    point(chart, 0.5)
    assert chart.pointer.tip_text().startswith("step 50")
    chart.content.change(draw="bars")
    assert chart.pointer.tip_text() == ""
    assert chart.crosshair.x is None


def test_that_an_x_is_found_on_the_card_where_the_pointer_reads_it(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", np.arange(101.0)), spec=LOSS)
    place = chart.plot.mapFrom(chart, chart.parts.point_at(25.0))
    assert chart.plot.pixels.x_at(QPointF(place)) == pytest.approx(25.0, abs=0.5)
    QApplication.processEvents()


def test_that_the_header_has_a_tag_and_a_pencil_only_when_told(qtbot: QtBot) -> None:
    chart = shown(qtbot, logged("loss", [1.0]), spec=LOSS)
    header = chart.header
    assert header.tag.isHidden()
    assert header.edit.isHidden()
    header.set_tag("hidden")
    header.set_editable()
    assert (header.tag.text(), header.tag.isVisible(), header.edit.isVisible()) == ("hidden", True, True)
    header.set_tag("")
    assert header.tag.isHidden()
