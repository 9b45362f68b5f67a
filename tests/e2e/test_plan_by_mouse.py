"""A keyframe dragged on the live chart of a real child process; the run then follows the drawn curve."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from helm_desktop.app import Desktop
from helm_desktop.views.board.chart import ChartView
from helm_desktop.views.board.plan.editor import PlanEditor
from helpers.desktop import desktop, session_of
from helpers.qt_leaks import no_qt_leaks
from helpers.scripts import SCRIPTS, Script, points, start

__all__ = ["no_qt_leaks"]

pytestmark = pytest.mark.usefixtures("no_qt_leaks")
STREAM = "optim/lr/group0"
STEPS = 500


@pytest.fixture(params=["cosine", "wsd"])
def script(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Script]:
    env = {"STEPS": str(STEPS), "PAUSE": "0.02", "SCHEDULE": request.param}
    running = start(SCRIPTS / "steered.py", home=tmp_path, env=env)
    yield running
    running.kill()


def lr_chart(opened: Desktop, qtbot: QtBot) -> tuple[ChartView, PlanEditor]:
    """The chart of the rate, once it is there and offers a change."""

    def found() -> tuple[ChartView, PlanEditor] | None:
        for chart in opened.screen.board.charts:
            editor = chart.property("plan")
            offers = editor is not None and editor.button is not None and editor.button.isVisible()
            if offers and editor.stream == STREAM:
                return chart, editor
        return None

    qtbot.waitUntil(lambda: found() is not None, timeout=60_000)
    there = found()
    assert there is not None
    return there


def in_window(widget: QWidget, place: QPointF) -> QPoint:
    return widget.mapTo(widget.window(), place.toPoint())


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
        _, editor = lr_chart(opened, qtbot)
        assert editor.button is not None
        assert editor.button.text() == "Change lr"
        assert not opened.plan.bar.isVisible()
        QTest.mouseClick(editor.button, Qt.MouseButton.LeftButton)
        overlay, model = editor.overlay, opened.plan.model
        assert overlay is not None
        assert model.draft is not None
        assert opened.plan.bar.isVisible()
        assert not opened.plan.bar.send.isEnabled(), "a draft that changes nothing has nothing to send"

        here = overlay.handle(0)
        drag(opened, overlay, here, overlay.places.place(300, 1.2e-3))
        assert int(model.draft.keyframes[0].at) == 300, "a round step draws the pointer"
        assert abs(float(model.draft.keyframes[0].value) - 1.2e-3) < 1e-4
        window = opened.window.windowHandle()
        second = in_window(overlay, overlay.places.place(380, 2.0e-3))
        QTest.mouseDClick(window, Qt.MouseButton.LeftButton, pos=second)
        assert int(model.draft.keyframes[0].at) == 300
        assert abs(int(model.draft.keyframes[1].at) - 380) <= 2, "within the pixel that was clicked"

        drawn = {step: model.draft.value_at(step) for step in range(300, STEPS)}
        qtbot.waitUntil(opened.plan.bar.send.isEnabled)
        QTest.keyClicks(opened.plan.bar.reason, "loss plateau")
        QTest.mouseClick(opened.plan.bar.send, Qt.MouseButton.LeftButton)
        assert not opened.plan.bar.isVisible()
        session = session_of(opened)
        control = session.controls.control("lr")
        assert control is not None
        qtbot.waitUntil(
            lambda: any(record.applied is not None for record in session.controls.changes("lr")),
            timeout=20_000,
        )
        (record,) = session.controls.changes("lr")
        assert record.reason == "loss plateau"
        assert (record.step or STEPS) < 300
        qtbot.waitUntil(lambda: session.standing.state.ended, timeout=60_000)
    assert script.finish() == 0
    used = dict(points(STREAM, home=tmp_path))
    assert sorted(used)[-1] == STEPS - 1
    off = {step: abs(used[step] - value) for step, value in drawn.items()}
    assert max(off.values()) <= 1e-9, max(off.items(), key=lambda one: one[1])


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
            qtbot.waitUntil(lambda: bool(model.stale_words()), timeout=60_000)
            bar = opened.plan.bar
            assert bar.words.text().startswith("Stale: step")
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
