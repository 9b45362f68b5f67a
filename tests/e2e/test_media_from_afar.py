"""A live run whose media files are not on this machine: the window has the run send them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from helm_desktop.app import Desktop
from helm_desktop.model.media.content import ImageContent, TextContent, UnreadableMedia
from helm_desktop.views.board.drawing.histogram import HistogramOverTime
from helpers.desktop import desktop, session_of
from helpers.qt_leaks import no_qt_leaks
from helpers.scripts import Script, start

__all__ = ["no_qt_leaks"]

pytestmark = pytest.mark.usefixtures("no_qt_leaks")

LOOP = """
import os, random, time, helm_sdk
run = helm_sdk.init("far", name="far", home=HOME)
run.log({"loss": 1.0}, step=0)
for step in range(0, 100, 10):
    run.histogram("spread", ([step, 1], [0.0, 1.0, 2.0]), step=step)
noise = random.Random(1)
pixels = [[[noise.randrange(256) for _ in range(3)] for _ in range(900)] for _ in range(700)]
run.image("large", pixels, step=5)
run.text("gone", "nobody has this", step=1)
run.flush()
for file in (run.folder / "media").rglob("*gone*"):
    file.unlink()
print("logged", flush=True)
while not os.path.exists(os.path.join(HOME, "gate")):
    time.sleep(0.01)
run.finish()
print("done", flush=True)
"""


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Script]:
    """The run, in a home that stands for another machine's."""
    started = start(LOOP.replace("HOME", repr(str(tmp_path / "there"))), home=tmp_path / "there")
    yield started
    started.kill()


def here(tmp_path: Path) -> Path:
    """What of that home is on this machine: all but the media."""
    home = tmp_path / "here"
    shutil.copytree(tmp_path / "there", home, ignore=shutil.ignore_patterns("media"))
    return home


def shown(opened: Desktop, kind: type) -> bool:
    """Whether a value of this kind is in sight."""
    return isinstance(opened.regions.media.content, kind)


def test_that_media_and_histograms_come_from_the_run_and_what_does_not_is_said(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, script: Script
) -> None:
    script.wait_for_line("logged")
    home = here(tmp_path)
    with desktop(qapp, home) as opened:
        media, charts = opened.regions.media, opened.regions.board.charts
        qtbot.waitUntil(lambda: len(media.lines()) == 3, timeout=20_000)

        def drawn() -> bool:
            chart = charts.chart("spread")
            drawing = chart.renderer.drawing if chart is not None else None
            table = drawing._table if isinstance(drawing, HistogramOverTime) else None
            return table is not None and table[:, -1].tolist() == [90, 1]

        qtbot.waitUntil(drawn, timeout=20_000)
        opened.navigation.show_media()
        media.choose("large")
        qtbot.waitUntil(lambda: shown(opened, ImageContent), timeout=20_000)
        assert "900×700" in media.about.text()
        target = tmp_path / "saved.png"
        opened.media._saving = media.item
        opened.media._save(str(target))
        qtbot.waitUntil(lambda: target.exists() and target.stat().st_size > 1 << 20, timeout=20_000)

        media.choose("gone")
        qtbot.waitUntil(lambda: shown(opened, UnreadableMedia), timeout=20_000)
        sentence = media.content.sentence if isinstance(media.content, UnreadableMedia) else ""
        assert "is not in the run's folder here, and the run did not send it: there is no file" in sentence
        (tmp_path / "there" / "gate").touch()
        script.wait_for_line("done")


def test_that_of_a_run_that_has_ended_a_missing_file_is_said_to_be_gone(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, script: Script
) -> None:
    script.wait_for_line("logged")
    (tmp_path / "there" / "gate").touch()
    script.wait_for_line("done")
    home = here(tmp_path)
    with desktop(qapp, home) as opened:
        media = opened.regions.media
        qtbot.waitUntil(
            lambda: opened.current.session is not None and session_of(opened).complete, timeout=20_000
        )
        opened.navigation.show_media()
        media.choose("gone")
        qtbot.waitUntil(lambda: shown(opened, UnreadableMedia), timeout=20_000)
        assert isinstance(media.content, UnreadableMedia)
        assert media.content.sentence.endswith("is not in the run's folder any more")
        assert not shown(opened, TextContent)
