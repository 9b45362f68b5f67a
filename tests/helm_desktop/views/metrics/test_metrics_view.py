"""The metrics of the dock: families, facets, search, and the way to a chart by key and menu."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from helm_desktop.model.board.metric_drag import dragged
from helm_desktop.model.run.session import Session
from helm_desktop.theme import ThemeManager
from helm_desktop.views.metrics import MetricsView
from helm_desktop.views.metrics.tree import ValueRole
from helm_desktop.widgets import Pill
from helpers.board import logged

NAMES = ["train/loss", *(f"health/layer{n}/ratio" for n in (0, 2, 4)), "data/mix/web", "data/mix/code"]


@pytest.fixture
def view(qtbot: QtBot, theme: ThemeManager) -> MetricsView:
    """With a run that has logged a few names."""
    made = MetricsView()
    qtbot.addWidget(made)
    made.resize(340, 500)
    made.show()
    session = Session("folder", made)
    made.set_session(session)
    session.apply([logged(NAMES)])
    qtbot.waitUntil(lambda: made.model.total == len(NAMES))
    return made


def rows(view: MetricsView) -> list[str]:
    """The words and values of the top rows."""
    model = view.model
    indexes = [model.index(row, 0) for row in range(model.rowCount())]
    return [f"{index.data()} {index.data(ValueRole)}" for index in indexes]


def test_that_families_are_told_with_their_size_and_names_with_their_value(view: MetricsView) -> None:
    assert rows(view) == [
        "train/loss 49.0",
        "health/layer{layer}/ratio 3 names",
        "data/mix/web 49.0",
        "data/mix/code 49.0",
    ]
    family = view.model.index(1, 0)
    assert [view.model.index(row, 0, family).data() for row in range(3)] == ["layer 0", "layer 2", "layer 4"]
    view.tree.expand(family)
    assert not view.grab().isNull()


def test_that_a_search_by_words_and_by_an_expression_leaves_what_fits(view: MetricsView) -> None:
    QTest.keyClicks(view.search, "ratio 2")
    assert [row.names for row in view.model.rows] == [["health/layer2/ratio"]]
    assert view.tree.isExpanded(view.model.index(0, 0))
    view.search.clear()
    QTest.mouseClick(view.finding.regex, Qt.MouseButton.LeftButton)
    QTest.keyClicks(view.search, "layer[04]|loss$")
    assert [row.names for row in view.model.rows] == [
        ["train/loss"],
        ["health/layer0/ratio", "health/layer4/ratio"],
    ]
    QTest.keyClicks(view.search, "(")
    assert "no regular expression" in view.search.accessibleDescription()


def pills(view: MetricsView) -> list[str]:
    """The facets in sight."""
    return [pill.text() for pill in view.findChildren(Pill) if pill.isVisible()]


def test_that_a_facet_leaves_its_values(view: MetricsView, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: pills(view) == ["layer: all 3"])
    menu = view.facet_menu("layer", ["0", "2", "4"])
    menu.actions()[3].trigger()
    menu.close()
    assert [row.names for row in view.model.rows] == [["health/layer2/ratio"]]
    qtbot.waitUntil(lambda: pills(view) == ["layer: 2"])
    view.choose("layer", "")
    assert view.model.count == len(NAMES)


def test_that_tab_comes_to_the_first_row_and_goes_back_to_the_same(view: MetricsView, qtbot: QtBot) -> None:
    view.activateWindow()
    assert not view.tree.currentIndex().isValid()
    view.tree.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: view.tree.currentIndex() == view.model.index(0, 0))
    QTest.keyClick(view.tree, Qt.Key.Key_Down)
    view.search.setFocus()
    view.tree.setFocus(Qt.FocusReason.BacktabFocusReason)
    assert view.tree.currentIndex() == view.model.index(1, 0)


def test_that_enter_adds_to_the_chart_in_focus_and_with_shift_makes_one(
    view: MetricsView, qtbot: QtBot
) -> None:
    view.tree.setCurrentIndex(view.model.index(1, 0))
    with qtbot.waitSignal(view.add_requested) as added:
        QTest.keyClick(view.tree, Qt.Key.Key_Return)
    assert added.args == [["health/layer{layer}/ratio"]], "a whole family is its pattern"
    with qtbot.waitSignal(view.chart_requested) as made:
        QTest.keyClick(view.tree, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert made.args == added.args
    menu = view.menu()
    add = menu.actions()[0]
    assert not add.isEnabled(), "no chart has the focus"
    menu.close()
    view.current_title = lambda: "train/loss"
    menu = view.menu()
    assert menu.actions()[0].text().startswith("Add to train/loss")
    menu.close()


def test_that_a_dragged_row_bears_its_names(view: MetricsView) -> None:
    data = view.model.mimeData([view.model.index(0, 0), view.model.index(1, 0)])
    assert dragged(data) == ["train/loss", "health/layer{layer}/ratio"]
    assert data.text() == "train/loss\nhealth/layer{layer}/ratio"


def test_that_twelve_thousand_names_are_usable_at_once(qtbot: QtBot, theme: ThemeManager) -> None:
    view = MetricsView()
    qtbot.addWidget(view)
    view.resize(340, 600)
    view.show()
    session = Session("folder", view)
    view.set_session(session)
    names = [f"health/layer{n % 1000}/m{n // 1000}/value" for n in range(12_000)] + [
        f"misc/word{chr(97 + n % 26)}{n}x" for n in range(345)
    ]
    began = time.perf_counter()
    session.apply([logged(names, count=1)])
    qtbot.waitUntil(lambda: view.model.total == 12_345)
    QTest.keyClicks(view.search, "layer77")
    assert view.model.count == 12 * 11
    QTest.qWait(0)
    assert time.perf_counter() - began < 30, "a guard only; the figure is in the bench"
    assert len(view.findChildren(QWidget)) < 200
    view.tree.scrollTo(view.model.index(view.model.rowCount() - 1, 0))
    assert view.tree.indexAt(QPoint(10, 10)).isValid()
    view.set_session(None)
