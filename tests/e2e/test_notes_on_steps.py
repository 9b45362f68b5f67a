"""A real run: notes put on steps by mouse and keys in the real window, kept in user.json, seen everywhere."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from helm_desktop.app import Desktop
from helm_desktop.views.board.chart.chart import ChartView
from helm_desktop.views.note_field import NoteField
from helm_sdk.record.user import read_user, set_step_note
from helpers.charts import point
from helpers.desktop import desktop, session_of
from helpers.qt_leaks import no_qt_leaks
from helpers.scripts import Script, start

__all__ = ["no_qt_leaks"]

pytestmark = pytest.mark.usefixtures("no_qt_leaks")

LOOP = """
import os, time, helm_sdk
run = helm_sdk.init("notes", name="noted")
for step in range(101):
    run.log({"loss": 1.0 / (step + 1), "other": float(step)}, step=step)
run.flush()
print("logged", flush=True)
while LIVE and not os.path.exists(GATE):
    time.sleep(0.01)
run.finish()
print("done", flush=True)
"""


def run_script(scripts: list[Script], home: Path, *, live: bool) -> Path:
    """The run's folder, once everything is logged."""
    text = LOOP.replace("LIVE", str(live)).replace("GATE", repr(str(home / "gate")))
    scripts.append(start(text, home=home))
    scripts[-1].wait_for_line("logged" if live else "done")
    (folder,) = (home / "runs" / "notes").iterdir()
    return folder


def ready(qtbot: QtBot, opened: Desktop) -> list[ChartView]:
    """Both charts, drawn with all their points."""
    board = opened.regions.board

    def drawn() -> bool:
        charts = list(board.charts)
        return len(charts) == 2 and all(
            chart.content.point_count == 101 and not chart.renderer.dirty for chart in charts
        )

    qtbot.waitUntil(
        lambda: opened.current.session is not None and session_of(opened).complete, timeout=20_000
    )
    qtbot.waitUntil(drawn, timeout=20_000)
    return list(board.charts)


def field_of(opened: Desktop) -> NoteField:
    """Where notes are typed."""
    (field,) = opened.window.findChildren(NoteField)
    return field


def menu_at(chart: ChartView, share: float) -> list[QMenu]:
    """The menu of a right click so far along the picture."""
    point(chart, share)
    viewport = chart.plot.viewport()
    place = viewport.mapFrom(chart, chart.parts.point_at(100 * share))
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, viewport.mapToGlobal(place))
    QApplication.sendEvent(viewport, event)
    return [menu for menu in chart.findChildren(QMenu) if menu.isVisible()]


def click_words(menu: QMenu, words: str) -> None:
    """The real mouse on one of its entries."""
    action = next(action for action in menu.actions() if action.text().startswith(words))
    QTest.mouseClick(
        menu, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, menu.actionGeometry(action).center()
    )


def notes_on(chart: ChartView) -> list[tuple[int, str]]:
    """The notes that a chart marks."""
    return [(mark.step, mark.text) for mark in chart.content.marks if mark.kind == "note"]


def everywhere(opened: Desktop, *notes: tuple[int, str]) -> bool:
    """Whether every chart and Activity has these notes and no other."""
    charts = all(notes_on(chart) == list(notes) for chart in opened.regions.board.charts)
    lines = [row for row in opened.regions.activity.lines() if "trainer" not in row and "finished" not in row]
    return charts and lines == [f"{step} {text}" for step, text in reversed(notes)]


