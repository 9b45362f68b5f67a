"""The tables of sources by mouse and keys: search, sort, copy, and updates while they are in sight."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from helm_desktop.model.run.session import Session
from helm_desktop.theme import ThemeManager
from helm_desktop.views.sources import SourcesPage
from helm_desktop.views.sources.table import SourceTable
from helm_desktop.widgets.tab_order import stops
from helpers.board import logged as many_logged
from helpers.sources import EVERY_TEN, by_hand, logged

LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def page(qtbot: QtBot, theme: ThemeManager) -> SourcesPage:
    """In sight, with the run made by hand."""
    made = SourcesPage()
    qtbot.addWidget(made)
    made.resize(1280, 760)
    session = Session("folder", made)
    session.apply(by_hand())
    made.set_session(session)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    return made


def cells(table: SourceTable[Any], column: int = 0) -> list[str]:
    """One column as it is shown."""
    return [str(table.rows.index(row, column).data()) for row in range(table.rows.rowCount())]


def click_header(table: SourceTable[Any], title: str) -> None:
    """The mouse on a column's title."""
    number = [column.title for column in table.rows.columns].index(title)
    header = table.list.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(number) + 12, header.height() // 2)
    QTest.mouseClick(header.viewport(), LEFT, pos=place)


def test_that_keys_lead_from_table_to_table(page: SourcesPage) -> None:
    page.show_chapter()
    assert page.list.hasFocus()
    assert page.streams.isVisible()
    assert page.streams.said.text() == "5 streams"
    QTest.keyClick(page.list, Qt.Key.Key_Down)
    assert page.controls.isVisible()
    assert cells(page.controls) == ["lr", "set_mixture"]
    QTest.keyClick(page.list, Qt.Key.Key_Down)
    assert cells(page.processes) == ["rank-0", "rank-1"]


def test_that_tab_leads_to_the_search_and_the_rows_and_all_have_names(page: SourcesPage) -> None:
    table = page.streams
    assert stops(page._side) == [page.list, page.done]
    assert stops(page._stack) == [table.search, table.list]
    for widget in (page, page.list, table, table.search, table.list):
        assert widget.accessibleName()
    index = table.rows.index(2, 2)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "Spacing: every 10 steps"


def test_that_a_search_leaves_what_has_its_words(page: SourcesPage) -> None:
    QTest.keyClicks(page.streams.search, "loss rank-1")
    assert cells(page.streams) == ["train/loss"]
    assert cells(page.streams, 1) == ["rank-1"]
    assert page.streams.said.text() == "1 of 5 streams"
    QTest.keyClicks(page.streams.search, "zz")
    assert cells(page.streams) == []
    assert page.streams.none.isVisible()
    assert page.streams.none.text().startswith("No stream matches “loss rank-1zz”.")
    QTest.keyClick(page.streams.search, Qt.Key.Key_Escape)
    assert len(cells(page.streams)) == 5
    assert not page.streams.none.isVisible()


def test_that_titles_sort_and_what_is_not_known_stays_last(page: SourcesPage) -> None:
    table = page.streams
    click_header(table, "Spacing")
    up = cells(table, 2)
    assert up == ["every step", "every 5 steps", "every 10 steps", "one step so far", "no points yet"]
    click_header(table, "Spacing")
    down = cells(table, 2)
    assert down == ["every 10 steps", "every 5 steps", "every step", "one step so far", "no points yet"]


def test_that_return_sorts_by_the_column_the_keys_are_in(page: SourcesPage) -> None:
    table = page.streams
    table.list.setFocus(Qt.FocusReason.TabFocusReason)
    assert table.list.currentIndex().row() == 0
    for _ in range(4):
        QTest.keyClick(table.list, Qt.Key.Key_Right)
    QTest.keyClick(table.list, Qt.Key.Key_Return)
    assert cells(table, 4) == ["0", "1", "11", "20", "101"]
    QTest.keyClick(table.list, Qt.Key.Key_Return)
    assert cells(table, 4) == ["101", "20", "11", "1", "0"]
    header = [table.rows.headerData(at, Qt.Orientation.Horizontal) for at in range(5)]
    assert header == ["Name", "Written by", "Spacing", "Last write", "Points ↓"]
    said = table.rows.headerData(4, Qt.Orientation.Horizontal, Qt.ItemDataRole.AccessibleTextRole)
    assert said == "Points, largest first"


