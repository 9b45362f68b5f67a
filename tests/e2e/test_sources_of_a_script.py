"""The sources of the example script, from the gear menu and the palette: who writes what, how often."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from helm_desktop.app import Desktop
from helm_desktop.views.sources import SourcesPage
from helm_desktop.views.sources.table import SourceTable
from helpers.desktop import desktop, session_of
from helpers.scripts import Script, start

EXAMPLE = Path(__file__).parents[2] / "resources" / "examples" / "script_to_screen.py"
CONTROL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton
STEPS = 41


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Script]:
    """The example, shortened."""
    text = f"import runpy, sys; sys.argv = ['example', '--steps', '{STEPS}']; "
    text += f"runpy.run_path({str(EXAMPLE)!r}, run_name='__main__')"
    started = start(text, home=tmp_path)
    started.wait_for_line("^helm: run ")
    yield started
    started.kill()


def rows(table: SourceTable[Any]) -> dict[str, dict[str, str]]:
    """What is shown of each name, by column."""
    titles = [column.title for column in table.rows.columns]
    count = table.rows.rowCount()
    lines = [[str(table.rows.index(row, at).data()) for at in range(len(titles))] for row in range(count)]
    return {line[0]: dict(zip(titles, line, strict=True)) for line in lines}


def from_the_gear(window: Desktop, qtbot: QtBot) -> SourcesPage:
    """Chosen in the strip's menu by keys."""
    menu = window.regions.strip._gear.menu()
    menu.popup(window.regions.strip._gear.mapToGlobal(window.regions.strip._gear.rect().bottomLeft()))
    QTest.keyClick(menu, Qt.Key.Key_Down)
    assert menu.activeAction().text() == "Sources…"
    QTest.keyClick(menu, Qt.Key.Key_Return)
    page = window.sources.page
    assert page is not None
    assert page.isVisible()
    return page


def test_that_the_example_s_sources_are_what_it_wrote_and_declared(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, script: Script
) -> None:
    with desktop(qapp, tmp_path) as window:
        qtbot.waitUntil(lambda: window.current.session is not None, timeout=60_000)
        page = from_the_gear(window, qtbot)
        assert script.finish() == 0
        session = session_of(window)
        qtbot.waitUntil(lambda: session.status.state.ended and session.complete, timeout=60_000)
        qtbot.waitUntil(lambda: rows(page.streams)["train/loss"]["Lost"] == "0", timeout=20_000)
        streams = rows(page.streams)
        health = [name for name in streams if name.startswith("health/")]
        assert health
        for name in [*health, *(f"data/mix/{source}" for source in ("web", "code", "math", "books"))]:
            row = streams[name]
            assert (row["Written by"], row["Spacing"], row["Points"]) == ("rank-0", "every 10 steps", "5")
            assert row["Last write"].startswith("step 40, ")
            assert (row["Lost"], row["Repaired"]) == ("0", "0")
        loss = streams["train/loss"]
        assert (loss["Spacing"], loss["Points"]) == ("every step", str(STEPS))
        qtbot.waitUntil(
            lambda: rows(page.controls).get("lr", {}).get("Available") == "no: the run has ended",
            timeout=20_000,
        )
        controls = rows(page.controls)
        assert {name: row["Declared by"] for name, row in controls.items()} == {
            **dict.fromkeys(("lr", "weight_decay", "grad_clip", "checkpoint", "eval"), "trainer"),
            "set_mixture": "script",
        }
        assert controls["set_mixture"]["Safe point"] == "after_step"
        assert controls["lr"]["Safe point"] == "trainer.step"
        qtbot.waitUntil(lambda: rows(page.processes)["rank-0"]["State"] == "finished", timeout=20_000)
        (process,) = rows(page.processes).values()
        assert (process["Role"], process["Attempt"]) == ("trainer", "1")
        assert process["Pid"] == str(script.process.pid)


def test_that_keys_and_the_palette_open_them_and_escape_leads_back(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    with desktop(qapp, tmp_path) as window:
        window.window.activateWindow()
        qtbot.waitUntil(window.window.isActiveWindow)
        QTest.keyClick(window.window, Qt.Key.Key_K, CONTROL)
        palette = window.palette.palette
        assert palette is not None
        QTest.keyClicks(palette.field, "sources")
        QTest.keyClick(palette.field, Qt.Key.Key_Return)
        page = window.sources.page
        assert page is not None
        assert page.isVisible()
        assert page.list.hasFocus()
        QTest.keyClick(page.list, Qt.Key.Key_Comma, CONTROL)  # the settings, over them
        assert not page.isVisible()
        QTest.keyClick(window.window, Qt.Key.Key_O, CONTROL | Qt.KeyboardModifier.ShiftModifier)
        assert page.isVisible()
        QTest.keyClick(page.list, Qt.Key.Key_Escape)
        assert not page.isVisible()
        assert window.preferences.page is not None
        QTest.mouseClick(window.preferences.page.done, LEFT)
        assert window.regions.runs.isVisible()
