"""A request's states and times are one thing, wherever they are read, and whoever dies on the way."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

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
WORDS = {"confirmed": "ran at"}  # where a card says more than the state's name


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
def script(
    tmp_path: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Script]:
    """The plain loop with a control for every way to end, or the one that is named."""
    monkeypatch.setenv("HELM_CONFIG_HOME", str(tmp_path / "config"))
    name = getattr(request, "param", "asked.py")
    running = start(SCRIPTS / name, home=tmp_path, env={"GATE": str(gate.path)})
    try:
        running.wait_for_line("the loop is ready")
        gate.open(2)
        yield running
    finally:
        running.kill()


def in_file(home: Path, control: str) -> tuple[str, str, Track]:
    """State, message and track of the first request as the run's files have them."""
    folder = find_run(home, "latest")
    readers = folder.readers()
    try:
        records = history_of(readers, ended=folder.state().ended).of(control)
    finally:
        for reader in readers:
            reader.close()
    if not records:
        return "", "", []
    record = records[0]
    return record.state, record.message, [(one.state, one.time, one.step) for one in record.track]


def in_shell(home: Path, control: str) -> tuple[str, str, Track]:
    """As `helmctl show --json` says."""
    change = next(one for one in shown(home=home)["changes"] if one["control"] == control)
    track = [(one["state"], one["time"], one["step"]) for one in change["states"]]
    return change["state"], change.get("message") or "", track


def in_app(qapp: QApplication, qtbot: QtBot, home: Path, control: str, state: str) -> tuple[str, str, Track]:
    """As an app shows it that is started now."""
    with desktop(qapp, home) as opened:
        qtbot.waitUntil(lambda: control in opened.regions.controls.cards, timeout=30_000)
        session = session_of(opened)
        qtbot.waitUntil(lambda: session.complete, timeout=30_000)
        model = session.controls
        qtbot.waitUntil(
            lambda: [one.state for one in model.commands.of(control)][-1:] == [state], timeout=10_000
        )
        *newer, record = model.commands.of(control)
        card = opened.regions.controls.cards[control]
        card.set_open(True)
        card.refresh()
        if not newer:
            lines = [(entry.state, entry.time) for entry in card.entries.shown]
            assert lines[: len(record.track)] == [(one.state, one.time) for one in record.track]
            assert lines[-1][0] == state
            assert any(WORDS.get(state, state) in step.text for step in card.track.steps)
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
    times = [time for _, time, _ in file[2]]
    assert times == sorted(times)
    return file[2]


@contextmanager
def app_that(home: Path, control: str, do: str, **how: str) -> Iterator[Script]:
    """An app in a process of its own; killed at the end, whatever it is at."""
    env = {"CONTROL": control, "DO": do, "QT_QPA_PLATFORM": "offscreen", **how}
    app = start(SCRIPTS / "app_that_sends.py", home=home, env=env)
    try:
        yield app
    finally:
        app.kill()


def killed_at(home: Path, control: str, state: str, **how: str) -> None:
    """An app that sends, and is killed once it has seen a state."""
    with app_that(home, control, "send", **how) as app:
        app.wait_for_line(f"app sees: {state}")


def decide(home: Path, control: str, *words: str) -> None:
    """Another person approves or refuses the request, from a shell with a key of its own."""
    other = home / "other"
    trust("ada", load_keys(other / "keys").public)
    (change,) = [one for one in shown(home=home)["changes"] if one["control"] == control]
    env = {"HELM_CONFIG_HOME": str(other)}
    done = helmctl("approve", "latest", change["id"], *words, home=home, env=env)
    assert done.returncode == 0, done.stdout + done.stderr


LR, RATE = ({"FORM": json.dumps({name: "5e-3"})} for name in ("lr", "value"))


@pytest.mark.parametrize("script", ["gated.py"], indirect=True)
def test_that_an_app_killed_between_two_states_shows_the_true_one_when_it_comes_back(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, script: Script, gate: Gate
) -> None:
    killed_at(tmp_path, "lr", "waiting", **LR)
    first = the_same(qapp, qtbot, tmp_path, "lr", "waiting")
    gate.open()
    wait_for(qtbot, tmp_path, "lr", "applied")
    second = the_same(qapp, qtbot, tmp_path, "lr", "applied")
    with app_that(tmp_path, "lr", "look") as app:
        app.wait_for_line("app sees: applied")
    gate.open()
    wait_for(qtbot, tmp_path, "lr", "confirmed")
    third = the_same(qapp, qtbot, tmp_path, "lr", "confirmed")
    assert second[: len(first)] == first
    assert third[: len(second)] == second
    assert [state for state, _, _ in third] == ["received", "waiting", "applied", "confirmed"]


