"""The board of a run: pages, sections, charts in sight, and what they share."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from helm_desktop.model.run.session import Session
from helm_desktop.theme import ThemeManager
from helm_desktop.views.board.chart.chart import ChartView
from helm_desktop.views.board.pages.board import BoardView
from helm_desktop.views.board.pages.grid import GAP, columns_in, place
from helm_sdk.protocol.messages import Batch, Catalogue, Event
from helpers.board import STEPS, logged
from helpers.updates import batch_update


@pytest.fixture
def board(qtbot: QtBot, theme: ThemeManager) -> BoardView:
    """A board without a run, as wide as in a window of 1600 pixels."""
    made = BoardView()
    qtbot.addWidget(made)
    made.resize(1000, 860)
    made.show()
    return made


def session_on(board: BoardView, names: list[str]) -> Session:
    """Return an open run with these streams."""
    session = Session("folder", board)
    board.set_session(session)
    session.apply([logged(names)])
    return session


def built(board: BoardView) -> list[ChartView]:
    """Return the charts that are built."""
    return list(board.charts)


def test_that_the_grid_fills_the_width_in_as_many_columns_as_fit() -> None:
    assert [columns_in(width) for width in (200, 600, 640, 960, 1900)] == [1, 1, 2, 3, 6]
    spots = [place(number, 960) for number in range(5)]
    assert [spot.y() for spot in spots] == [0, 0, 0, spots[3].y(), spots[3].y()]
    assert spots[2].right() == 959
    assert spots[1].left() - spots[0].right() - 1 == GAP


def test_that_every_chart_in_sight_is_built_and_has_every_point(board: BoardView, qtbot: QtBot) -> None:
    session_on(board, [f"train/m{number}" for number in range(7)])
    qtbot.waitUntil(lambda: board.cells.drawn)
    facts = board.chart_reports()
    assert [chart.points for chart in facts] == [STEPS] * 7
    assert [chart.drawn_points for chart in facts] == [STEPS] * 7
    assert all(chart.visible for chart in facts)
    assert facts[0].section == "train"


def test_that_of_many_charts_only_those_in_sight_are_built(board: BoardView, qtbot: QtBot) -> None:
    session_on(board, [f"a/{number}" for number in range(200)])
    qtbot.waitUntil(lambda: board.cells.drawn)
    assert 10 <= len(built(board)) <= 30
    page = board.pages.current
    assert page is not None
    page.verticalScrollBar().setValue(page.verticalScrollBar().maximum())
    qtbot.waitUntil(lambda: bool([c for c in board.chart_reports() if c.title == "a/199" and c.in_view]))


def test_that_twelve_thousand_charts_make_no_more_widgets_than_are_in_sight(
    board: BoardView, qtbot: QtBot
) -> None:
    session_on(board, [f"a/{number}" for number in range(12_345)])
    qtbot.waitUntil(lambda: board.cells.drawn)
    assert len(board.findChildren(QWidget)) < 1500
    page = board.pages.current
    assert page is not None
    for share in (0.5, 1.0):
        page.verticalScrollBar().setValue(round(page.verticalScrollBar().maximum() * share))
        qtbot.waitUntil(lambda: board.cells.drawn)
    assert [chart.title for chart in board.chart_reports() if chart.in_view][-1] == "a/12344"


def test_that_pages_are_changed_by_key_and_by_click(board: BoardView, qtbot: QtBot) -> None:
    session_on(board, [f"a/{number}" for number in range(30)] + [f"b/{number}" for number in range(20)])
    assert [board.head.tabs.tabText(number) for number in range(board.head.tabs.count())] == ["a", "b"]
    board.pages.step(1)
    assert board.head.tabs.currentIndex() == 1
    qtbot.waitUntil(lambda: board.cells.drawn)
    assert {chart.page for chart in board.chart_reports() if chart.visible} == {"b"}
    QTest.mouseClick(board.head.tabs, Qt.MouseButton.LeftButton, pos=board.head.tabs.tabRect(0).center())
    assert board.head.tabs.currentIndex() == 0


def test_that_a_folded_section_draws_nothing_and_stays_folded(board: BoardView, qtbot: QtBot) -> None:
    names = [f"a/{number}" for number in range(10)] + [f"b/{number}" for number in range(10)]
    session = session_on(board, names)
    qtbot.waitUntil(lambda: board.cells.drawn)
    board.edits.sections.fold_all(True)
    assert not any(chart.visible for chart in board.chart_reports())
    session.apply([logged([*names, "c/0"], 2)])
    assert not any(chart.visible for chart in board.chart_reports() if not chart.title.startswith("c"))
    board.edits.sections.fold_all(False)
    qtbot.waitUntil(lambda: any(chart.visible for chart in board.chart_reports()))


def test_that_zoom_and_crosshair_are_shared(board: BoardView, qtbot: QtBot) -> None:
    session_on(board, ["train/a", "train/b", "train/c"])
    qtbot.waitUntil(lambda: board.cells.drawn)
    one, two, _ = built(board)
    one.ranges.zoomed.emit(10.0, 20.0)
    qtbot.waitUntil(lambda: two.ranges.x.shown == (10.0, 20.0))
    assert not two.ranges.x.follows
    back = board.head.pills.range
    assert back.text() == "step 10 to 20 ×"
    QTest.mouseClick(back, Qt.MouseButton.LeftButton)
    assert two.ranges.x.follows
    assert back.text() == "whole run"


def test_that_the_plan_is_drawn_on_the_rate_alone_and_marks_on_all(board: BoardView, qtbot: QtBot) -> None:
    session = session_on(board, ["optim/lr/group0", "train/loss"])
    qtbot.waitUntil(lambda: board.cells.drawn)
    curve = {"stream": "optim/lr/group0", "steps": [0, 600], "values": [3e-3, 0.0]}
    plan = Catalogue(kind="plan", revision=1, body={"step": 600, "curves": [curve]})
    event = Event(id=1, kind="checkpoint", time=1.0, step=30, body={})
    session.apply(
        [batch_update(Batch(process="rank-0", attempt=1, seq=2, catalogues=(plan,), events=(event,)))]
    )
    qtbot.waitUntil(lambda: board.cells.drawn)
    charts = {chart.content.title: chart for chart in built(board)}
    assert (
        charts["optim/lr/group0"].ranges.x.shown[1] == 599
        or charts["optim/lr/group0"].ranges.x.shown[1] >= 600
    )
    assert charts["train/loss"].ranges.x.shown[1] < 100
    assert [mark.step for mark in session.marks.all()] == [30]


def test_that_one_chart_fills_the_board_and_returns_to_its_cell(board: BoardView, qtbot: QtBot) -> None:
    session_on(board, ["train/a", "train/b"])
    qtbot.waitUntil(lambda: board.cells.drawn)
    chart = built(board)[0]
    small = chart.width()
    chart.full_requested.emit()
    qtbot.waitUntil(lambda: chart.width() > 2 * small)
    QTest.keyClick(chart, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: chart.width() == small)
    assert chart.isVisible()


def test_that_another_run_takes_the_place_of_the_first(board: BoardView, qtbot: QtBot) -> None:
    session_on(board, ["train/a", "train/b"])
    qtbot.waitUntil(lambda: board.cells.drawn)
    session_on(board, ["loss"])
    qtbot.waitUntil(lambda: board.cells.drawn)
    assert [chart.title for chart in board.chart_reports()] == ["loss"]
    board.set_session(None)
    assert board.chart_reports() == []


def test_that_a_board_without_charts_explains_why(board: BoardView) -> None:
    assert board.empty.title == "No run is open"
    board.set_session(Session("folder", board))
    assert board.empty.title == "No points yet"
