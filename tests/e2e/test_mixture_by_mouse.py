"""The mixture of a real child process, dragged by mouse in a real window, sent, and seen in the data."""

from __future__ import annotations

import random
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from helm_desktop.views.controls.mixture_editor import MixtureEditor
from helpers.desktop import desktop, session_of
from helpers.hands import click, drag, write
from helpers.qt_leaks import no_qt_leaks
from helpers.scripts import SCRIPTS, Script, start

__all__ = ["no_qt_leaks"]

pytestmark = pytest.mark.usefixtures("no_qt_leaks")


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Script]:
    running = start(SCRIPTS / "parts.py", home=tmp_path, env={"STEPS": "1000000", "PAUSE": "0.01"})
    yield running
    running.kill()


def button(of: QWidget, text: str) -> QPushButton:
    """The button with this word."""
    return next(found for found in of.findChildren(QPushButton) if found.text() == text)


def test_that_a_dragged_divider_changes_what_the_loop_draws(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, script: Script
) -> None:
    script.wait_for_line("in-parts")
    with desktop(qapp, tmp_path) as opened:
        qtbot.waitUntil(lambda: "set_mixture" in opened.regions.controls.cards, timeout=30_000)
        session = session_of(opened)
        card = opened.regions.controls.cards["set_mixture"]
        editor = card.findChild(MixtureEditor)
        assert isinstance(editor, MixtureEditor)
        send = button(card, "Send")
        assert not send.isEnabled(), "there is nothing to send before the draft differs from what is set"
        assert editor.draft.tenths == (400, 300, 200, 100)

        bar = editor.draft_bar
        drag(bar, 0.4, 0.6)
        web, code, math, books = editor.draft.tenths
        assert abs(web - 600) <= 10
        assert (web + code, math, books) == (700, 200, 100), "only the divider's neighbours change"

        qtbot.waitUntil(send.isEnabled)
        QTest.mouseClick(send, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: any(mark.kind == "change" for mark in session.marks.all()), timeout=30_000)
        step = next(mark.step for mark in session.marks.all() if mark.kind == "change")
        series = session.store.series["data/mix/web"]
        qtbot.waitUntil(lambda: (series.last_step or 0) > step + 20, timeout=30_000)
        steps, values = series.tail(10_000, since_step=step + 1)
        assert abs(float(values[:20].mean()) - web / 1000) < 0.1
        assert int(steps[0]) == step + 1
        control = session.controls.control("set_mixture")
        assert control is not None
        assert round(float(control.current.value["weights"]["weights"]["web"]) * 1000) == web


