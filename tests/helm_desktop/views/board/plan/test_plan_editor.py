"""The draft on a chart: its button and tag, its handles by mouse and keys, its fields, its change bar."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from helpers.drafting import drafting, ended
from helpers.plan_scene import Scene

pytestmark = pytest.mark.usefixtures("theme")
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def scene(qapp: QApplication, qtbot: QtBot) -> Iterator[Scene]:
    made = Scene(drafting())
    qtbot.addWidget(made.chart)
    qtbot.addWidget(made.bar)
    yield made
    made.model.set_session(None)


def test_that_the_button_begins_a_draft_and_shows_its_tag(scene: Scene) -> None:
    button = scene.editor.button
    assert button is not None
    assert (button.text(), button.isVisible()) == ("Change lr", True)
    assert scene.bar.isHidden()
    scene.begin()
    assert not button.isVisible()
    assert scene.editor._tag is not None
    assert scene.editor._tag.text() == "drafting a change"
    assert scene.editor._tag.isVisible()
    assert not scene.bar.isHidden()
    assert not scene.bar.send.isEnabled()
    assert scene.bar.summary.text() == "Nothing is changed yet: drag the handle on the chart"
    QTest.mouseClick(scene.bar.discard, LEFT)
    assert scene.editor.overlay is None
    assert button.isVisible()
    ended(scene.session)
    assert not button.isVisible()


@pytest.mark.parametrize("log", [False, True])
def test_that_a_handle_lands_where_it_is_dropped_on_either_scale(scene: Scene, log: bool) -> None:
    if log:
        scene.chart.content.change(log_y=True)
        scene.chart.renderer.refresh()
    scene.begin()
    to = scene.overlay.places.place(401, 2.6e-3)
    scene.drag(0, to)
    ((step, value),) = scene.frames
    assert step == 400, "round steps draw the pointer"
    assert value == pytest.approx(2.6e-3, rel=0.06)  # a pixel of five decades
    assert abs(scene.overlay.handles.place(0).y() - to.y()) <= 1.0
    scene.drag(0, scene.overlay.places.place(423, 1.3e-3), Qt.KeyboardModifier.ControlModifier)
    assert abs(scene.frames[0][0] - 423) <= 1, "Ctrl does not snap"


def test_that_steps_of_the_past_get_no_keyframe_and_the_chart_gets_the_mouse(scene: Scene) -> None:
    scene.begin()
    scene.drag(0, scene.overlay.places.place(20, 1e-3))
    assert scene.frames[0][0] == 213
    followed: list[bool] = []
    scene.chart.ranges.follow_requested.connect(lambda: followed.append(True))
    past = scene.overlay.places.place(60, 1e-3).toPoint()
    window = scene.chart.windowHandle()
    QTest.mouseDClick(window, LEFT, pos=scene.overlay.mapTo(scene.chart, past))
    assert len(scene.frames) == 1
    assert followed, "a double click beside the draft goes to the chart"


def test_that_keyframes_are_added_and_deleted_by_mouse_and_keys(scene: Scene) -> None:
    scene.begin()
    place = scene.overlay.places.place(450, 2e-3).toPoint()
    QTest.mouseDClick(scene.overlay, LEFT, pos=place)
    QTest.mouseRelease(scene.overlay, LEFT, pos=place)
    assert [step for step, _ in scene.frames] == [260, 450]
    overlay = scene.overlay
    overlay.setFocus()
    QTest.keyClick(overlay, Qt.Key.Key_Left)
    QTest.keyClick(overlay, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert scene.frames[1][0] == 459
    before = scene.frames[1][1]
    QTest.keyClick(overlay, Qt.Key.Key_Down)
    assert scene.frames[1][1] < before
    QTest.keyClick(overlay, Qt.Key.Key_Comma)
    assert overlay.chosen == 0
    QTest.keyClick(overlay, Qt.Key.Key_Delete)
    assert [step for step, _ in scene.frames] == [459]
    QTest.keyClick(overlay, Qt.Key.Key_Delete)
    assert len(scene.frames) == 1, "the last one stays"
    assert "step 459" in overlay.accessibleName()


def test_that_values_are_typed_beside_the_handle(scene: Scene) -> None:
    scene.begin()
    scene.overlay.setFocus()
    QTest.keyClick(scene.overlay, Qt.Key.Key_Return)
    fields = scene.editor.fields
    assert fields is not None
    assert fields.isVisible()
    fields.step.selectAll()
    QTest.keyClicks(fields.step, "100")
    assert fields.problem.text() == "step 100 has passed, the run is at 212"
    assert scene.bar.send.toolTip() == fields.problem.text()
    assert scene.bar.summary.text() == "Step 100 has passed, the run is at 212"
    fields.step.selectAll()
    QTest.keyClicks(fields.step, "300")
    fields.value.selectAll()
    QTest.keyClicks(fields.value, "0.00123400000000001")
    assert fields.problem.isHidden()
    QTest.keyClick(fields.value, Qt.Key.Key_Return)
    assert fields.isHidden()
    assert scene.frames == [(300, 0.00123400000000001)]
    assert scene.bar.send.isEnabled()


def test_that_a_chart_over_time_offers_nothing(scene: Scene) -> None:
    scene.chart.content.change(x="wall")
    scene.editor.refresh()
    assert scene.editor.button is not None
    assert not scene.editor.button.isVisible()
