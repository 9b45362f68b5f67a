"""A burst from the link thread is drawn by the GUI thread alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QThread
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from helm_desktop.model.session import Session
from helm_desktop.views.board.chart import ChartView
from helpers.desktop import desktop
from helpers.qt_leaks import no_qt_leaks
from helpers.scripts import Script, start

__all__ = ["no_qt_leaks"]

BURST = """
import helm_sdk
run = helm_sdk.init("p", name="burst")
for step in range(20_000):
    run.log({f"train/m{i}": float(step) for i in range(5)}, step=step)
print("logged", flush=True)
run.finish()
"""


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Script]:
    """A run that logs as fast as it can."""
    started = start(BURST, home=tmp_path)
    yield started
    started.kill()


@pytest.mark.usefixtures("no_qt_leaks")
def test_that_a_burst_touches_models_and_charts_in_the_gui_thread_alone(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D29: the receiver is another thread; the picture goes on and no widget is touched from there."""
    gui = qapp.thread()
    elsewhere: list[str] = []
    calls = {"take": 0, "refresh": 0}
    take, refresh = Session.take, ChartView.refresh

    def watched_take(session: Session, news: Sequence[Any]) -> None:
        calls["take"] += 1
        elsewhere.extend(["take"] if QThread.currentThread() is not gui else [])
        take(session, news)

    def watched_refresh(chart: ChartView) -> None:
        calls["refresh"] += 1
        elsewhere.extend(["refresh"] if QThread.currentThread() is not gui else [])
        refresh(chart)

    monkeypatch.setattr(Session, "take", watched_take)
    monkeypatch.setattr(ChartView, "refresh", watched_refresh)
    with desktop(qapp, tmp_path) as opened:
        qtbot.waitUntil(lambda: opened.screen.strip.words.state == "finished", timeout=40_000)
        qtbot.waitUntil(lambda: opened.screen.board.drawn, timeout=20_000)
        assert {chart.points for chart in opened.screen.board.facts()} == {20_000}
    assert elsewhere == []
    assert calls["take"] > 1
    assert calls["refresh"] >= 5
