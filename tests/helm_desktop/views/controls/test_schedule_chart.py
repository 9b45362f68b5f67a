"""The small chart of a schedule: what a mouse does there stands in the rows, and is what is sent."""

from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from helm_desktop.views.controls.collection_editors import ScheduleEditor
from helm_desktop.views.controls.editor import problem_of
from helm_desktop.views.controls.factory import make_editor
from helm_sdk.protocol import kinds as k
from helm_sdk.protocol.kinds import Schedule

pytestmark = pytest.mark.usefixtures("theme")
LEFT = Qt.MouseButton.LeftButton
NODE = k.parse(k.schema(k.schedule(0, 1, axis="step")))
VALUE = {"points": [{"at": 0, "value": "0.10"}, {"at": 100, "value": 0.5}, {"at": 200, "value": 0.2}]}


@pytest.fixture
def editor(qtbot: QtBot) -> ScheduleEditor:
    made = make_editor(NODE, "warm up")
    assert isinstance(made, ScheduleEditor)
    qtbot.addWidget(made)
    made.resize(320, 320)
    made.show()
    return made


def drag(editor: ScheduleEditor, index: int, to: QPointF) -> None:
    chart = editor.chart
    QTest.mousePress(chart, LEFT, pos=chart.handle(index).toPoint())
    QTest.mouseMove(chart, to.toPoint())
    QTest.mouseRelease(chart, LEFT, pos=to.toPoint())


def points(editor: ScheduleEditor) -> list[tuple[Any, Any]]:
    return [(one["at"], one["value"]) for one in editor.value()["points"]]


def test_that_a_dragged_point_stands_in_its_row_and_the_others_stay_to_the_letter(
    editor: ScheduleEditor,
) -> None:
    editor.set_value(VALUE)
    drag(editor, 1, editor.chart.point_at(140, 0.4))
    (first, second, third) = points(editor)
    assert (first, third) == ((0, "0.10"), (200, 0.2))
    assert abs(second[0] - 140) <= 2
    assert second[1] == pytest.approx(0.4, abs=0.01)
    assert problem_of(editor, NODE) == ""


def test_that_a_point_keeps_its_place_between_its_neighbours_and_in_its_bounds(
    editor: ScheduleEditor,
) -> None:
    editor.set_value(VALUE)
    drag(editor, 1, editor.chart.point_at(100, 0.5) + QPointF(400, -400))
    assert points(editor)[1] == (199, 1)


def test_that_points_are_added_and_taken_out(editor: ScheduleEditor) -> None:
    place = editor.chart.point_at(50, 0.5).toPoint()
    QTest.mouseDClick(editor.chart, LEFT, pos=place)
    assert len(editor.rows) == 1
    assert problem_of(editor, NODE) == ""
    editor.set_value(VALUE)
    QTest.mouseDClick(editor.chart, LEFT, pos=editor.chart.point_at(150, 0.3).toPoint())
    assert [at for at, _ in points(editor)] == sorted(at for at, _ in points(editor))
    assert len(editor.rows) == 4
    editor.chart.setFocus()
    QTest.keyClick(editor.chart, Qt.Key.Key_Delete)
    assert [at for at, _ in points(editor)] == [0, 100, 200]


def test_that_a_row_that_is_not_filled_in_is_not_drawn(editor: ScheduleEditor) -> None:
    editor.set_value(VALUE)
    QTest.mouseClick(editor.add, LEFT)
    assert len(editor.chart.draft.keyframes) == 3
    assert problem_of(editor, NODE) == "row 4 of warm up is empty"
    assert isinstance(NODE, Schedule)
