"""Activity, details, metrics and the dock that holds them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from helm_desktop.model.run.activity import ActivityEntry, ActivityModel
from helm_desktop.model.run.details import Detail
from helm_desktop.model.run.session import Session
from helm_desktop.theme import ThemeManager
from helm_desktop.views.activity import ActivityView
from helm_desktop.views.details import DetailsView
from helm_desktop.views.metrics import MetricsView
from helm_sdk.protocol.messages import Batch, StreamDef
from helpers.updates import batch_update


def test_that_a_click_on_a_row_of_activity_requests_its_step(qtbot: QtBot, theme: ThemeManager) -> None:
    view = ActivityView()
    qtbot.addWidget(view)
    view.resize(320, 200)
    view.show()
    model = ActivityModel(view)
    view.set_model(model)
    assert view.lines() == []
    for number in range(3):
        model.add(
            ActivityEntry(str(number), number * 10, float(number), "checkpoint", f"checkpoint {number}")
        )
    model.add(ActivityEntry("late", 5, 0.5, "note", "told late"))
    assert view.lines() == ["20 checkpoint 2", "10 checkpoint 1", "5 told late", "0 checkpoint 0"]
    rows = view.rows
    qtbot.waitUntil(rows.isVisible)
    with qtbot.waitSignal(view.step_requested) as asked:
        QTest.mouseClick(
            rows.viewport(), Qt.MouseButton.LeftButton, pos=rows.visualRect(rows.model().index(1, 0)).center()
        )
    assert asked.args == [10]


def no_match(view: DetailsView) -> bool:
    """Return True when the view says that nothing matches."""
    return any(label.isVisible() and "matches" in label.text() for label in view.findChildren(QLabel))


def test_that_the_details_can_be_searched_and_stay_open(qtbot: QtBot, theme: ThemeManager) -> None:
    view = DetailsView()
    qtbot.addWidget(view)
    view.show()
    assert not view.tree.isVisible()
    config = Detail("Config", "2 settings", (Detail("lr", "0.003"), Detail("batch_size", "64")))
    model = Detail("Model", "1 tensor", (Detail("0", "Linear", (Detail("weight", "2 × 2"),)),))
    view.set_details((config, model))
    rows = view.tree.model()
    assert view.tree.isExpanded(rows.index(0, 0))
    assert not view.tree.isExpanded(rows.index(1, 0))
    QTest.keyClicks(view.search, "weight")
    assert rows.rowCount() == 1
    assert rows.index(0, 0).data() == "Model"
    QTest.keyClicks(view.search, "no such thing")
    assert no_match(view)
    view.search.clear()
    assert not no_match(view)
    view.tree.setExpanded(rows.index(0, 0), False)
    view.set_details((config, model, Detail("Command", "python a.py")))
    assert not view.tree.isExpanded(rows.index(0, 0))


def test_that_twelve_thousand_metrics_can_be_searched(qtbot: QtBot, theme: ThemeManager) -> None:
    view = MetricsView()
    qtbot.addWidget(view)
    view.show()
    session = Session("folder", view)
    view.set_session(session)
    streams = tuple(StreamDef(id=number, name=f"layer/{number}/norm") for number in range(12_345))

    session.apply([batch_update(Batch(process="rank-0", attempt=1, seq=1, streams=streams))])
    qtbot.waitUntil(lambda: view.model.total == 12_345)
    assert [row.family.pattern for row in view.model.rows] == ["layer/{layer}/norm"]
    QTest.keyClicks(view.search, "/777/")
    assert view.model.rows[0].names == ["layer/777/norm"]
    view.set_session(None)


def test_that_activity_is_searched_filtered_and_copied(qtbot: QtBot, theme: ThemeManager) -> None:
    view = ActivityView()
    qtbot.addWidget(view)
    view.resize(340, 260)
    view.show()
    model = ActivityModel(view)
    view.set_model(model)
    for number in range(4):
        kind = "change" if number % 2 else "checkpoint"
        model.add(ActivityEntry(str(number), number * 10, float(number), kind, f"{kind} {number}"))
    QTest.keyClicks(view.search, "change")
    assert view.lines() == ["30 change 3", "10 change 1"]
    view.search.clear()
    view.kinds.setFocus()
    QTest.keyClicks(view.kinds, "chec")
    assert view.lines() == ["20 checkpoint 2", "0 checkpoint 0"]
    with qtbot.waitSignal(view.notified) as said:
        QTest.mouseClick(view.copy, Qt.MouseButton.LeftButton)
    assert said.args == ["Copied 2 lines"]
    assert "| 20 | ▮ | checkpoint 2 |" in QGuiApplication.clipboard().text()
    rows = view.rows
    with qtbot.waitSignal(view.step_requested) as asked:
        place = rows.visualRect(rows.model().index(0, 0)).center()
        QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert asked.args == [20]
    QTest.keyClicks(view.search, "nowhere")
    assert view.lines() == []
    assert not view.nothing.isHidden()
