"""A real run in a child process, watched and steered in the real window over real sockets."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from helm_desktop.app import Desktop
from helm_sdk.protocol.messages import Command
from helpers.desktop import desktop, session_of
from helpers.qt_leaks import no_qt_leaks
from helpers.scripts import Script, start

__all__ = ["no_qt_leaks"]

pytestmark = pytest.mark.usefixtures("no_qt_leaks")

LOOP = """
import sys, time, helm_sdk
steps, go = int(sys.argv[1]) if len(sys.argv) > 1 else STEPS, STOP
run = helm_sdk.init("quickstart", name="live", config={"lr": 3e-3})
rate = run.tunable("rate", 1.0, minimum=0.0, maximum=10.0)
run.plan(step=steps)
for step in range(steps):
    run.log({f"train/m{i}": step * (i + 1.0) for i in range(10)}, step=step)
    run.log({"perf/rate": rate.value}, step=step)
    run.sync("after_step", step=step)
    print("step", step, flush=True)
    while step >= go and not __import__("os").path.exists(GATE):
        run.sync("after_step", step=step)
        time.sleep(0.01)
run.finish()
print("done", flush=True)
"""


def run_script(scripts: list[Script], home: Path, steps: int = 60, stop_at: int = 40) -> Script:
    """Starts the loop; it holds at a step until `open_gate`."""
    text = LOOP.replace("STEPS", str(steps)).replace("STOP", str(stop_at))
    scripts.append(start(text.replace("GATE", repr(str(home / "gate"))), home=home))
    return scripts[-1]


def open_gate(home: Path) -> None:
    """Lets a loop that holds go on."""
    (home / "gate").touch()


def points(opened: Desktop) -> dict[str, int]:
    """Points of each chart's series."""
    return {chart.title: chart.points for chart in opened.regions.board.chart_reports()}


def test_that_every_chart_has_the_points_that_the_run_logged(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, scripts: list[Script]
) -> None:
    script = run_script(scripts, tmp_path)
    with desktop(qapp, tmp_path) as opened:
        qtbot.waitUntil(lambda: opened.current.session is not None, timeout=20_000)
        script.wait_for_line("step 40")
        qtbot.waitUntil(lambda: points(opened).get("train/m0") == 41, timeout=20_000)
        strip = opened.regions.strip
        qtbot.waitUntil(
            lambda: strip.texts.state == "live" and strip.texts.step == "40 of 60", timeout=20_000
        )
        assert strip.texts.processes == "1 on 1 machine"
        assert strip.texts.controls == 1
        open_gate(tmp_path)
        qtbot.waitUntil(lambda: strip.texts.state == "finished", timeout=20_000)
        qtbot.waitUntil(lambda: opened.regions.board.cells.drawn, timeout=20_000)
        assert set(points(opened).values()) == {60}
        assert len(points(opened)) == 11
        drawn = [chart for chart in opened.regions.board.chart_reports() if chart.visible]
        assert len(drawn) >= 10
        assert {chart.drawn_points for chart in drawn} == {60}
        running = strip.texts.running
        qtbot.wait(1200)  # the clock of a run that has ended stands still
        assert strip.texts.running == running


def test_that_a_change_goes_from_the_card_to_the_loop_and_is_marked(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, scripts: list[Script]
) -> None:
    script = run_script(scripts, tmp_path)
    with desktop(qapp, tmp_path) as opened:
        script.wait_for_line("step 40")
        qtbot.waitUntil(lambda: "set_rate" in opened.regions.controls.cards, timeout=20_000)
        session = session_of(opened)
        card = opened.regions.controls.cards["set_rate"]
        card.set_open(True)
        field = next(field for field in card.findChildren(QLineEdit) if field.accessibleName() == "value")
        field.selectAll()
        QTest.keyClicks(field, "2.5")
        send = next(button for button in card.findChildren(QPushButton) if button.text() == "Send")
        qtbot.waitUntil(send.isEnabled)
        QTest.mouseClick(send, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: [mark.kind for mark in session.marks.all()] == ["change"], timeout=20_000)
        assert session.marks.all()[0].step == 40
        lines = opened.regions.activity.lines()
        assert any("set_rate 1.0 → 2.5" in line and line.startswith("40 ") for line in lines), lines
        open_gate(tmp_path)
        qtbot.waitUntil(lambda: session.store.series["perf/rate"].last_value == 2.5, timeout=20_000)


def test_that_a_killed_run_is_said_to_be_killed(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, scripts: list[Script]
) -> None:
    script = run_script(scripts, tmp_path)
    with desktop(qapp, tmp_path) as opened:
        script.wait_for_line("step 40")
        qtbot.waitUntil(lambda: points(opened).get("train/m0") == 41, timeout=20_000)
        script.kill()
        strip = opened.regions.strip
        qtbot.waitUntil(lambda: strip.texts.status.startswith("killed at step 40"), timeout=20_000)
        qtbot.waitUntil(lambda: opened.runs.index(1).data(0x0100 + 1).state == "killed", timeout=20_000)
        session = session_of(opened)
        opened.regions.controls.send_requested.emit(
            Command(id="late", capability="set_rate", input={"value": 1})
        )
        qtbot.waitUntil(lambda: session.complete, timeout=20_000)