def test_that_a_note_by_right_click_is_kept_and_shown_on_every_chart_and_in_a_second_window(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, scripts: list[Script]
) -> None:
    folder = run_script(scripts, tmp_path, live=True)
    with desktop(qapp, tmp_path) as opened, desktop(qapp, tmp_path) as second:
        charts, _ = ready(qtbot, opened), ready(qtbot, second)
        (menu,) = menu_at(charts[0], 0.5)
        click_words(menu, "Add a note to step 50…")
        field = field_of(opened)
        assert field.isVisible()
        assert field.title.text() == "Note on step 50"
        assert not field.save.isEnabled()
        QTest.keyClicks(field.edit, "data shard ")
        QTest.keyClick(field.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        QTest.keyClicks(field.edit, "was swapped")
        QTest.keyClick(field.edit, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: everywhere(opened, (50, "data shard \nwas swapped")), timeout=20_000)
        assert not field.isVisible()
        assert read_user(folder).step_notes == {"50": "data shard \nwas swapped"}
        qtbot.waitUntil(lambda: everywhere(second, (50, "data shard \nwas swapped")), timeout=20_000)
        point(charts[1], 0.5)
        assert "step 50: data shard \nwas swapped" in charts[1].pointer.tip_text()
        assert charts[1].content.mark_positions.has_note(50)
        (tmp_path / "gate").touch()
        scripts[0].wait_for_line("done")


def test_that_another_process_writes_a_note_and_the_window_edits_and_deletes_it_by_keys(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, scripts: list[Script]
) -> None:
    folder = run_script(scripts, tmp_path, live=False)
    with desktop(qapp, tmp_path) as opened:
        charts = ready(qtbot, opened)
        write = "import sys, pathlib; from helm_sdk.record.user import set_step_note; "
        write += "set_step_note(pathlib.Path(sys.argv[1]), 100, 'from elsewhere')"
        subprocess.run([sys.executable, "-c", write, str(folder)], check=True, timeout=60)
        qtbot.waitUntil(lambda: everywhere(opened, (100, "from elsewhere")), timeout=20_000)

        chart = charts[0]
        chart.setFocus()
        QTest.keyClick(chart, Qt.Key.Key_Comma)  # the last point
        QTest.keyClick(chart, Qt.Key.Key_N)
        field = field_of(opened)
        assert field.edit.toPlainText() == "from elsewhere"
        assert field.delete.isVisible()
        QTest.keyClicks(field.edit, "changed")
        QTest.keyClick(field.edit, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: everywhere(opened, (100, "changed")), timeout=20_000)

        chart.setFocus()
        for _ in range(3):
            QTest.keyClick(chart, Qt.Key.Key_Less, Qt.KeyboardModifier.ShiftModifier)
        away = chart.crosshair.step
        assert away is not None
        assert 0 < away < 100
        QTest.keyClick(chart, Qt.Key.Key_N)
        QTest.keyClicks(field.edit, "given up")
        QTest.keyClick(field.edit, Qt.Key.Key_Escape)
        assert not field.isVisible()
        QTest.keySequence(opened.window, "Ctrl+M")
        assert field.isVisible()
        assert field.step == away
        QTest.keyClick(field.edit, Qt.Key.Key_Escape)

        activity = opened.regions.activity
        activity.rows.setFocus()
        activity.kinds.setCurrentText("notes")
        activity.rows.setCurrentIndex(activity.rows.model().index(0, 0))
        QTest.keyClick(activity.rows, Qt.Key.Key_E)
        assert field.step == 100
        assert field.edit.toPlainText() == "changed"
        QTest.keyClick(field.edit, Qt.Key.Key_Escape)
        QTest.keyClick(activity.rows, Qt.Key.Key_Delete)
        qtbot.waitUntil(lambda: everywhere(opened), timeout=20_000)
        assert read_user(folder).step_notes == {}
        assert activity.nothing.isVisible()


def test_that_a_note_is_there_after_a_restart_and_a_click_on_it_goes_to_its_step(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, scripts: list[Script]
) -> None:
    folder = run_script(scripts, tmp_path, live=False)
    set_step_note(folder, 20, "early")
    set_step_note(folder, 80, "late")
    with desktop(qapp, tmp_path) as opened:
        charts = ready(qtbot, opened)
        qtbot.waitUntil(lambda: everywhere(opened, (20, "early"), (80, "late")), timeout=20_000)
        lines = opened.regions.activity.lines()
        joined = next(at for at, line in enumerate(lines) if "joined" in line)
        assert lines.index("80 late") < lines.index("20 early") < joined, "each where its step ran"
        charts[0].ranges.zoom(60.0, 90.0)
        rows = opened.regions.activity.rows
        at = rows.visualRect(rows.model().index(lines.index("20 early"), 0)).center()
        QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=at)
        assert [chart.crosshair.step for chart in charts] == [20, 20]
        qtbot.waitUntil(lambda: all(chart.ranges.x.shown == (5.0, 35.0) for chart in charts), timeout=20_000)

        (menu,) = menu_at_note(charts[0], 20)
        click_words(menu, "Delete the note on step 20")
        qtbot.waitUntil(lambda: everywhere(opened, (80, "late")), timeout=20_000)


