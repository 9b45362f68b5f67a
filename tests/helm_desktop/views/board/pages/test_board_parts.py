"""The parts of the board: pages, the chart in focus, the search, the shared window, one chart alone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from helm_desktop.model.run.session import Session
from helm_desktop.theme import ThemeManager
from helm_desktop.views.board.pages.board import BoardView
from helm_desktop.views.board.pages.gesture import EditGesture
from helpers.board import STEPS, logged

NAMES = ["train/a", "train/b", "eval/c"]


@pytest.fixture
def board(qtbot: QtBot, theme: ThemeManager) -> BoardView:
    """The board of a run with three streams, drawn."""
    made = BoardView()
    qtbot.addWidget(made)
    made.resize(1000, 860)
    made.show()
    session = Session("folder", made)
    made.set_session(session)
    session.apply([logged(NAMES)])
    qtbot.waitUntil(lambda: made.cells.drawn and len(list(made.charts)) == 3)
    return made


def test_that_pages_know_what_they_show_and_what_is_hidden(board: BoardView) -> None:
    (page,) = board.pages.shown
    assert set(page.charts) == set(NAMES)
    board.edits.charts.do("train/b", "hide")
    assert set(board.pages.shown[0].charts) == {"train/a", "eval/c"}
    assert board.pages.of_chart("train/b") is None
    board.pages.show_hidden(True)
    assert board.pages.of_chart("train/b") is board.pages.shown[0]


def test_that_pages_wrap_around_and_report_the_one_in_front(board: BoardView, qtbot: QtBot) -> None:
    first = board.pages.current
    board.edits.pages.add()
    assert board.pages.current is not first
    with qtbot.waitSignal(board.pages.turned) as told:
        board.pages.step(1)
    assert told.args == [first]
    assert board.pages.current is first


def test_that_the_current_chart_is_the_one_that_had_the_focus(board: BoardView, qtbot: QtBot) -> None:
    assert board.current.id == ""
    with qtbot.waitSignal(board.current.changed):
        board.current.show("eval/c")
    assert board.current.id == "eval/c"
    board.edits.charts.do_current("delete")
    assert board.current.id == ""


def test_that_the_search_filters_and_counts_and_enter_goes_to_the_first(board: BoardView) -> None:
    board.search.open()
    QTest.keyClicks(board.head.search, "train")
    assert board.search.active
    assert set(board.pages.shown[0].charts) == {"train/a", "train/b"}
    assert board.head._found.text() == "2 of 3 charts"
    QTest.keyClick(board.head.search, Qt.Key.Key_Return)
    assert board.current.id == "train/a"


def test_that_one_chart_fills_the_board_until_it_is_left_or_gone(board: BoardView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(board.full.entered):
        board.full.toggle("train/a")
    assert board.full.chart_id == "train/a"
    assert board.head.isHidden()
    with qtbot.waitSignal(board.full.left):
        board.edits.charts.do("train/a", "delete")
    assert board.full.chart_id == ""
    assert board.head.isVisible()
    board.full.toggle("no such chart")
    assert board.full.chart_id == ""


def test_that_a_zoom_is_shared_by_charts_over_the_same_axis(board: BoardView, qtbot: QtBot) -> None:
    a, b, c = (board.charts.chart(name) for name in NAMES)
    assert a is not None
    assert b is not None
    assert c is not None
    board.model.set_spec("eval/c", board.model.chart("eval/c").spec.with_(x="wall"))
    with qtbot.waitSignal(board.charts.window.zoom_changed):
        a.ranges.zoom(10.0, 20.0)
    b.renderer.refresh()
    assert b.ranges.x.shown == (10.0, 20.0)
    assert c.ranges.x.follows
    assert board.charts.window.zoom == (10.0, 20.0)
    board.charts.window.show_step(40)
    b.renderer.refresh()
    assert b.ranges.x.shown == (35.0, 45.0)
    assert a.crosshair.step == 40
    board.charts.window.follow()
    assert board.charts.window.zoom is None
    assert all(chart.ranges.x.follows for chart in (a, b))


def test_that_a_zoom_ends_where_the_board_has_another_axis(board: BoardView) -> None:
    a = board.charts.chart("train/a")
    assert a is not None
    a.ranges.zoom(10.0, 20.0)
    board.edits.set_x("wall")
    assert board.charts.window.zoom is None


def test_that_a_run_updates_its_own_charts_only(board: BoardView) -> None:
    assert set(board.charts.feeds.ids()) == set(NAMES)
    session = board.session
    assert session is not None
    chart = board.charts.chart("train/a")
    assert chart is not None
    chart.renderer.refresh()
    session.apply([logged(["train/a"], seq=2, count=STEPS)])
    assert chart.renderer.dirty
    board.set_session(None)
    assert board.charts.feeds.ids() == []
    assert list(board.charts) == []
    chart.renderer.dirty = False
    session.apply([logged(["train/a"], seq=3, count=STEPS)])
    assert not chart.renderer.dirty


def test_that_each_gesture_has_a_number_of_its_own() -> None:
    one, other = EditGesture(), EditGesture()
    assert one.number == 0
    one.begin()
    other.begin()
    assert 0 < one.number < other.number