def test_that_an_app_killed_before_the_run_has_heard_of_its_request_shows_what_became_of_it(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, script: Script, gate: Gate
) -> None:
    with app_that(tmp_path, "rate", "look", **RATE) as app:  # the run has to be known before it holds still
        app.wait_for_line("app has its card")
        script.process.send_signal(signal.SIGSTOP)
        try:
            app.process.send_signal(signal.SIGUSR1)
            app.wait_for_line("app sees: requested")
        finally:
            app.kill()
            script.process.send_signal(signal.SIGCONT)
    wait_for(qtbot, tmp_path, "rate", "waiting")
    track = the_same(qapp, qtbot, tmp_path, "rate", "waiting")
    assert [state for state, _, _ in track] == ["received", "waiting"]


@dataclass(frozen=True)
class Way:
    """How a request ends while the app that sent it is dead."""

    control: str
    seen: str  # the state at which the app is killed
    ends: str
    says: str
    form: dict[str, str] = field(default_factory=dict)
    expires: str = ""


WAYS = {
    "refused": Way("reload", "awaiting approval", "rejected", "refused by ada: not now"),
    "never approved": Way("reload", "awaiting approval", "expired", "step 2 had passed", expires="2"),
    "withdrawn unapproved": Way("reload", "awaiting approval", "cancelled", "cancelled by"),
    "replaced unapproved": Way("reload", "awaiting approval", "superseded", "replaced by"),
    "never served": Way("later", "waiting", "expired", "step 2 had passed", expires="2"),
    "out of time": Way("later", "waiting", "expired", "its time had passed", expires="2 s"),
    "withdrawn": Way("rate", "waiting", "cancelled", "cancelled by", RATE),
    "replaced": Way("rate", "waiting", "superseded", "replaced by", RATE),
    "raises": Way("broken", "waiting", "failed", "the disk is gone"),
}


@pytest.mark.parametrize("name", WAYS)
def test_that_a_request_that_ends_while_its_app_is_dead_has_one_end_everywhere(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, script: Script, gate: Gate, name: str
) -> None:
    way = WAYS[name]
    killed_at(tmp_path, way.control, way.seen, EXPIRES=way.expires, **way.form)
    before = in_file(tmp_path, way.control)[2]
    if name == "refused":
        decide(tmp_path, way.control, "--refuse", "--reason", "not now")
    elif name.startswith("withdrawn"):
        with app_that(tmp_path, way.control, "withdraw") as app:
            app.wait_for_line("app sees: cancelled")
    elif name.startswith("replaced"):
        with app_that(
            tmp_path, way.control, "send", INSTEAD="1", FORM='{"value": "7e-3"}' if way.form else "{}"
        ) as app:
            app.wait_for_line(f"app sees: {way.seen}, superseded")
    else:
        gate.open(3)
    wait_for(qtbot, tmp_path, way.control, way.ends)
    track = the_same(qapp, qtbot, tmp_path, way.control, way.ends)
    assert track[: len(before)] == before
    assert [state for state, _, _ in track] == [*(state for state, _, _ in before), way.ends]
    assert way.says in in_shell(tmp_path, way.control)[1]


def test_that_a_request_whose_run_is_killed_has_failed_everywhere(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, script: Script, gate: Gate
) -> None:
    killed_at(tmp_path, "reload", "awaiting approval")
    asked = the_same(qapp, qtbot, tmp_path, "reload", "awaiting approval")
    decide(tmp_path, "reload", "--reason", "fine")
    wait_for(qtbot, tmp_path, "reload", "waiting")
    waiting = the_same(qapp, qtbot, tmp_path, "reload", "waiting")
    assert waiting[: len(asked)] == asked
    assert shown(home=tmp_path)["changes"][0]["approver"] == "ada"
    with app_that(tmp_path, "reload", "look") as app:
        app.wait_for_line("app sees: waiting")
        script.kill()
        app.wait_for_line(r"app sees: failed \| .*the run ended first")
    failed = the_same(qapp, qtbot, tmp_path, "reload", "failed")
    assert failed == waiting, "a dead process writes nothing: readers say that it failed"
    assert in_shell(tmp_path, "reload")[1] == "the run ended first"


def test_that_a_killed_run_leaves_what_it_applied_as_it_was(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, script: Script, gate: Gate
) -> None:
    killed_at(tmp_path, "rate", "waiting", **RATE)
    killed_at(tmp_path, "reload", "awaiting approval")
    gate.open()
    wait_for(qtbot, tmp_path, "rate", "applied")
    applied = the_same(qapp, qtbot, tmp_path, "rate", "applied")
    script.kill()
    assert the_same(qapp, qtbot, tmp_path, "rate", "applied") == applied
    the_same(qapp, qtbot, tmp_path, "reload", "failed")
    assert in_shell(tmp_path, "reload")[1] == "the run ended first"
