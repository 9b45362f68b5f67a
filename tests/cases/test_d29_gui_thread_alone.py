"""A burst from a run changes models and charts on the window's own thread, and the charts keep up."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from helm_desktop.model.controls.controls_model import ControlsModel
from helm_desktop.model.run.activity import ActivityModel
from helm_desktop.model.run.session import Session
from helm_desktop.views.board.chart.renderer import ChartRenderer
from helm_desktop.views.board.content.content import ChartContent
from helpers.desktop import desktop
from helpers.scripts import start

STEPS = 20_000
SCRIPT = f"""
import sys, helm_sdk
run = helm_sdk.init("burst")
rate = run.tunable("rate", 1.0)
print("folder", run.folder, flush=True)
for step in range({STEPS}):
    run.log({{f"train/m{{i}}": float(step * i) for i in range(8)}}, step=step)
    run.sync("after_step", step)
run.finish()
print("finished", flush=True)
"""
WATCHED: list[tuple[type[Any], str]] = [
    (Session, "apply"),
    (ControlsModel, "apply_event"),
    (ActivityModel, "add"),
    (ChartRenderer, "refresh"),
    (ChartContent, "set_spec"),
]


def test_that_a_burst_is_taken_and_drawn_on_the_windows_thread_alone(
    qapp: QApplication, qtbot: QtBot, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D29"""
    threads: dict[str, set[int]] = {}

    def noting(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*arguments: Any, **more: Any) -> Any:
            threads.setdefault(name, set()).add(threading.get_ident())
            return call(*arguments, **more)

        return noted

    for kind, method in WATCHED:
        monkeypatch.setattr(kind, method, noting(f"{kind.__name__}.{method}", getattr(kind, method)))
    with desktop(qapp, home) as opened:
        script = start(SCRIPT, home=home)
        try:
            script.wait_for_line("^finished$")

            def held() -> set[tuple[int, int]]:
                facts = opened.regions.board.chart_reports()
                return {(chart.points, chart.drawn_points) for chart in facts if chart.visible}

            qtbot.waitUntil(
                lambda: bool(held()) and {points for points, _ in held()} == {STEPS}, timeout=30_000
            )
            qtbot.waitUntil(lambda: all(drawn > 0 for _, drawn in held()), timeout=30_000)
        finally:
            script.kill()
    assert {"Session.apply", "ActivityModel.add", "ChartRenderer.refresh"} <= threads.keys()
    assert {ident for seen in threads.values() for ident in seen} == {threading.get_ident()}
