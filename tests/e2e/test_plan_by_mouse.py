"""A keyframe dragged on the live chart of a real child process; the run then follows the drawn curve."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from helm_desktop.app import Desktop
from helm_desktop.model.chart.spec import STEP
from helm_desktop.model.run.session import Session
from helm_desktop.model.schedule import draft_labels
from helm_desktop.views.board.chart.chart import ChartView
from helm_desktop.views.board.plan.editor import PlanEditor
from helm_desktop.views.board.plan.overlay import PlanOverlay
from helm_sdk.protocol.history import CommandRecord
from helpers.desktop import desktop, session_of
from helpers.qt_leaks import no_qt_leaks
from helpers.scripts import SCRIPTS, Script, points, start

__all__ = ["no_qt_leaks"]

pytestmark = pytest.mark.usefixtures("no_qt_leaks")
STREAM, SECOND = "optim/lr/group0", "optim/lr/group1"
STEPS = 500


TOKENS = 512  # a step


def started(home: Path, schedule: str, **more: str) -> Script:
    """A run of 500 steps under this schedule."""
    env = {"STEPS": str(STEPS), "PAUSE": "0.02", "SCHEDULE": schedule, **more}
    return start(SCRIPTS / "steered.py", home=home, env=env)


@pytest.fixture(params=["cosine", "wsd"])
def schedule(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def script(schedule: str, tmp_path: Path) -> Iterator[Script]:
    running = started(tmp_path, schedule)
    yield running
    running.kill()


def lr_chart(
    opened: Desktop, qtbot: QtBot, stream: str = STREAM, axis: str = STEP
) -> tuple[ChartView, PlanEditor]:
    """The chart of the rate, once it is there and offers a change."""

    def found() -> tuple[ChartView, PlanEditor] | None:
        for chart in opened.regions.board.charts:
            editor = chart.property("plan")
            offers = editor is not None and editor.button is not None and editor.button.isVisible()
            if offers and (editor.stream, editor.axis) == (stream, axis):
                return chart, editor
        return None

    qtbot.waitUntil(lambda: found() is not None, timeout=60_000)
    there = found()
    assert there is not None
    return there


def taken(opened: Desktop, qtbot: QtBot) -> CommandRecord:
    """The change that was sent, once the run has applied it."""
    controls = session_of(opened).controls
    qtbot.waitUntil(
        lambda: any(one.applied is not None for one in controls.commands.of("lr")), timeout=20_000
    )
    (record,) = controls.commands.of("lr")
    return record


def most_off(used: dict[int, float], wanted: dict[int, float]) -> float:
    """How far what ran was from what was drawn, at the worst step."""
    return max(abs(used[step] - value) for step, value in wanted.items())


def session_of_when_open(opened: Desktop, qtbot: QtBot) -> Session:
    """The run, once it is open."""
    qtbot.waitUntil(lambda: opened.current.session is not None, timeout=60_000)
    return session_of(opened)


def in_window(widget: QWidget, place: QPointF) -> QPoint:
    return widget.mapTo(widget.window(), place.toPoint())


def begin(editor: PlanEditor, chart: ChartView, qtbot: QtBot) -> PlanOverlay:
    """Presses Change lr; the draft, once the chart has made room for it."""
    assert editor.button is not None
    QTest.mouseClick(editor.button, Qt.MouseButton.LeftButton)
    assert editor.overlay is not None
    qtbot.waitUntil(lambda: not chart.renderer.dirty)
    return editor.overlay


def drag(opened: Desktop, overlay: QWidget, start: QPointF, end: QPointF) -> None:
    """Press, move in steps and release, through the window as a mouse does."""
    window = opened.window.windowHandle()
    QTest.mouseMove(window, in_window(overlay, start))
    QTest.mousePress(window, Qt.MouseButton.LeftButton, pos=in_window(overlay, start))
    for part in range(1, 11):
        QTest.mouseMove(window, in_window(overlay, start + (end - start) * part / 10))
        QApplication.processEvents()
    QTest.mouseRelease(window, Qt.MouseButton.LeftButton, pos=in_window(overlay, end))
    QApplication.processEvents()


def test_that_a_run_follows_the_curve_that_was_drawn_by_mouse(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, script: Script
) -> None:
    with desktop(qapp, tmp_path) as opened:
        chart, editor = lr_chart(opened, qtbot)
        assert editor.button is not None
        assert editor.button.text() == "Change lr"
        assert not opened.plan.bar.isVisible()
        overlay, model = begin(editor, chart, qtbot), opened.plan.model
        assert model.draft is not None
        assert opened.plan.bar.isVisible()
        assert not opened.plan.bar.send.isEnabled(), "a draft that changes nothing has nothing to send"

        here = overlay.handles.place(0)
        drag(opened, overlay, here, overlay.places.place(300, 1.2e-3))
        assert int(model.draft.keyframes[0].at) == 300, "a round step draws the pointer"
        assert abs(float(model.draft.keyframes[0].value) - 1.2e-3) < 1e-4
        window = opened.window.windowHandle()
        qtbot.waitUntil(lambda: not chart.renderer.dirty)
        second = in_window(overlay, overlay.places.place(380, 2.0e-3))
        QTest.mouseDClick(window, Qt.MouseButton.LeftButton, pos=second)
        assert int(model.draft.keyframes[0].at) == 300
        assert abs(int(model.draft.keyframes[1].at) - 380) <= 2, "within the pixel that was clicked"

        drawn = {step: model.draft.value_at(step) for step in range(300, STEPS)}
        qtbot.waitUntil(opened.plan.bar.send.isEnabled)
        QTest.keyClicks(opened.plan.bar.reason, "loss plateau")
        QTest.mouseClick(opened.plan.bar.send, Qt.MouseButton.LeftButton)
        assert not opened.plan.bar.isVisible()
        record = taken(opened, qtbot)
        assert record.reason == "loss plateau"
        assert (record.step or STEPS) < 300
        card = opened.regions.controls.cards["lr"].line
        qtbot.waitUntil(lambda: card.text().endswith("plan, 2 keyframes, to step 380"), timeout=20_000)
        qtbot.waitUntil(lambda: session_of(opened).status.state.ended, timeout=60_000)
    assert script.finish() == 0
    used = dict(points(STREAM, home=tmp_path))
    assert sorted(used)[-1] == STEPS - 1
    assert most_off(used, drawn) <= 1e-9


def test_that_a_group_follows_its_own_curve_and_the_other_its_schedule(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, schedule: str
) -> None:
    running = started(tmp_path, schedule, GROUPS="2")
    try:
        with desktop(qapp, tmp_path) as opened:
            session = session_of_when_open(opened, qtbot)
            chart, editor = lr_chart(opened, qtbot, SECOND)
            overlay, model = begin(editor, chart, qtbot), opened.plan.model
            assert model.draft is not None
            drag(opened, overlay, overlay.handles.place(0), overlay.places.place(320, 6e-4))
            assert int(model.draft.keyframes[0].at) == 320
            drawn = {step: model.draft.value_at(step) for step in range(320, STEPS)}
            plan = session.plan.curve(STREAM)
            assert plan is not None
            first = {step: float(np.interp(step, plan.steps, plan.values)) for step in range(320, STEPS)}
            assert opened.plan.bar.name.text() == "lr group1"
            qtbot.waitUntil(opened.plan.bar.send.isEnabled)
            QTest.mouseClick(opened.plan.bar.send, Qt.MouseButton.LeftButton)
            assert taken(opened, qtbot).input["group"] == "group1"
        assert running.finish() == 0
    finally:
        running.kill()
    assert most_off(dict(points(SECOND, home=tmp_path)), drawn) <= 1e-9
    assert most_off(dict(points(STREAM, home=tmp_path)), first) <= 1e-9, "the other was left alone"


def test_that_keyframes_over_tokens_are_dragged_where_the_board_shows_tokens(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    running = started(tmp_path, "cosine", TOKENS=str(TOKENS))
    try:
        with desktop(qapp, tmp_path) as opened:
            lr_chart(opened, qtbot)
            menu = opened.regions.board.head.pills.x_menu()
            next(action for action in menu.actions() if action.text() == "tokens").trigger()
            chart, editor = lr_chart(opened, qtbot, axis="tokens")
            overlay = begin(editor, chart, qtbot)
            drag(opened, overlay, overlay.handles.place(0), overlay.places.place(160_300, 1.2e-3))
            QTest.mouseClick(opened.plan.bar.send, Qt.MouseButton.LeftButton)
            record = taken(opened, qtbot)
            (point,) = record.input["plan_tokens"]["points"]
            assert point["at"] == 160_000, "a round number draws the pointer"
        assert running.finish() == 0
    finally:
        running.kill()
    used = dict(points(STREAM, home=tmp_path))
    reached = -(-point["at"] // TOKENS)  # the first step that begins with so many tokens seen
    cosine = {step: 1.5e-3 * (1 + np.cos(np.pi * step / STEPS)) for step in range(STEPS)}
    scale = point["value"] / cosine[reached]
    wanted = {step: cosine[step] * (scale if step >= reached else 1.0) for step in range(STEPS)}
    assert most_off(used, wanted) <= 1e-9


def test_that_a_draft_is_kept_over_a_restart_and_says_when_it_is_stale(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HELM_CONFIG_HOME", str(tmp_path / "config"))
    running = start(SCRIPTS / "steered.py", home=tmp_path, env={"STEPS": "3000", "PAUSE": "0.01"})
    try:
        with desktop(qapp, tmp_path) as opened:
            _, editor = lr_chart(opened, qtbot)
            assert editor.button is not None
            QTest.mouseClick(editor.button, Qt.MouseButton.LeftButton)
            model = opened.plan.model
            assert model.draft is not None
            assert model.type(0, str(model.draft.now + 120), "0.0012345") == ""
            kept = model.draft.keyframes
            opened.plan.bar.reason.setFocus()
            QTest.keyClicks(opened.plan.bar.reason, "later")
        with desktop(qapp, tmp_path) as opened:
            model = opened.plan.model
            qtbot.waitUntil(lambda: model.draft is not None, timeout=30_000)
            assert model.draft is not None
            assert model.draft.keyframes == kept
            assert opened.plan.bar.reason.text() == "later"
            qtbot.waitUntil(lambda: bool(draft_labels.stale_text(model.draft)), timeout=60_000)
            bar = opened.plan.bar
            assert bar.summary.text().startswith("Stale: step")
            assert not bar.send.isEnabled()
            QTest.mouseClick(bar.ahead, Qt.MouseButton.LeftButton)
            assert not model.draft.stale
            QTest.mouseClick(bar.discard, Qt.MouseButton.LeftButton)
            assert not bar.isVisible()
            assert model.to_plain() is None
        with desktop(qapp, tmp_path) as opened:
            lr_chart(opened, qtbot)
            assert opened.plan.model.draft is None
    finally:
        running.kill()