def test_that_a_row_is_copied_by_keys_and_by_menu(page: SourcesPage) -> None:
    table = page.streams
    QTest.mouseClick(table.list.viewport(), LEFT, pos=table.list.visualRect(table.rows.index(2, 1)).center())
    QTest.keyClick(table.list, Qt.Key.Key_C, CONTROL)
    copied = QApplication.clipboard().text().split("\t")
    assert copied[:3] == [EVERY_TEN, "rank-0", "every 10 steps"]
    assert copied[4:] == ["11", "0", "0"]
    QTest.keyClick(table.list, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    QApplication.clipboard().clear()
    menu = table.menu()
    menu.popup(QPoint(10, 10))
    QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    lines = QApplication.clipboard().text().splitlines()
    assert [line.split("\t")[0] for line in lines] == [EVERY_TEN, "eval/score"]


def test_that_what_is_chosen_stays_chosen_as_rows_move_and_come(page: SourcesPage, qtbot: QtBot) -> None:
    table, session = page.streams, page._session
    assert session is not None
    table.sort_by(4)
    table.list.setCurrentIndex(table.rows.index(0, 0))
    table.list.selectionModel().select(
        table.rows.index(0, 0),
        QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows,
    )
    assert table.list.currentIndex().data() == "eval/later"
    session.apply([logged("eval/later", range(50), number=4), logged("new", [1], number=5)])
    qtbot.waitUntil(lambda: table.rows.rowCount() == 6, timeout=5000)
    assert table.list.currentIndex().data() == "eval/later"
    assert [index.row() for index in table.list.selectionModel().selectedRows()] == [4]
    assert cells(table, 4) == ["1", "1", "11", "20", "50", "101"]


def test_that_nothing_is_read_while_it_is_hidden(page: SourcesPage, qtbot: QtBot) -> None:
    session = page._session
    assert session is not None
    page.hide()
    assert not page._clock.isActive()
    session.apply([logged("new", [1], number=5)])
    assert page.streams.rows.total == 5
    page.show()
    assert page.streams.rows.total == 6
    page.hide()


def test_that_an_empty_table_says_what_would_fill_it(qtbot: QtBot, theme: ThemeManager) -> None:
    page = SourcesPage()
    qtbot.addWidget(page)
    page.show()
    assert page.streams.empty.accessibleName() == "No run is open"
    page.set_session(Session("folder", page))
    assert page.streams.empty.isVisible()
    assert page.streams.empty.accessibleName() == "No streams yet"
    assert "the script logs" in page.streams.empty.accessibleDescription()
    assert not page.streams.list.isVisible()
    assert page.tables["Controls"].empty.accessibleName() == "No controls yet"


def test_that_another_run_is_shown_from_its_start(page: SourcesPage) -> None:
    QTest.keyClicks(page.streams.search, "loss")
    other = Session("other", page)
    other.apply([logged("a", [0, 3, 6])])
    page.set_session(other)
    assert page.streams.search.text() == ""
    assert cells(page.streams) == ["a"]
    assert cells(page.streams, 2) == ["every 3 steps"]


def test_that_12_345_streams_are_searched_and_sorted(page: SourcesPage, qtbot: QtBot) -> None:
    session = Session("many", page)
    session.apply([many_logged([f"block/layer{at}/value" for at in range(12_345)])])
    page.set_session(session)
    assert page.streams.said.text() == "12,345 streams"
    QTest.keyClicks(page.streams.search, "layer1234")
    assert cells(page.streams) == [
        "block/layer1234/value",
        *(f"block/layer1234{at}/value" for at in range(5)),
    ]
    page.streams.search.clear()
    for column in range(len(page.streams.rows.columns)):
        page.streams.sort_by(column)
    assert page.streams.rows.rowCount() == 12_345
    assert cells(page.streams, 4)[0] == "50"
    assert not page.grab().isNull()
