"""Which window a chart shows: following the data, staying, its own or the board's, with a draft in sight."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import QSize
from pytestqt.qtbot import QtBot

from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.theme import load_theme
from helm_desktop.views.board.chart.chart_ranges import ChartRanges
from helm_desktop.views.board.chart.x_range import DECADES
from helm_desktop.views.board.content.content import ChartContent
from helm_desktop.views.board.drawing.registry import drawing_of
from helpers.contents import content_of, series_of

LOSS = ChartSpec(series=("loss",))


def content(**parts: object) -> ChartContent:
    """A loss of a hundred points from 10 up to 1000."""
    return content_of(LOSS.with_(**parts), series_of("loss", [10.0 * (at + 1) for at in range(100)]))


def y_of(content: ChartContent, ranges: ChartRanges) -> tuple[float, float]:
    """The y range for what is drawn of x from 0 to 99."""
    drawing = drawing_of("lines", content)
    view = drawing.view((0.0, 99.0), QSize(300, 200), 1.0, load_theme("dark"))
    return ranges.y.choose(drawing, view, 200)


def test_that_x_follows_the_data_with_room_until_the_run_ends() -> None:
    made = content()
    x = ChartRanges(made).x
    assert x.choose((0.0, 99.0)) == (0.0, 99.0)
    assert x.choose((0.0, 100.0)) == (0.0, 125.0)
    made.set_live(False)
    assert x.choose((0.0, 100.0)) == (0.0, 100.0)


def test_that_x_covers_the_run_the_plan_and_a_draft() -> None:
    made = content()
    ranges = ChartRanges(made)
    ranges.set_reach(0.0, 300.0)
    assert ranges.x.choose((0.0, 99.0)) == (0.0, 300.0)
    assert ranges.x.now((0.0, 99.0)) == 300.0
    made.set_plan([0, 600], [1.0, 0.1])
    assert ranges.x.choose((0.0, 99.0)) == (0.0, 600.0)
    ranges.set_drafted((0.0, 1.0), 900.0)
    assert ranges.x.choose((0.0, 99.0)) == (0.0, 900.0)
    ranges.set_drafted(None)
    assert ranges.x.choose((0.0, 99.0)) == (0.0, 600.0)


def test_that_a_range_is_kept_until_the_run_is_followed_again(qtbot: QtBot) -> None:
    ranges = ChartRanges(content())
    with qtbot.waitSignal(ranges.changed):
        ranges.set_x(10.0, 20.0)
    assert ranges.x.choose((0.0, 500.0)) == (10.0, 20.0)
    assert not ranges.x.follows
    with qtbot.waitSignal(ranges.changed):
        ranges.set_follow()
    assert ranges.x.choose((0.0, 99.0)) == (0.0, 99.0)


def test_that_the_reader_is_shown_a_zoom_at_once_and_the_board_is_told(qtbot: QtBot) -> None:
    ranges = ChartRanges(content())
    order: list[str] = []
    ranges.chosen.connect(lambda: order.append("shown"))
    ranges.zoomed.connect(lambda a, b: order.append(f"told {a:g} {b:g}"))
    ranges.zoom(10.0, 20.0)
    assert order == ["shown", "told 10 20"]
    with qtbot.waitSignals([ranges.chosen, ranges.follow_requested]):
        ranges.follow()
    assert ranges.x.follows


def test_that_a_zoom_of_a_drawings_own_x_stays_with_the_chart(qtbot: QtBot) -> None:
    ranges = ChartRanges(content())
    ranges.x.own = True
    with qtbot.assertNotEmitted(ranges.zoomed), qtbot.waitSignal(ranges.chosen):
        ranges.zoom(1.0, 2.0)
    assert ranges.x.choose((0.0, 99.0)) == (1.0, 2.0)
    ranges.x.own = False
    assert ranges.x.choose((0.0, 99.0)) == (0.0, 99.0)


@pytest.mark.parametrize("ends", [(1.0, 1.0), (math.nan, 2.0), (1e300, 2e300)])
def test_that_a_range_that_cannot_be_drawn_is_left_out(qtbot: QtBot, ends: tuple[float, float]) -> None:
    ranges = ChartRanges(content())
    with qtbot.assertNotEmitted(ranges.chosen):
        ranges.zoom(*ends)
    assert ranges.x.follows


def test_that_another_x_begins_anew_and_another_way_to_draw_keeps_the_zoom() -> None:
    made = content()
    ranges = ChartRanges(made)
    ranges.set_x(10.0, 20.0)
    made.change(draw="heatmap")
    assert not ranges.x.follows
    made.change(x="wall")
    assert ranges.x.follows


def test_that_a_logarithmic_x_begins_above_zero_and_is_read_in_exponents() -> None:
    x = ChartRanges(content(log_x=True)).x
    low, high = x.choose((0.0, 99.0))
    assert (low, high) == (1.0, 99.0)
    assert x.to_axis((1.0, 100.0)) == (0.0, 2.0)
    assert x.from_axis((0.0, 2.0)) == (1.0, 100.0)
    x.own = True
    assert x.to_axis((1.0, 100.0)) == (1.0, 100.0)


def test_that_y_is_fitted_to_the_values_and_a_draft_is_in_sight() -> None:
    made = content()
    ranges = ChartRanges(made)
    low, high = y_of(made, ranges)
    assert low <= 10.0 < 1000.0 <= high < 2000.0
    ranges.set_drafted((0.0, 5000.0))
    assert y_of(made, ranges)[1] >= 5000.0


def test_that_y_by_hand_holds_and_is_in_exponents_on_a_logarithm() -> None:
    made = content(y_range=(2.0, 3.0))
    ranges = ChartRanges(made)
    assert y_of(made, ranges) == (2.0, 3.0)
    made.change(y_range=(0.0, 100.0), log_y=True)
    assert y_of(made, ranges) == (2.0 - DECADES, 2.0)
    ranges.lock_y((0.5, 0.7))
    assert y_of(made, ranges) == (0.5, 0.7)


def test_that_hiding_curves_fits_y_anew() -> None:
    made = content_of(
        ChartSpec(series=("a", "b")), series_of("a", [1.0] * 100), series_of("b", [900.0] * 100)
    )
    ranges = ChartRanges(made)
    assert y_of(made, ranges)[1] >= 900.0
    made.visibility.toggle(made.curves.all()[1].key)
    assert y_of(made, ranges)[1] < 900.0
