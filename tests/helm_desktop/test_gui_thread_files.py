"""The window at work touches no file on its own thread: Python's audit says who opens, looks and renames."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

import helm_desktop
import helm_sdk
from helm_desktop.app import Desktop
from helm_desktop.model.board.layout import BoardLayout
from helm_desktop.storage import preferences
from helm_desktop.storage.board_files import read, write
from helm_desktop.views.note_field import NoteField
from helm_desktop.views.settings.policy_rows import ApproverRow
from helm_sdk.keys import trusted
from helm_sdk.record.layout import config_home
from helm_sdk.record.user import read_user
from helm_sdk.rules import Rule, Send
from helm_sdk.rules.store import read_fired, read_rules, rules_path
from helpers.desktop import desktop, session_of

LEFT = Qt.MouseButton.LeftButton
PATIENCE_MS = 20_000
OTHER = "rq5+kK=cl/%}iJ6aYlO+g>0e#*(2Qf:d-x9F7ZbC"
EVENTS = {
    "open",
    "fcntl.lockf",
    "os.chmod",
    "os.link",
    "os.listdir",
    "os.mkdir",
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.scandir",
    "os.truncate",
    "os.utime",
    "shutil.rmtree",
    "sqlite3.connect",
    "tempfile.mkdtemp",
    "tempfile.mkstemp",
}
LOOKS = ("access", "lstat", "stat", "statvfs", "readlink")  # of `os`; the audit does not tell of these
OWN = ("note", "look", "_audit", "__init__")  # of this file, between the app and `os`
IMPORTS = ("importlib", "shibokensupport", "/_pytest/")  # PySide reads the source of what is imported
APP = str(Path(helm_desktop.__file__).parent)


def from_app() -> str:
    """Where the app does what is done now; empty where Python's import or the test itself does it."""
    frame = sys._getframe(2)
    places: list[str] = []
    while frame is not None:
        file = frame.f_code.co_filename
        if not places and any(part in file for part in IMPORTS):
            return ""
        if file == __file__ and frame.f_code.co_name not in OWN:
            break
        if file.startswith(APP):
            places.append(f"{Path(file).name}:{frame.f_lineno} {frame.f_code.co_name}")
        frame = frame.f_back  # type: ignore[assignment]
    return " < ".join(places[:6])


class Watch:
    """Notes what the app does with files on the main thread while it is on."""

    def __init__(self) -> None:
        self.on = False
        self.seen: list[str] = []

    def note(self, event: str, what: object) -> None:
        """One look at a file, or one change."""
        if self.on and threading.current_thread() is threading.main_thread():
            place = from_app()
            if place:
                self.seen.append(f"{event} {what!s} from {place}")


WATCH = Watch()
_HOOKED: list[bool] = []


def _audit(event: str, args: tuple[Any, ...]) -> None:
    if WATCH.on and event in EVENTS:
        WATCH.note(event, args[0] if args else "")


@contextmanager
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watch]:
    """What the main thread does with files inside."""
    if not _HOOKED:
        sys.addaudithook(_audit)  # it stays for as long as Python runs, and looks only while it is on
        _HOOKED.append(True)

    def noting(name: str, kept: Callable[..., Any]) -> Callable[..., Any]:
        def look(*args: Any, **more: Any) -> Any:
            WATCH.note(f"os.{name}", args[0] if args else "")
            return kept(*args, **more)

        return look

    class NotedSettings(QSettings):
        def __init__(self, *args: Any) -> None:
            WATCH.note("QSettings", args[0] if args else "")
            super().__init__(*args)

    with monkeypatch.context() as patched:
        for name in LOOKS:
            patched.setattr(os, name, noting(name, getattr(os, name)))
        patched.setattr(preferences, "QSettings", NotedSettings)
        WATCH.seen.clear()
        WATCH.on = True
        try:
            yield WATCH
        finally:
            WATCH.on = False


def test_that_the_watch_notes_what_the_app_does_on_the_main_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "board.json"

    def work() -> None:
        write(path, BoardLayout(), "p")
        read(path)

    with watched(monkeypatch) as watch:
        other = threading.Thread(target=work)
        other.start()
        other.join()
        assert watch.seen == []
        work()
        path.read_bytes()  # the test's own
    done = [seen.split()[0] for seen in watch.seen]
    changes = [event for event in done if event != "os.stat"]
    assert changes == [
        "os.mkdir",
        "os.mkdir",
        "open",  # and once more, with the permissions of a private file
        "open",
        "os.rename",
        "open",
    ]
    assert "board_files.py" in watch.seen[0]


def edit_board(window: Desktop, qtbot: QtBot) -> None:
    """A logarithmic axis, another page, undo, and the board written to a file and read from it."""
    board = window.regions.board
    qtbot.waitUntil(lambda: board.charts.chart("loss") is not None and board.cells.drawn, timeout=PATIENCE_MS)
    chart = board.charts.chart("loss")
    assert chart is not None
    chart.setFocus()
    QTest.keyClick(chart, Qt.Key.Key_L)
    window.regions.actions["new_page"].trigger()
    window.regions.actions["undo"].trigger()
    qtbot.waitUntil((config_home() / "boards" / "p.json").exists, timeout=PATIENCE_MS)


