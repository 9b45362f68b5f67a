"""A real run in a child process logs texts, pictures and sounds; the window shows them as they come."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot

from helm_desktop.app import Desktop
from helm_desktop.model.media.content import (
    AudioContent,
    HistogramContent,
    ImageContent,
    TableContent,
    TextContent,
)
from helm_sdk.record.user import set_step_note
from helpers.desktop import desktop, session_of
from helpers.qt_leaks import no_qt_leaks
from helpers.scripts import Script, start

__all__ = ["no_qt_leaks"]

pytestmark = pytest.mark.usefixtures("no_qt_leaks")

LOOP = """
import os, time, helm_sdk
class Plotly:
    def to_plotly_json(self): return {}
    def to_json(self): return '{"data": [{"y": [1, 2]}]}'
run = helm_sdk.init("media", name="rich")
run.log({"loss": 1.0}, step=0)
run.flush()
print("started", flush=True)

def wait(gate):
    while not os.path.exists(os.path.join(HOME, gate)):
        time.sleep(0.01)

wait("first")
for step in range(0, 50, 10):
    run.image("eval: a: b", [[[step, 0, 0]] * 8] * 6, step=step, caption="as it is")
run.flush()
print("first", flush=True)
wait("second")
run.image("eval: a: b", [[[255, 0, 0]] * 8] * 6, step=50)
run.text("sample", "Once\\nupon", step=50)
run.audio("sound", [0.0, 0.5, -0.5, 0.0], sample_rate=8000, step=50)
run.table("rows", [{"a": 1, "b": "x"}], step=50)
run.histogram("weights", [1.0, 2.0, 2.0, float("nan")], bins=2, step=50)
run.figure("plotly", Plotly(), step=50)
run.figure("figure", b"<svg xmlns='http://www.w3.org/2000/svg' width='8' height='6'/>", step=50)
run.finish()
print("done", flush=True)
"""


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Script]:
    """The loop, which waits for `first` and `second` in the home."""
    started = start(LOOP.replace("HOME", repr(str(tmp_path))), home=tmp_path)
    yield started
    started.kill()


def red(opened: Desktop) -> int:
    """How red the picture in sight is; −1 while there is none."""
    content = opened.regions.media.content
    return content.image.pixelColor(2, 2).red() if isinstance(content, ImageContent) else -1


def has(opened: Desktop, kind: type) -> bool:
    """Whether a value of this kind is in sight."""
    return isinstance(opened.regions.media.content, kind)


def test_that_media_appear_with_the_first_value_and_the_slider_goes_through_the_steps(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, script: Script
) -> None:
    script.wait_for_line("started")
    with desktop(qapp, tmp_path) as opened:
        screen, media = opened.regions, opened.regions.media
        qtbot.waitUntil(
            lambda: opened.current.session is not None and session_of(opened).complete, timeout=20_000
        )
        assert not screen.dock.page_shown("Media")
        (tmp_path / "first").touch()
        script.wait_for_line("first")
        qtbot.waitUntil(lambda: screen.dock.page_shown("Media"), timeout=20_000)
        QTest.keySequence(screen.window, "Ctrl+Shift+E")
        qtbot.waitUntil(lambda: media.isVisible() and red(opened) == 40, timeout=20_000)
        assert media.names.currentText() == "eval: a: b"
        assert media.step.text() == "step 40 · 5 of 5"
        assert media.about.text().startswith("as it is · 8×6")

        media.slider.setFocus()
        QTest.keyClick(media.slider, Qt.Key.Key_Home)
        qtbot.waitUntil(lambda: red(opened) == 0, timeout=20_000)
        QTest.keyClick(media.slider, Qt.Key.Key_Right)
        qtbot.waitUntil(lambda: red(opened) == 10, timeout=20_000)

        (tmp_path / "second").touch()
        script.wait_for_line("done")
        qtbot.waitUntil(lambda: len(media.lines()) == 7, timeout=20_000)
        assert red(opened) == 10  # where the reader was, not the newest
        assert media.step.text() == "step 10 · 2 of 6"
        for name, kind in {
            "sample": TextContent,
            "sound": AudioContent,
            "rows": TableContent,
            "weights": HistogramContent,
            "figure": ImageContent,
        }.items():
            media.choose(name)
            qtbot.waitUntil(partial(has, opened, kind), timeout=20_000)
        assert [mark.kind for mark in session_of(opened).marks.all()] == []
        assert not any("media" in line for line in screen.activity.lines())


def test_that_a_click_on_what_happened_shows_the_value_of_its_step(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, script: Script
) -> None:
    for gate in ("first", "second"):
        (tmp_path / gate).touch()
    script.wait_for_line("done")
    (folder,) = (tmp_path / "runs" / "media").iterdir()
    set_step_note(folder, 27, "here it turned")
    with desktop(qapp, tmp_path) as opened:
        media, activity = opened.regions.media, opened.regions.activity
        qtbot.waitUntil(lambda: len(media.lines()) == 7, timeout=20_000)
        qtbot.waitUntil(lambda: "27 here it turned" in activity.lines(), timeout=20_000)
        index = activity.rows.model().index(activity.lines().index("27 here it turned"), 0)
        assert media.step.text() == "step 50 · 6 of 6"
        place = activity.rows.visualRect(index).center()
        QTest.mouseClick(activity.rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert media.step.text() == "step 20 · 3 of 6"
        opened.navigation.show_media()
        qtbot.waitUntil(lambda: red(opened) == 20, timeout=20_000)


def test_that_a_value_is_saved_where_the_reader_says(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, script: Script
) -> None:
    for gate in ("first", "second"):
        (tmp_path / gate).touch()
    script.wait_for_line("done")
    target = tmp_path / "copy.wav"
    with desktop(qapp, tmp_path) as opened:
        media = opened.regions.media
        qtbot.waitUntil(lambda: len(media.lines()) == 7, timeout=20_000)
        opened.navigation.show_media()
        media.choose("sound")
        qtbot.waitUntil(lambda: isinstance(media.content, AudioContent), timeout=20_000)
        QTest.mouseClick(media.save, Qt.MouseButton.LeftButton)
        (dialog,) = opened.window.findChildren(QFileDialog)
        field = dialog.findChild(QLineEdit)
        assert isinstance(field, QLineEdit)
        field.setText(str(target))
        QTest.keyClick(field, Qt.Key.Key_Return)
        qtbot.waitUntil(target.exists, timeout=20_000)
        assert target.read_bytes().startswith(b"RIFF")


def test_that_a_run_without_media_has_no_such_tab_and_the_menu_explains(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, script: Script
) -> None:
    script.wait_for_line("started")
    with desktop(qapp, tmp_path) as opened:
        qtbot.waitUntil(
            lambda: opened.current.session is not None and session_of(opened).complete, timeout=20_000
        )
        assert not opened.regions.dock.page_shown("Media")
        opened.regions.actions["show_media"].trigger()
        assert opened.regions.dock.page_shown("Media")
        assert not opened.regions.media.names.isVisible()


class Browser(QObject):
    """Stands for the user's: told what it is to open."""

    opened = Signal(QUrl)

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        """Qt's."""
        self.opened.emit(url)


