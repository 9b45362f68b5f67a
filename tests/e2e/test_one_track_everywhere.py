"""A request's states and times are one thing, wherever they are read, and whoever dies on the way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from helm_sdk.keys import load_keys, trust
from helm_sdk.record.commands import history_of
from helm_sdk.record.runs import find_run
from helpers.desktop import desktop, session_of
from helpers.qt_leaks import no_qt_leaks
from helpers.scripts import SCRIPTS, Script, helmctl, shown, start

__all__ = ["no_qt_leaks"]

pytestmark = pytest.mark.usefixtures("no_qt_leaks")
Track = list[tuple[str, float, int | None]]


class Gate:
    """The loop's steps, let through one at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def open(self, steps: int = 1) -> None:
        """Let so many steps run."""
        with self.path.open("ab") as file:
            file.write(b"." * steps)


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    return Gate(tmp_path / "gate")


@pytest.fixture
def script(tmp_path: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch) -> Iterator[Script]:
    monkeypatch.setenv("HELM_CONFIG_HOME", str(tmp_path / "config"))
    running = start(SCRIPTS / "gated.py", home=tmp_path, env={"GATE": str(gate.path)})
    try:
        running.wait_for_line("gated is ready")
        gate.open(2)
        yield running
    finally:
        running.kill()


def in_file(home: Path, control: str) -> tuple[str, str, Track]:
    """State, message and track as the run's files have them."""
    folder = find_run(home, "latest")
    readers = folder.readers()
    try:
        (record,) = history_of(readers, ended=folder.state().ended).of(control)
    finally:
        for reader in readers:
            reader.close()
    return record.state, record.message, [(one.state, one.time, one.step) for one in record.track]


def in_shell(home: Path, control: str) -> tuple[str, str, Track]:
    """As `helmctl show --json` says."""
    (change,) = [one for one in shown(home=home)["changes"] if one["control"] == control]
    track = [(one["state"], one["time"], one["step"]) for one in change["states"]]
    return change["state"], change.get("message") or "", track


def in_app(qapp: QApplication, qtbot: QtBot, home: Path, control: str, state: str) -> tuple[str, str, Track]:
    """As an app shows it that is started now."""
    with desktop(qapp, home) as opened:
        qtbot.waitUntil(lambda: control in opened.screen.controls.cards, timeout=30_000)
        session = session_of(opened)
        qtbot.waitUntil(lambda: session.complete, timeout=30_000)
        model = session.controls
        qtbot.waitUntil(lambda: [one.state for one in model.changes(control)] == [state], timeout=10_000)
        (record,) = model.changes(control)
        card = opened.screen.controls.cards[control]
        card.set_open(True)
        card.refresh()
        lines = [(entry.state, entry.time) for entry in card.entries.shown]
        assert lines[: len(record.track)] == [(one.state, one.time) for one in record.track]
        return record.state, record.message, [(one.state, one.time, one.step) for one in record.track]


def wait_for(qtbot: QtBot, home: Path, control: str, state: str) -> None:
    """Until the run has written that state."""
    qtbot.waitUntil(lambda: in_file(home, control)[0] == state, timeout=30_000)


def the_same(qapp: QApplication, qtbot: QtBot, home: Path, control: str, state: str) -> Track:
    """The one track that all three have, in that state."""
    app = in_app(qapp, qtbot, home, control, state)
    shell, file = in_shell(home, control), in_file(home, control)
    assert app == shell == file
    assert file[0] == state
    return file[2]


def app_that(home: Path, control: str, state: str, *, send: bool) -> None:
    """An app in a process of its own that is killed once it has seen a state."""
    env: dict[str, Any] = {"CONTROL": control, "SEND": str(int(send)), "QT_QPA_PLATFORM": "offscreen"}
    app = start(SCRIPTS / "app_that_sends.py", home=home, env=env)
    try:
        app.wait_for_line(f"app sees: {state}")
    finally:
        app.kill()


def test_that_an_app_killed_between_two_states_shows_the_true_one_when_it_comes_back(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, script: Script, gate: Gate
) -> None:
    app_that(tmp_path, "lr", "waiting", send=True)
    first = the_same(qapp, qtbot, tmp_path, "lr", "waiting")
    gate.open()
    wait_for(qtbot, tmp_path, "lr", "applied")
    second = the_same(qapp, qtbot, tmp_path, "lr", "applied")
    app_that(tmp_path, "lr", "applied", send=False)
    gate.open()
    wait_for(qtbot, tmp_path, "lr", "confirmed")
    third = the_same(qapp, qtbot, tmp_path, "lr", "confirmed")
    assert second[: len(first)] == first
    assert third[: len(second)] == second
    assert [state for state, _, _ in third] == ["received", "waiting", "applied", "confirmed"]
    assert [time for _, time, _ in third] == sorted(time for _, time, _ in third)


def test_that_a_request_whose_run_is_killed_has_failed_everywhere(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, script: Script, gate: Gate
) -> None:
    app_that(tmp_path, "reload", "awaiting approval", send=True)
    asked = the_same(qapp, qtbot, tmp_path, "reload", "awaiting approval")
    (change,) = [one for one in shown(home=tmp_path)["changes"] if one["control"] == "reload"]
    other = tmp_path / "other"
    trust("ada", load_keys(other / "keys").public)
    env = {"HELM_CONFIG_HOME": str(other)}
    done = helmctl("approve", "latest", change["id"], "--reason", "fine", home=tmp_path, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    wait_for(qtbot, tmp_path, "reload", "waiting")
    waiting = the_same(qapp, qtbot, tmp_path, "reload", "waiting")
    assert waiting[: len(asked)] == asked
    assert shown(home=tmp_path)["changes"][0]["approver"] == "ada"
    script.kill()
    failed = the_same(qapp, qtbot, tmp_path, "reload", "failed")
    assert failed == waiting, "a dead process writes nothing: readers say that it failed"
    assert in_shell(tmp_path, "reload")[1] == "the run ended first"