def edit_policy(window: Desktop, qtbot: QtBot) -> None:
    """A line of the policy, saved; a trusted key; another theme; another key of an action."""
    window.regions.actions["policy"].trigger()
    page = window.preferences.page
    assert page is not None
    qtbot.waitUntil(page.approvals.editor.isVisible, timeout=PATIENCE_MS)
    QTest.mouseClick(page.approvals.controls.add, LEFT)
    line = page.approvals.controls.lines[0]
    assert isinstance(line, ApproverRow)
    QTest.keyClicks(line.control, "set_*")
    QTest.mouseClick(page.approvals.save, LEFT)
    qtbot.waitUntil((config_home() / "policy.json").exists, timeout=PATIENCE_MS)
    page.show_chapter("Keys")
    for field, text in ((page.keys.name, "ada"), (page.keys.key, OTHER)):
        assert isinstance(field, QLineEdit)
        QTest.keyClicks(field, text)
    QTest.mouseClick(page.keys.add, LEFT)
    qtbot.waitUntil(lambda: "ada" in page.keys.lines, timeout=PATIENCE_MS)
    QTest.mouseClick(page.keys.lines["ada"].remove, LEFT)
    qtbot.waitUntil(lambda: page.keys.lines == {}, timeout=PATIENCE_MS)
    page.show_chapter("Appearance")
    QTest.mouseClick(page.appearance.theme.button("light"), LEFT)
    page.show_chapter("Shortcuts")
    QTest.keyClick(page.shortcuts.lines["show_watch"].keys, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    window.preferences.close()


def add_rule(window: Desktop, qtbot: QtBot, run: helm_sdk.Run, folder: Path) -> None:
    """A rule that fires, and what it did in the run's folder."""
    send = Send(control="set_rate", input={"value": 0.5})
    session_of(window).rules.set_rule(Rule(id="high", metric="loss", when="above", value=5.0, then=(send,)))
    qtbot.waitUntil(lambda: len(session_of(window).rules.rules) == 1, timeout=PATIENCE_MS)
    run.log({"loss": 9.0}, step=20)
    qtbot.waitUntil(lambda: (folder / "rules.json").exists(), timeout=PATIENCE_MS)


def note(window: Desktop, qtbot: QtBot) -> None:
    """A note on a step."""
    chart = window.regions.board.charts.chart("loss")
    assert chart is not None
    chart.notes.requested.emit(3)
    (field,) = window.window.findChildren(NoteField)
    QTest.keyClicks(field.edit, "seen")
    QTest.keyClick(field.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(session_of(window).notes.text(3)), timeout=PATIENCE_MS)


def export(window: Desktop, qtbot: QtBot, folder: Path) -> None:
    """A chart as each kind of file, and the board to a file and back."""
    chart = window.regions.board.charts.chart("loss")
    assert chart is not None
    said: list[str] = []
    window.exports.notified.connect(said.append)
    for name in ("a.csv", "a.png", "a.svg"):
        chart.menu._save(str(folder / name))
    qtbot.waitUntil(lambda: len(said) == 3, timeout=PATIENCE_MS)
    board = window.board
    with qtbot.waitSignal(board.notified, timeout=PATIENCE_MS):
        board.save_to(str(folder / "board.json"))
    with qtbot.waitSignal(board.notified, timeout=PATIENCE_MS):
        board.load_from(str(folder / "board.json"))


def test_that_the_window_at_work_touches_no_file_on_its_own_thread(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = tmp_path / "files"
    files.mkdir()
    with helm_sdk.init("p", name="r", home=tmp_path / "home") as run:
        rate = run.tunable("rate", 1.0, minimum=0.0, maximum=1.0, safe_point="step")
        for step in range(20):
            run.log({"loss": 1.0 / (step + 1), "lr": rate.value}, step=step)
        folder = run.folder
        assert folder is not None
        with desktop(qapp, tmp_path / "home") as window:
            window.window.activateWindow()
            with watched(monkeypatch) as watch:
                qtbot.waitUntil(
                    lambda: window.current.session is not None and window.current.session.complete,
                    timeout=PATIENCE_MS,
                )
                edit_board(window, qtbot)
                edit_policy(window, qtbot)
                add_rule(window, qtbot, run, folder)
                note(window, qtbot)
                export(window, qtbot, files)
                window.window.close()
            assert watch.seen == [], "\n".join(dict.fromkeys(watch.seen))
    assert sorted(one.name for one in files.iterdir()) == ["a.csv", "a.png", "a.svg", "board.json"]
    assert read_rules(rules_path("p"))
    assert [record.rule for record in read_fired(folder)] == ["high"]
    assert read_user(folder).step_notes
    assert trusted() == {}
