"""A rule with every kind of action fires on a real run: the desktop, programs and addresses are told."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import helm_sdk
from helm_desktop.app import Desktop
from helm_desktop.views.watch.action_row import ActionRow
from helm_desktop.window import notifier
from helpers.desktop import desktop, session_of
from helpers.hooks import listening
from helpers.scripts import helmctl

LEFT = Qt.MouseButton.LeftButton
PATIENCE_MS = 30_000
HANGS = "import time; time.sleep(600)"


def typed(row: ActionRow, **texts: str) -> None:
    """Type into the fields of an action."""
    for name, text in texts.items():
        row.fields[name].selectAll()
        QTest.keyClicks(row.fields[name], text)


def add_rule(window: Desktop, url: str, marker: Path) -> None:
    """By hand: above 2.5 it notifies and beeps, runs a program that ends and one that does not, calls."""
    window.navigation.show_watch()
    panel = window.regions.watch
    QTest.mouseClick(panel.new, LEFT)
    form = panel.form
    QTest.keyClicks(form.watched, "train/loss")
    QTest.keyClicks(form.value, "2.5")
    QTest.keyClicks(form.name, "Too high")
    QTest.keyClick(form.then.rows[0].beep, Qt.Key.Key_Space)
    for kind in ("run", "run", "webhook"):
        QTest.mouseClick(form.then.add[kind], LEFT)
    _, ends, hangs, call = form.then.rows
    touch = f"import os, pathlib; pathlib.Path({str(marker)!r}).write_text(os.environ['HELM_RULE_STEP'])"
    typed(ends, command=f'{sys.executable} -c "{touch}"')
    typed(hangs, command=f'{sys.executable} -c "{HANGS}"', timeout="1 s")
    typed(call, url=url)
    assert form.add.isEnabled(), form.complaint.text()
    QTest.mouseClick(form.add, LEFT)


def told(window: Desktop, text: str) -> bool:
    """Whether a line of the activity says so."""
    return any(text in line for line in window.regions.activity.lines())


@pytest.mark.skipif(os.name != "posix", reason="the program that stands in for notify-send is a shell script")
def test_that_a_rule_tells_the_desktop_runs_programs_and_calls(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, beeps, marker = tmp_path / "said", list[int](), tmp_path / "marker"
    program = tmp_path / "bin" / "notify-send"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >> {said}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(notifier, "tray_tells", lambda: False)
    monkeypatch.setattr(QApplication, "beep", lambda: beeps.append(1))
    with (
        listening() as (address, bodies),
        helm_sdk.init("acting", name="acted", home=tmp_path) as run,
        desktop(qapp, tmp_path) as window,
    ):
        run.log({"train/loss": 3.0}, step=0)  # before the rule: marked, and not acted on
        qtbot.waitUntil(
            lambda: (
                window.current.session is not None and window.current.session.streams.names == ["train/loss"]
            ),
            timeout=PATIENCE_MS,
        )
        qtbot.waitUntil(lambda: session_of(window).complete, timeout=PATIENCE_MS)
        add_rule(window, f"{address}/hook", marker)
        assert [mark.step for mark in session_of(window).marks.all() if mark.kind == "rule"] == [0]
        run.log({"train/loss": 1.0}, step=1)
        run.log({"train/loss": 4.0}, step=2)
        qtbot.waitUntil(lambda: bool(bodies) and marker.exists() and said.exists(), timeout=PATIENCE_MS)
        assert (bodies[0]["metric"], bodies[0]["step"], bodies[0]["value"]) == ("train/loss", 2, 4.0)
        qtbot.waitUntil(lambda: marker.read_text() == "2", timeout=PATIENCE_MS)
        assert said.read_text().splitlines()[-2:] == ["Too high · acted", "train/loss is 4 at step 2"]
        assert beeps == [1]
        hung = "longer than 1 s and was ended"
        qtbot.waitUntil(lambda: told(window, hung), timeout=PATIENCE_MS)
        assert [mark.step for mark in session_of(window).marks.all() if mark.kind == "rule"] == [0, 2]
        page_act(window, qtbot)
        run.log({"train/loss": 1.0}, step=3)
        run.log({"train/loss": 5.0}, step=4)
        qtbot.waitUntil(lambda: len(bodies) == 2, timeout=PATIENCE_MS)
        forbidden = "Settings, Notifications says that rules may not run programs"
        qtbot.waitUntil(lambda: told(window, forbidden), timeout=PATIENCE_MS)
        assert marker.read_text() == "2"
        qtbot.waitUntil(lambda: told(window, f"{forbidden} · call 127.0.0.1"), timeout=PATIENCE_MS)
        assert len(bodies) == 2  # once each, and never for what was there before
    shell = helmctl("watch", "acted", "--rules", home=tmp_path)  # by the file that the window keeps
    assert shell.returncode == 0, shell.stdout + shell.stderr


def page_act(window: Desktop, qtbot: QtBot) -> None:
    """Rules may run no programs from now on, by hand."""
    window.preferences.open("Notifications")
    page = window.preferences.page
    assert page is not None
    QTest.mouseClick(page.notifications.acts["run"], LEFT)
    QTest.mouseClick(page.done, LEFT)
