"""The board arranged by mouse and keys: charts, sections, pages, pills and the search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from helm_desktop.controllers.board import BoardController
from helm_desktop.controllers.current_run import CurrentRun
from helm_desktop.model.run.session import Session
from helm_desktop.storage.storage_thread import Storage
from helm_desktop.theme import ThemeManager
from helm_desktop.views.board.pages.board import BoardView
from helm_desktop.views.board.pages.cell import ChartCell
from helm_desktop.views.board.pages.menus import page_menu, section_menu
from helm_desktop.views.metrics import MetricsView
from helpers.board import logged

NAMES = [f"train/m{n}" for n in range(8)] + [f"optim/m{n}" for n in range(6)]
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def board(qtbot: QtBot, theme: ThemeManager) -> BoardView:
    """A board with two sections of charts, three columns wide."""
    made = BoardView()
    qtbot.addWidget(made)
    made.resize(1000, 1400)
    made.show()
    session = Session("folder", made)
    made.set_session(session)
    session.apply([logged(NAMES)])
    qtbot.waitUntil(lambda: made.cells.drawn)
    return made


def cell_of(board: BoardView, name: str) -> ChartCell:
    """Return the cell of a chart."""
    cell = board.cells.get(name)
    assert cell is not None
    return cell


def drag(widget: QWidget, start: QPoint, target: QWidget, end: QPoint) -> None:
    """Press, move in ten steps and release; the ends are points of the screen."""
    came, goes = widget.mapToGlobal(start), target.mapToGlobal(end)
    QTest.mousePress(widget, LEFT, pos=start)
    for part in range(1, 11):
        QTest.mouseMove(widget, widget.mapFromGlobal(came + (goes - came) * part / 10))
    QTest.mouseRelease(widget, LEFT, pos=widget.mapFromGlobal(goes))


def sections(board: BoardView) -> dict[str, tuple[str, ...]]:
    """Return the charts of each section of the page in front."""
    page = next(page for page in board.pages.shown if page.id == board.head.tabs.current_page)
    return {section.title: section.charts for section in page.sections}


def undo(board: BoardView) -> None:
    """Undo the last edit."""
    board.model.stack.undo()


def test_that_a_chart_dragged_by_its_title_is_moved_to_the_drop(board: BoardView) -> None:
    cell, target = cell_of(board, "train/m4"), cell_of(board, "train/m1")
    assert cell.chart is not None
    drag(cell, QPoint(40, 10), target, QPoint(30, 90))
    assert sections(board)["train"][:3] == ("train/m0", "train/m4", "train/m1")
    assert cell_of(board, "train/m4").geometry().left() > cell_of(board, "train/m0").geometry().left()
    undo(board)
    assert sections(board)["train"] == tuple(NAMES[:8])


def test_that_a_chart_is_dragged_into_another_section_and_escape_cancels(board: BoardView) -> None:
    cell, target = cell_of(board, "train/m0"), cell_of(board, "optim/m0")
    QTest.mousePress(cell, LEFT, pos=QPoint(40, 10))
    QTest.mouseMove(cell, QPoint(80, 60))
    assert board.edits.charts.drag.under_way
    QTest.keyClick(cell, Qt.Key.Key_Escape)
    assert not board.edits.charts.drag.under_way
    QTest.mouseRelease(cell, LEFT, pos=QPoint(80, 60))
    assert board.model.is_default
    drag(cell, QPoint(40, 10), target, QPoint(20, 60))
    assert sections(board)["optim"][0] == "train/m0"
    assert len(sections(board)["train"]) == 7


def test_that_the_corner_resizes_in_columns_and_rows_as_one_edit(board: BoardView, qtbot: QtBot) -> None:
    cell = cell_of(board, "train/m0")
    grip, small = cell.grip, cell.size()
    middle = grip.rect().center()
    drag(grip, middle, grip, middle + QPoint(small.width(), small.height()))
    chart = board.model.chart("train/m0")
    assert (chart.columns, chart.rows) == (2, 2)
    assert cell.width() > 1.9 * small.width()
    assert cell.height() > 1.9 * small.height()
    assert board.model.stack.count() == 1
    undo(board)
    assert cell.size() == small


def test_that_keys_pin_hide_duplicate_and_delete(board: BoardView, qtbot: QtBot) -> None:
    board.current.show("train/m2")
    chart = board.charts.chart("train/m2")
    assert chart is not None
    QTest.keyClick(chart, Qt.Key.Key_P)
    assert sections(board)["Pinned"] == ("train/m2",)
    board.current.show("train/m2")
    QTest.keyClick(chart, Qt.Key.Key_D)
    assert len(sections(board)["Pinned"]) == 2, "a copy is like the chart"
    board.current.show("train/m3")
    third = board.charts.chart("train/m3")
    assert third is not None
    QTest.keyClick(third, Qt.Key.Key_H)
    assert "train/m3" not in sections(board)["train"]
    board.pages.show_hidden(True)
    assert "train/m3" in sections(board)["train"]
    board.pages.show_hidden(False)
    board.current.show("train/m5")
    fifth = board.charts.chart("train/m5")
    assert fifth is not None
    QTest.keyClick(fifth, Qt.Key.Key_Delete)
    assert "train/m5" not in sections(board)["train"]
    for _ in range(4):
        undo(board)
    assert board.model.is_default
    assert sections(board)["train"] == tuple(NAMES[:8])


def test_that_arrows_move_the_chart_in_focus_into_the_next_section(board: BoardView) -> None:
    board.current.show("train/m7")
    board.edits.charts.move_current(1)
    assert sections(board)["optim"][0] == "train/m7"
    board.edits.charts.move_current(-1)
    assert sections(board)["train"][-1] == "train/m7"
    board.edits.charts.move_current(-1)
    assert sections(board)["train"][-2:] == ("train/m7", "train/m6")
    board.edits.charts.resize_current(1, 1)
    assert (board.model.chart("train/m7").columns, board.model.chart("train/m7").rows) == (2, 2)


def type_title(text: str) -> None:
    """Type a title into the open field and press Return."""
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def action(menu: QMenu, text: str) -> QAction:
    """Return the entry of a menu that begins with a text."""
    return next(one for one in menu.actions() if one.text().startswith(text))


def test_that_pages_are_added_renamed_dragged_and_deleted(board: BoardView, qtbot: QtBot) -> None:
    QTest.mouseClick(board.head.plus, LEFT)
    qtbot.waitUntil(lambda: isinstance(QApplication.focusWidget(), QLineEdit))
    type_title("Mine")
    tabs = board.head.tabs
    assert [tabs.tabText(at) for at in range(tabs.count())] == ["Overview", "Mine"]
    assert tabs.currentIndex() == 1
    QTest.mouseDClick(tabs, LEFT, pos=tabs.tabRect(0).center())
    type_title("All of it")
    assert tabs.tabText(0) == "All of it"
    drag(tabs, tabs.tabRect(1).center(), tabs, QPoint(4, tabs.height() // 2))
    qtbot.waitUntil(lambda: [page.title for page in board.model.pages] == ["Mine", "All of it"])
    undo(board)
    assert [tabs.tabText(at) for at in range(tabs.count())] == ["All of it", "Mine"]
    menu = page_menu(board.parts, board.edits, board.model.pages[1].id)
    action(menu, "Delete").trigger()
    assert tabs.count() == 1
    menu.close()


def test_that_a_chart_is_dragged_to_another_page_over_its_tab(board: BoardView, qtbot: QtBot) -> None:
    QTest.mouseClick(board.head.plus, LEFT)
    type_title("Mine")
    board.head.tabs.setCurrentIndex(0)
    qtbot.waitUntil(lambda: board.cells.drawn)
    cell = cell_of(board, "train/m0")
    QTest.mousePress(cell, LEFT, pos=QPoint(40, 10))
    over = cell.mapFromGlobal(board.head.tabs.mapToGlobal(board.head.tabs.tabRect(1).center()))
    for place in (QPoint(60, 30), over, over + QPoint(1, 0)):
        QTest.mouseMove(cell, place)
    qtbot.waitUntil(lambda: board.head.tabs.currentIndex() == 1)
    page = board.pages.current
    assert page is not None
    qtbot.waitUntil(page.isVisible)
    page.layout_now()
    grid = page.sections[0].grid
    end = cell.mapFromGlobal(grid.mapToGlobal(QPoint(100, 20)))
    QTest.mouseMove(cell, end)
    QTest.mouseRelease(cell, LEFT, pos=end)
    assert sections(board) == {"Charts": ("train/m0",)}


def test_that_sections_are_renamed_merged_folded_and_deleted(board: BoardView, qtbot: QtBot) -> None:
    page = board.pages.current
    assert page is not None
    train, optim = (section.id for section in page.sections)
    menu = section_menu(board.parts, board.edits.sections, train)
    action(menu, "Rename").trigger()
    type_title("Loss")
    menu.close()
    assert list(sections(board)) == ["Loss", "optim"]
    QTest.mouseClick(page.sections[1].button, LEFT)
    assert board.model.layout.folded == (optim,)
    undo(board)
    assert not page.sections[1].is_folded
    menu = section_menu(board.parts, board.edits.sections, optim)
    action(menu, "Merge").trigger()
    menu.close()
    assert {title: len(charts) for title, charts in sections(board).items()} == {"Loss and optim": 14}
    undo(board)
    menu = section_menu(board.parts, board.edits.sections, optim)
    action(menu, "Delete").trigger()
    menu.close()
    assert list(sections(board)) == ["Loss"]
    undo(board)
    undo(board)
    assert board.model.is_default


def test_that_pills_choose_x_and_smoothing_for_every_chart(board: BoardView, qtbot: QtBot) -> None:
    pills = board.head.pills
    QTest.mouseClick(pills.smoothing, LEFT)
    slider = pills.popover.slider
    qtbot.waitUntil(slider.isVisible)
    QTest.keyClick(slider, Qt.Key.Key_PageUp)
    QTest.keyClick(slider, Qt.Key.Key_PageUp)
    weight = board.model.layout.smoothing
    assert weight > 0
    assert pills.smoothing.text() == f"smoothing {weight:g}"
    assert {chart.content.spec.smoothing for chart in board.charts} == {weight}
    assert board.model.stack.count() == 1, "one slide is one edit"
    pills.popover.hide()
    menu = pills.x_menu()
    action(menu, "Relative").trigger()
    menu.close()
    assert pills.axis.text() == "x: relative time"
    assert {chart.content.spec.x for chart in board.charts} == {"relative"}
    undo(board)
    undo(board)
    assert pills.smoothing.text() == "smoothing off"
    assert {(chart.content.spec.x, chart.content.spec.smoothing) for chart in board.charts} == {("step", 0.0)}


def test_that_what_a_reader_changes_on_a_chart_is_kept_with_the_board(board: BoardView) -> None:
    board.edits.set_smoothing(0.5)
    chart = board.charts.chart("train/m0")
    assert chart is not None
    QTest.keyClick(chart, Qt.Key.Key_L)
    kept = board.model.chart("train/m0").spec
    assert (kept.log_y, kept.smoothing) == (True, 0.0), "the board's smoothing is not the chart's"
    undo(board)
    assert not chart.content.spec.log_y


def test_that_charts_are_found_by_words_and_by_an_expression(board: BoardView, qtbot: QtBot) -> None:
    board.search.open()
    QTest.keyClicks(board.head.search, "OPTIM 3")
    assert sections(board) == {"optim": ("optim/m3",)}
    qtbot.waitUntil(lambda: board.cells.drawn)
    board.head.search.clear()
    QTest.mouseClick(board.head.finding.regex, LEFT)
    QTest.keyClicks(board.head.search, "m[01]$")
    assert sections(board) == {"train": ("train/m0", "train/m1"), "optim": ("optim/m0", "optim/m1")}
    QTest.keyClicks(board.head.search, "(")
    assert "is no regular expression" in board.head.search.accessibleDescription()
    board.head.search.setText("nothing at all")
    assert board.empty.title == "No chart was found"
    board.head.search.setText("im/m3")
    QTest.keyClick(board.head.search, Qt.Key.Key_Return)
    assert board.current.id == "optim/m3"
    chart = board.charts.chart("optim/m3")
    assert chart is not None
    qtbot.waitUntil(chart.hasFocus)
    QTest.keyClick(board.head.search, Qt.Key.Key_Escape)
    QTest.keyClick(board.head.search, Qt.Key.Key_Escape)
    assert not board.head.searching
    assert len(board.chart_reports()) == 14


def test_that_a_board_is_exported_and_loaded_as_an_edit(
    board: BoardView, tmp_path: Path, storage: Storage
) -> None:
    commands = BoardController(CurrentRun(board), board, MetricsView(board), None, storage, board)
    board.edits.charts.do("train/m0", "pin")
    path = tmp_path / "board.json"
    commands.save_to(str(path))
    assert storage.finish()
    plain = json.loads(path.read_text())
    assert plain["helm_board"] == 1
    assert plain["board"]["pages"][0]["title"] == "Overview"
    undo(board)
    commands.load_from(str(path))
    assert storage.finish()
    assert board.model.chart("train/m0").pinned
    undo(board)
    assert board.model.is_default
    said: list[str] = []
    commands.notified.connect(said.append)
    path.write_text("{}")
    commands.load_from(str(path))
    assert storage.finish()
    assert "holds no board" in said[-1]


def test_that_metrics_dropped_beside_the_charts_make_one(board: BoardView, qtbot: QtBot) -> None:
    made = board.edits.charts.add_metrics(["train/m{n}"])
    board.current.show(made)
    chart = board.charts.chart(made)
    assert chart is not None
    assert len(chart.content.series) == 8
    board.edits.charts.add_series("optim/m0", ["optim/m1"])
    first = board.charts.chart("optim/m0")
    assert first is not None
    assert [series.name for series in first.content.series] == ["optim/m0", "optim/m1"]