def test_that_sounds_and_plotly_figures_are_opened_by_other_programs(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, script: Script
) -> None:
    for gate in ("first", "second"):
        (tmp_path / gate).touch()
    script.wait_for_line("done")
    browser = Browser()
    QDesktopServices.setUrlHandler("file", browser, "open")  # type: ignore[arg-type]
    try:
        with desktop(qapp, tmp_path) as opened:
            media = opened.regions.media
            qtbot.waitUntil(lambda: len(media.lines()) == 7, timeout=20_000)
            opened.navigation.show_media()
            media.choose("sound")
            qtbot.waitUntil(lambda: isinstance(media.content, AudioContent), timeout=20_000)
            assert media.open.text() == "Play"
            with qtbot.waitSignal(browser.opened) as told:
                QTest.mouseClick(media.open, Qt.MouseButton.LeftButton)
            assert Path(told.args[0].toLocalFile()).read_bytes().startswith(b"RIFF")
            media.choose("rows")
            qtbot.waitUntil(lambda: isinstance(media.content, TableContent), timeout=20_000)
            assert not media.open.isVisible()
            media.choose("plotly")
            qtbot.waitUntil(lambda: isinstance(media.content, TextContent), timeout=20_000)
            with qtbot.waitSignal(browser.opened) as told:
                QTest.mouseClick(media.open, Qt.MouseButton.LeftButton)
            page = Path(told.args[0].toLocalFile())
            assert '"y": [1, 2]' in page.read_text()
        assert not page.exists(), "gone with the window"
    finally:
        QDesktopServices.unsetUrlHandler("file")