def test_that_forty_components_are_dragged_locked_and_typed(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    running = start(SCRIPTS / "sources.py", home=tmp_path, env={"COUNT": "40"})
    try:
        with desktop(qapp, tmp_path) as opened:
            qtbot.waitUntil(lambda: "set_mixture" in opened.regions.controls.cards, timeout=30_000)
            session = session_of(opened)
            card = opened.regions.controls.cards["set_mixture"]
            editor = card.findChild(MixtureEditor)
            assert isinstance(editor, MixtureEditor)
            assert editor.draft.tenths == (25,) * 40
            bar = editor.draft_bar
            drag(bar, 10 / 40, 10.6 / 40)
            tenths = editor.draft.tenths
            assert sum(tenths) == 1000
            assert 36 <= tenths[9] <= 44
            assert tenths[9] + tenths[10] == 50
            assert set(tenths[:9] + tenths[11:]) == {25}, "only the divider's neighbours change"

            rows = editor.rows
            rows.search.setFocus()
            QTest.keyClicks(rows.search, "source39")
            last = rows.rows[39]
            qtbot.waitUntil(lambda: last.draft.isVisible() and not rows.rows[0].draft.isVisible())
            QTest.mouseClick(rows.rows[39].lock, Qt.MouseButton.LeftButton)
            assert editor.draft.is_locked(39)
            rows.search.clear()
            QTest.keyClicks(rows.search, "source00")
            first = rows.rows[0].draft
            qtbot.waitUntil(first.isVisible)
            QTest.mouseDClick(first, Qt.MouseButton.LeftButton)
            first.selectAll()
            QTest.keyClicks(first, "30")
            QTest.keyClick(first, Qt.Key.Key_Return)
            typed = editor.draft.tenths
            assert (typed[0], typed[39], sum(typed)) == (300, 25, 1000)

            send = button(card, "Send")
            qtbot.waitUntil(send.isEnabled)
            opened.regions.controls._area.ensureWidgetVisible(send)
            QTest.mouseClick(send, Qt.MouseButton.LeftButton)
            qtbot.waitUntil(
                lambda: any(mark.kind == "change" for mark in session.marks.all()), timeout=30_000
            )
            step = next(mark.step for mark in session.marks.all() if mark.kind == "change")
            series = session.store.series["data/mix/source00"]
            qtbot.waitUntil(lambda: (series.last_step or 0) > step + 10, timeout=30_000)
            _, values = series.tail(10_000, since_step=step + 1)
            assert abs(float(values.mean()) - 0.3) < 0.05
            control = session.controls.control("set_mixture")
            assert control is not None
            sent = control.current.value["weights"]["weights"]
            assert [round(float(sent[name]) * 1000) for name in editor.names] == list(typed)
    finally:
        running.kill()


def deed(editor: MixtureEditor, draw: random.Random) -> tuple[str, set[int]]:
    """One thing that a hand does to the draft; its kind, and the components that it may change."""
    bar, everything = editor.draft_bar, set(range(len(editor.names)))
    index = draw.randrange(len(editor.names))
    row = editor.rows.rows[index]
    match draw.choice(["drag", "drag", "drag", "key", "type", "type", "lock", "even", "reset"]):
        case "drag":
            x = round(bar.divider_x(draw.randrange(len(editor.names) - 1)))
            taken = bar.divider_at(x)
            assert taken is not None
            drag(bar, x / bar.width(), draw.uniform(-0.1, 1.1))
            return "drag", {taken, taken + 1} if bar.is_free(taken) else set()
        case "key":
            bar.setFocus()
            QTest.keyClick(bar, draw.choice([Qt.Key.Key_Up, Qt.Key.Key_Down]))
            held = (
                Qt.KeyboardModifier.ShiftModifier if draw.random() < 0.3 else Qt.KeyboardModifier.NoModifier
            )
            QTest.keyClick(bar, draw.choice([Qt.Key.Key_Left, Qt.Key.Key_Right]), held)
            return "key", {bar.selected, bar.selected + 1} if bar.is_free(bar.selected) else set()
        case "type":
            write(
                row.draft, draw.choice(["0", "100", "33.3%", f"{draw.uniform(0, 100):.1f}", "120", "x", "-1"])
            )
            QTest.keyClick(row.draft, Qt.Key.Key_Return)
            return "type", everything
        case "lock":
            click(row.lock)
            return "lock", set()
        case "even":
            click(editor.even)
            return "even", everything
        case _:
            click(editor.reset)
            return "reset", everything


@pytest.mark.parametrize("count", [4, 40])
def test_that_any_sequence_of_deeds_keeps_every_promise_and_what_is_shown_is_drawn(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, count: int
) -> None:
    running = start(SCRIPTS / "sources.py", home=tmp_path, env={"COUNT": str(count)})
    try:
        with desktop(qapp, tmp_path) as opened:
            qtbot.waitUntil(lambda: "set_mixture" in opened.regions.controls.cards, timeout=30_000)
            card = opened.regions.controls.cards["set_mixture"]
            editor = card.findChild(MixtureEditor)
            assert isinstance(editor, MixtureEditor)
            draw, moved = random.Random(count), 0
            for _ in range(120):
                before = editor.draft.tenths
                locked = {place for place in range(count) if editor.draft.is_locked(place)}
                kind, may_change = deed(editor, draw)
                tenths = editor.draft.tenths
                assert sum(tenths) == 1000, kind
                assert min(tenths) >= 0, kind
                changed = {place for place in range(count) if tenths[place] != before[place]}
                assert changed <= may_change - (locked if kind != "lock" else set()), kind
                moved += kind == "drag" and bool(changed)
                if not editor.problem():
                    shown = [Decimal(row.draft.text().rstrip("%")) for row in editor.rows.rows]
                    assert sum(shown) == Decimal("100.0")
                    assert [int(10 * part) for part in shown] == list(tenths)
            assert moved > 5
            for row in editor.rows.rows:
                if row.lock.isChecked():
                    click(row.lock)
            click(editor.even)
            drag(editor.draft_bar, 1 / count, 1.6 / count)
            shown_last = [row.draft.text() for row in editor.rows.rows]
            qtbot.waitUntil(card.send.isEnabled)
            click(card.send)
            control = session_of(opened).controls.control("set_mixture")
            assert control is not None
            qtbot.waitUntil(lambda: control.changed, timeout=30_000)
            sent = control.current.value["weights"]["weights"]
            assert [Decimal(sent[name]) * 100 for name in editor.names] == [
                Decimal(text.rstrip("%")) for text in shown_last
            ]
    finally:
        running.kill()
