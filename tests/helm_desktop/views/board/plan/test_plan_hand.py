"""A draft changed by mouse and by keys: the growing y range, other axes, other groups, refused drafts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from helm_desktop.model.chart.spec import STEP
from helm_desktop.model.run.session import Session
from helm_desktop.views.board.canvas.canvas import INSET_PX
from helm_desktop.views.board.plan.places import HANDLE_PX
from helm_sdk.protocol import kinds as k
from helpers.drafting import LR, LR_OF_GROUPS, STREAM, answered, drafting, went_on
from helpers.plan_scene import LEFT, Scene

pytestmark = pytest.mark.usefixtures("theme")
Open = Callable[..., Scene]


@pytest.fixture
def opened(qapp: QApplication, qtbot: QtBot) -> Iterator[Open]:
    made: list[Scene] = []

    def make(session: Session | None = None, stream: str = STREAM, axis: str = STEP) -> Scene:
        scene = Scene(session or drafting(), stream, axis)
        qtbot.addWidget(scene.chart)
        qtbot.addWidget(scene.bar)
        made.append(scene)
        return scene

    yield make
    for scene in made:
        scene.model.set_session(None)


def above(scene: Scene, pixels: float) -> QPointF:
    """Return the point over step 400 that is so many pixels above the picture."""
    return QPointF(scene.overlay.places.place(400, 1e-3).x(), INSET_PX - pixels)


@pytest.mark.parametrize("log", [False, True])
def test_that_the_range_grows_while_a_handle_is_dragged_beyond_the_picture(
    opened: Open, qtbot: QtBot, log: bool
) -> None:
    scene = opened()
    if log:
        scene.chart.content.change(log_y=True)
        scene.chart.renderer.refresh()
    scene.begin()
    before = scene.chart.ranges.y.shown
    scene.take(0)
    scene.pull(above(scene, 25))
    wanted = before[1] + (1.0 if log else before[1] - before[0])
    qtbot.waitUntil(lambda: scene.chart.ranges.y.shown[1] > wanted)
    step, value = scene.frames[0]
    assert step == 400
    assert scene.overlay.handles.place(0).y() == pytest.approx(INSET_PX + HANDLE_PX, abs=1.0), (
        "at the edge, seen whole"
    )
    assert value > 10 ** before[1] if log else value > before[1]
    inside = QPointF(scene.overlay.handles.place(0).x(), 40.0)
    scene.pull(inside)
    held = scene.chart.ranges.y.shown
    assert abs(scene.overlay.handles.place(0).y() - 40.0) <= 6.0, "within what snaps"
    qtbot.wait(120)
    assert scene.chart.ranges.y.shown == held, "nothing pulls any more"
    QTest.mouseRelease(scene.overlay, LEFT, pos=inside.toPoint())
    scene.chart.renderer.refresh()
    top = scene.chart.ranges.y.shown[1]
    assert (10**top if log else top) >= scene.frames[0][1], "and the draft stays in sight"


def test_that_the_range_does_not_grow_beyond_a_bound_of_the_control(opened: Open, qtbot: QtBot) -> None:
    scene = opened()
    scene.begin()
    scene.take(0)
    floor = scene.chart.ranges.y.shown[0]
    scene.pull(QPointF(scene.overlay.handles.place(0).x(), scene.overlay.height() + 30.0))
    qtbot.wait(120)
    assert scene.frames[0][1] == 0.0
    assert scene.chart.ranges.y.shown[0] == floor
    QTest.mouseRelease(scene.overlay, LEFT, pos=scene.overlay.handles.place(0).toPoint())


def test_that_the_range_follows_a_typed_value_and_arrow_keys(opened: Open) -> None:
    scene = opened()
    scene.begin()
    assert scene.model.type(0, "300", "0.02") == ""
    scene.chart.renderer.refresh()
    assert scene.chart.ranges.y.shown[1] >= 0.02
    assert INSET_PX < scene.overlay.handles.place(0).y() < scene.overlay.height()
    scene.model.discard()
    scene.chart.renderer.refresh()
    assert scene.chart.ranges.y.shown[1] < 0.01, "without the draft the range fits the curves"


def test_that_a_range_set_by_hand_widens_for_a_draft(opened: Open) -> None:
    scene = opened()
    scene.chart.edits.change(y_range=(0.0, 1e-3))
    scene.begin()
    scene.chart.renderer.refresh()
    assert scene.chart.ranges.y.shown[1] >= scene.frames[0][1] > 1e-3
    scene.model.discard()
    scene.chart.renderer.refresh()
    assert scene.chart.ranges.y.shown == (0.0, 1e-3)


def test_that_a_drag_hides_the_tooltip(opened: Open) -> None:
    scene = opened()
    scene.begin()
    middle = scene.overlay.mapTo(scene.chart, scene.overlay.rect().center())
    QTest.mouseMove(scene.chart.windowHandle(), middle)
    assert scene.chart.pointer.tip_text() != ""
    scene.take(0)
    assert scene.chart.pointer.tip_text() == ""
    QTest.mouseRelease(scene.overlay, LEFT, pos=scene.overlay.handles.place(0).toPoint())


def test_that_keys_alone_draft_a_change_and_return_to_the_chart(opened: Open, qtbot: QtBot) -> None:
    scene = opened()
    button = scene.editor.button
    assert button is not None
    scene.chart.activateWindow()
    qtbot.waitUntil(scene.chart.isActiveWindow)
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)
    overlay = scene.overlay
    assert overlay.hasFocus()
    QTest.keyClick(overlay, Qt.Key.Key_Insert)
    assert [step for step, _ in scene.frames] == [260, 429]
    assert overlay.chosen == 1
    QTest.keyClick(overlay, Qt.Key.Key_Home)
    QTest.keyClick(overlay, Qt.Key.Key_Insert)
    assert [step for step, _ in scene.frames] == [260, 344, 429]
    QTest.keyClick(overlay, Qt.Key.Key_End)
    assert overlay.chosen == 2
    QTest.keyClick(overlay, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    value = scene.frames[2][1]
    QTest.keyClick(overlay, Qt.Key.Key_Period)
    assert overlay.chosen == 0
    assert "step 260" in overlay.accessibleName()
    QTest.keyClicks(overlay, "0")
    fields = scene.editor.fields
    assert fields is not None
    QTest.keyClicks(fields.value, ".0021")
    QTest.keyClick(fields.value, Qt.Key.Key_Return)
    assert scene.frames[0] == (260, 0.0021), "a figure begins to type the value"
    assert scene.frames[2][1] == value
    overlay.setFocus()
    with qtbot.waitSignal(scene.editor.done):
        QTest.keyClick(overlay, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(overlay, Qt.Key.Key_Escape)
    assert scene.chart.hasFocus()
    assert len(scene.frames) == 3, "leaving keeps the draft"


def test_that_a_chart_over_tokens_drafts_over_tokens_by_hand(opened: Open) -> None:
    session = drafting(tokens=100.0, control=LR_OF_GROUPS)
    scene = opened(session, axis="tokens")
    assert scene.chart.content.ahead is not None
    assert scene.chart.ranges.x.shown[1] == pytest.approx(59_900.0)
    scene.begin()
    overlay = scene.overlay
    scene.drag(0, overlay.places.place(40_050, 2.6e-3))
    step, value = scene.frames[0]
    assert step == 40_000, "round numbers of tokens draw the pointer"
    assert value == pytest.approx(2.6e-3, rel=0.02)
    overlay.setFocus()
    QTest.keyClick(overlay, Qt.Key.Key_Right)
    assert scene.frames[0][0] == 40_100, "a step's worth of tokens"
    assert overlay.handles.label(0).startswith("40.1k tokens · ")
    QTest.keyClick(overlay, Qt.Key.Key_Return)
    assert scene.editor.fields is not None
    assert scene.editor.fields.step.text() == "40100"
    QTest.keyClick(scene.editor.fields, Qt.Key.Key_Escape)
    scene.feed.set_spec(scene.feed.spec.with_(x=STEP))
    scene.chart.renderer.refresh()
    assert scene.editor.overlay is not None, "on steps the draft lies where those tokens come"
    steps, _ = scene.overlay.places.numbers(scene.overlay.handles.place(0))
    assert steps == pytest.approx(40_100, abs=120), "the hand's numbers stay the draft's own"
    assert scene.overlay.handles.place(0).x() == pytest.approx(
        scene.chart.parts.point_at(401).x() - 3 - 53, abs=12
    )
    went_on(session, 240, tokens=100.0)
    assert scene.frames[0][0] == 40_100
    scene.feed.set_spec(scene.feed.spec.with_(x="wall"))
    scene.chart.renderer.refresh()
    assert scene.editor.overlay is None, "time has no place for it"
    assert scene.model.draft is not None


def test_that_the_chart_of_another_group_drafts_that_group(opened: Open) -> None:
    scene = opened(drafting(control=LR_OF_GROUPS), stream="optim/lr/group1")
    assert scene.editor.button is not None
    assert scene.editor.button.accessibleName() == "Change lr group1 on the chart"
    assert "for group1 only" in scene.editor.button.toolTip()
    scene.begin()
    scene.drag(0, scene.overlay.places.place(400, 5e-4))
    assert scene.bar.name.text() == "lr group1"
    assert scene.model.value()["group"] == "group1"
    assert scene.frames[0][1] == pytest.approx(5e-4, rel=0.02)


def test_that_a_rejected_draft_is_shown_on_the_chart_again_with_the_reason(opened: Open) -> None:
    scene = opened()
    sent: list[object] = []
    scene.model.sent.connect(sent.append)
    scene.begin()
    scene.drag(0, scene.overlay.places.place(400, 2e-3))
    frames = scene.frames
    QTest.mouseClick(scene.bar.send, LEFT)
    assert scene.editor.overlay is None
    assert scene.bar.isHidden()
    (command,) = sent
    answered(scene.session, command, "rejected", message="value is 2, it must be 1 or less")  # type: ignore[arg-type]
    assert scene.editor.overlay is not None
    assert scene.frames == frames
    assert scene.bar.summary.text() == "Rejected: value is 2, it must be 1 or less"
    assert not scene.bar.isHidden()
    scene.drag(0, scene.overlay.places.place(400, 1e-3))
    assert scene.bar.summary.text().startswith("from step")


def test_that_a_line_between_keyframes_is_bent_on_a_logarithmic_axis(opened: Open) -> None:
    scene = opened()
    scene.begin()
    scene.model.type(0, "260", "0.003")
    scene.model.add(500, 1e-5)
    scene.chart.content.change(log_y=True)
    scene.chart.renderer.refresh()
    draft, places = scene.model.draft, scene.overlay.places
    assert draft is not None
    across, down = places.polyline(draft.curve())
    halfway = places.place(380, (0.003 + 1e-5) / 2)
    drawn = np.interp(halfway.x(), across, down)
    assert drawn == pytest.approx(halfway.y(), abs=1.0)
    straight = (places.place(260, 0.003).y() + places.place(500, 1e-5).y()) / 2
    assert abs(drawn - straight) > 20, "it bends: the run goes straight in numbers"


def test_that_a_chart_without_a_plan_shows_all_that_can_be_drafted(opened: Open) -> None:
    schema = k.record_schema(k.field("doses", k.schedule(0, 1, axis="step")))
    session = drafting(control=msgspec.structs.replace(LR, name="dose", input_schema=schema))
    session.plan.published = msgspec.structs.replace(session.plan.published, curves=())
    scene = opened(session)
    assert scene.chart.ranges.x.shown[1] < 300
    scene.begin()
    scene.chart.renderer.refresh()
    assert scene.chart.ranges.x.shown == (0.0, 599.0)
    scene.drag(0, scene.overlay.places.place(400, 2e-3))
    assert scene.frames[0][0] == 400
    scene.model.discard()
    scene.chart.renderer.refresh()
    assert scene.chart.ranges.x.shown[1] < 300


def test_that_the_title_is_not_shortened_by_the_tag_of_a_draft(opened: Open) -> None:
    scene = opened(drafting(tokens=100.0, control=LR_OF_GROUPS), axis="tokens")
    header = scene.chart.header
    for width in (640, 330, 310):
        scene.chart.resize(width, 200)
        QApplication.processEvents()
        assert not header.title.property("elided"), width
    assert scene.editor.button is not None
    assert scene.editor.button.text() == "Change"
    assert header.kind.isHidden()
    scene.begin()
    QApplication.processEvents()
    assert not header.title.property("elided")
    scene.chart.resize(640, 200)
    QApplication.processEvents()
    assert header.kind.isVisible()