def test_that_what_is_being_typed_is_kept_with_its_run_when_another_is_opened_and_at_the_end(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, scripts: list[Script]
) -> None:
    first = run_script(scripts, tmp_path, live=False)
    second = tmp_path / "elsewhere" / "second"
    shutil.copytree(first, second)
    with desktop(qapp, tmp_path, str(first)) as opened:
        chart = ready(qtbot, opened)[0]
        chart.setFocus()
        QTest.keyClick(chart, Qt.Key.Key_N)
        QTest.keyClicks(field_of(opened).edit, "half")
        opened.run_list.open(str(second))
        assert not field_of(opened).isVisible()
        qtbot.waitUntil(lambda: read_user(first).step_notes == {"100": "half"}, timeout=20_000)
        chart = ready(qtbot, opened)[0]
        assert notes_on(chart) == []
        chart.setFocus()
        QTest.keyClick(chart, Qt.Key.Key_N)
        QTest.keyClicks(field_of(opened).edit, "at the end")
    assert read_user(second).step_notes == {"100": "at the end"}
    assert read_user(first).step_notes == {"100": "half"}


def menu_at_note(chart: ChartView, step: int) -> list[QMenu]:
    """The menu of a right click two pixels beside a note."""
    viewport = chart.plot.viewport()
    place = viewport.mapFrom(chart, chart.parts.point_at(step)) + QPoint(2, 0)
    QTest.mouseMove(viewport, place + QPoint(0, 9))
    QTest.mouseMove(viewport, place)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, viewport.mapToGlobal(place))
    QApplication.sendEvent(viewport, event)
    return [menu for menu in chart.findChildren(QMenu) if menu.isVisible()]


@contextmanager
def nobody(folder: Path) -> Iterator[None]:
    """For a while nothing may be written into the folder: root becomes another user."""
    if os.geteuid() == 0:
        os.seteuid(65534)
        try:
            yield
        finally:
            os.seteuid(0)
    else:
        folder.chmod(0o555)
        try:
            yield
        finally:
            folder.chmod(0o755)


def test_that_a_folder_that_may_not_be_written_says_so_and_loses_no_word(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, scripts: list[Script]
) -> None:
    source = run_script(scripts, tmp_path, live=False)
    with tempfile.TemporaryDirectory() as holder:
        Path(holder).chmod(0o755)
        folder = Path(holder) / source.name
        shutil.copytree(source, folder)
        with desktop(qapp, tmp_path, str(folder)) as opened:
            chart = ready(qtbot, opened)[0]
            chart.setFocus()
            with nobody(folder):
                QTest.keyClick(chart, Qt.Key.Key_N)
                field = field_of(opened)
                QTest.keyClicks(field.edit, "kept here")
                QTest.keyClick(field.edit, Qt.Key.Key_Return)
                qtbot.waitUntil(lambda: bool(field.problem.text()), timeout=20_000)
            sentence = f"The note on step 100 was not kept: the run's folder {folder} may not be written"
            assert field.problem.text() == sentence
            assert field.isVisible()
            assert field.text == "kept here"
            assert not (folder / "user.json").exists()
            QTest.mouseClick(field.save, Qt.MouseButton.LeftButton)
            qtbot.waitUntil(lambda: everywhere(opened, (100, "kept here")), timeout=20_000)
            assert not field.isVisible()