def test_that_an_app_that_starts_late_or_again_shows_everything(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, scripts: list[Script]
) -> None:
    script = run_script(scripts, tmp_path)
    script.wait_for_line("step 20")
    with desktop(qapp, tmp_path) as opened:
        qtbot.waitUntil(lambda: points(opened).get("train/m9", 0) > 20, timeout=20_000)
    script.wait_for_line("step 40")
    open_gate(tmp_path)
    with desktop(qapp, tmp_path, "live") as opened:
        qtbot.waitUntil(lambda: opened.regions.strip.texts.state == "finished", timeout=20_000)
        qtbot.waitUntil(lambda: set(points(opened).values()) == {60}, timeout=20_000)
    assert script.finish() == 0


def test_that_the_next_attempt_is_shown_without_opening_the_run_again(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, scripts: list[Script]
) -> None:
    text = (
        "import helm_sdk, time, os\n"
        "run = helm_sdk.init('quickstart', name='again', resume=RESUME)\n"
        "for step in range(FIRST, FIRST + 20):\n"
        "    run.log({'train/loss': 1.0 / (step + 1)}, step=step)\n"
        "run.flush()\n"
        "print('logged', flush=True)\n"
        "while True:\n"
        "    time.sleep(0.05)\n"
    )
    scripts.append(start(text.replace("RESUME", "None").replace("FIRST", "0"), home=tmp_path))
    scripts[0].wait_for_line("logged")
    with desktop(qapp, tmp_path) as opened:
        qtbot.waitUntil(lambda: points(opened) == {"train/loss": 20}, timeout=20_000)
        scripts[0].kill()
        qtbot.waitUntil(lambda: opened.regions.strip.texts.state == "killed", timeout=20_000)
        scripts.append(start(text.replace("RESUME", "'latest'").replace("FIRST", "10"), home=tmp_path))
        scripts[1].wait_for_line("logged")
        qtbot.waitUntil(lambda: points(opened) == {"train/loss": 40}, timeout=20_000)
        qtbot.waitUntil(lambda: opened.regions.strip.texts.state == "live", timeout=20_000)


def test_that_a_home_without_runs_says_how_to_start_one(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    with desktop(qapp, tmp_path) as opened:
        qtbot.waitUntil(lambda: opened.regions.first.isVisible(), timeout=20_000)
        assert not opened.regions.board.isVisible()
    assert os.listdir(tmp_path) == []


def test_that_a_refused_key_is_said_and_changes_say_why_they_did_not_go(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, scripts: list[Script], monkeypatch: pytest.MonkeyPatch
) -> None:
    script = run_script(scripts, tmp_path)
    script.wait_for_line("step 40")
    monkeypatch.setenv("HELM_CONFIG_HOME", str(tmp_path / "another-user"))
    with desktop(qapp, tmp_path) as opened:
        qtbot.waitUntil(lambda: points(opened).get("train/m0") == 41, timeout=20_000)
        strip = opened.regions.strip
        qtbot.waitUntil(lambda: any("key" in one.text for one in strip.texts.warnings), timeout=20_000)
        session = session_of(opened)
        command = session.controls.compose("set_rate", {"value": "2.5"})
        session.controls.on_sent(command)
        opened.regions.controls.send_requested.emit(command)
        qtbot.waitUntil(lambda: bool(session.controls.controls[0].refused), timeout=20_000)
        assert "does not trust this user's key" in session.controls.controls[0].refused


def test_that_the_demo_button_starts_a_run_and_opens_its_board(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    monkeypatch.setenv("HELM_EXAMPLE_STEP_SECONDS", "0.05")
    with desktop(qapp, tmp_path) as opened:
        qtbot.waitUntil(lambda: opened.regions.first.isVisible(), timeout=20_000)
        button = next(b for b in opened.regions.first.findChildren(QPushButton) if b.text() == "Run the demo")
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        try:
            qtbot.waitUntil(lambda: points(opened).get("train/loss", 0) > 5, timeout=60_000)
            assert opened.regions.board.isVisible()
            assert opened.regions.strip.texts.name == "script-to-screen"
        finally:
            opened.demo.stop()


def test_that_going_to_and_fro_between_runs_takes_nothing_twice(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, scripts: list[Script]
) -> None:
    run_script(scripts, tmp_path, stop_at=10**6).wait_for_line("done")
    run_script(scripts, tmp_path).wait_for_line("step 40")
    with desktop(qapp, tmp_path) as opened:
        qtbot.waitUntil(lambda: opened.current.session is not None and opened.runs.total == 2, timeout=20_000)
        first, second = (opened.runs.run_at(row) for row in (1, 2))
        assert first is not None
        assert second is not None
        for turn in range(9):
            opened.run_list.open((first, second)[turn % 2].folder)
            qtbot.wait(turn * 7)
        qtbot.waitUntil(lambda: session_of(opened).complete, timeout=20_000)
        qtbot.waitUntil(lambda: set(points(opened).values()) == {41}, timeout=20_000)
        opened.run_list.open(second.folder)
        qtbot.waitUntil(lambda: set(points(opened).values()) == {60}, timeout=20_000)
