"""Preferences: what is kept, what does not fit, and files that are none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray
from pytestqt.qtbot import QtBot

from helm_desktop.startup import relaunch
from helm_desktop.startup.arguments import parse
from helm_desktop.storage.preferences import FILE, Preferences, kept_scale
from helm_desktop.storage.storage_thread import Storage


def changed(settings: Preferences) -> None:
    """Every preference as it is not at first."""
    settings.theme = "light"
    settings.scale = 1.5
    settings.pace = 0.5
    settings.notifies = False
    settings.sounds = False
    settings.let_rules("run", False)
    settings.home = "/runs"
    settings.keep_shortcut("quit", "")
    settings.keep_shortcut("settings", "Ctrl+,")
    settings.geometry = QByteArray(b"\x01\xd9\xd0\xcb=[;")


def everything(settings: Preferences) -> tuple[object, ...]:
    """What the settings say."""
    acts = [settings.rules_may(act) for act in ("send", "run", "webhook")]
    return (
        settings.theme,
        settings.scale,
        settings.pace,
        settings.notifies,
        settings.sounds,
        acts,
        settings.home,
        settings.shortcuts(["quit", "settings", "demo"]),
        settings.geometry.data(),
    )


AT_FIRST: tuple[object, ...] = ("system", 1.0, 0.03, True, True, [True, True, True], "", {}, b"")


def test_that_what_is_changed_is_told_and_kept(tmp_path: Path, qtbot: QtBot, storage: Storage) -> None:
    settings = Preferences(tmp_path, storage)
    assert everything(settings) == AT_FIRST
    told: list[str] = []
    settings.changed.connect(told.append)
    changed(settings)
    assert told == ["theme", "scale", "pace", "notifies", "sounds", "rules", "home"]
    assert storage.finish()
    again = Preferences(tmp_path, storage)
    assert everything(again) == everything(settings)
    assert again.complaint == ""
    assert everything(again)[5:8] == ([True, False, True], "/runs", {"quit": "", "settings": "Ctrl+,"})
    again.keep_shortcut("quit", None)
    assert again.shortcuts(["quit"]) == {}
    assert storage.finish()
    assert Preferences(tmp_path, storage).shortcuts(["quit"]) == {}


@pytest.mark.parametrize(
    "text",
    ["theme=purple\nscale=7\npace=fast\nversion=many\n[layout]\nruns=many\n", "", "version=99\n[new]\na=1\n"],
)
def test_that_settings_that_do_not_fit_are_their_defaults(
    tmp_path: Path, text: str, storage: Storage
) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    settings = Preferences(tmp_path, storage)
    assert settings.complaint == ""
    assert everything(settings) == AT_FIRST
    assert settings.size("runs", 248) == 248
    assert settings.flag("dock", True)


def test_that_a_newer_versions_mark_stays(tmp_path: Path, storage: Storage) -> None:
    (tmp_path / FILE).write_text("version=99\n")
    settings = Preferences(tmp_path, storage)
    settings.theme = "dark"
    assert storage.finish()
    assert "version=99" in (tmp_path / FILE).read_text()


@pytest.mark.parametrize(
    "data", [b"\x00\xff nonsense", b"\x00" * 400, b"[layout\nx=1", b'{"theme": "dark"}', b"th\xe8me=dark"]
)
def test_that_a_file_that_holds_no_settings_is_kept_aside_and_said(
    tmp_path: Path, data: bytes, storage: Storage
) -> None:
    path = tmp_path / FILE
    path.write_bytes(data)
    assert kept_scale(tmp_path) == 1.0
    settings = Preferences(tmp_path, storage)
    kept = tmp_path / "desktop.unread.ini"
    assert settings.complaint == f"{path} holds no settings: it was moved to {kept.name}, all are as at first"
    assert kept.read_bytes() == data
    assert everything(settings) == AT_FIRST
    settings.theme = "dark"
    assert storage.finish()
    assert Preferences(tmp_path, storage).theme == "dark"


@pytest.mark.skipif(os.name != "posix", reason="needs a folder that a file stands in the way of")
def test_that_a_folder_that_cannot_be_made_is_said_and_nothing_is_kept(
    tmp_path: Path, storage: Storage
) -> None:
    (tmp_path / "file").write_text("")
    settings = Preferences(tmp_path / "file" / "config", storage)
    assert settings.complaint.startswith(f"Settings cannot be kept in {tmp_path / 'file' / 'config'}: ")
    settings.theme = "light"
    assert settings.theme == "light"


def test_that_settings_without_a_folder_touch_no_file(storage: Storage) -> None:
    settings = Preferences(None, storage)
    settings.theme = "dark"
    settings.set_flag("dock", False)
    assert storage.finish()
    assert settings.theme == "dark"
    assert not settings.flag("dock", True)


WINDOW = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from helm_desktop import app, launch

def look(window):
    print("scale", window.window.devicePixelRatioF(), flush=True)
    window.window.close()

shown = app.Desktop.show
def show(self):
    shown(self)
    QTimer.singleShot(0, lambda: look(self))
app.Desktop.show = show
sys.exit(launch.main(sys.argv[1:]))
"""


def opened_at(config: Path, *arguments: str, **environment: str) -> float:
    """The scale of a window that is opened in a process of its own."""
    env = {name: value for name, value in os.environ.items() if name != "QT_SCALE_FACTOR"}
    env |= {"HELM_CONFIG_HOME": str(config), "QT_QPA_PLATFORM": "offscreen", **environment}
    line = [sys.executable, "-c", WINDOW, "--home", str(config / "home"), *arguments]
    done = subprocess.run(line, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return float(done.stdout.split("scale", 1)[1])


def test_that_a_window_opens_at_the_scale_that_was_chosen(tmp_path: Path, storage: Storage) -> None:
    assert opened_at(tmp_path) == 1.0
    assert opened_at(tmp_path, QT_SCALE_FACTOR="2") == 2.0  # the system's own is left alone
    Preferences(tmp_path, storage).scale = 1.5
    assert storage.finish()
    assert kept_scale(tmp_path) == 1.5
    assert opened_at(tmp_path) == 1.5
    assert opened_at(tmp_path, "--scale", "1.25") == 1.25


def test_that_the_new_window_is_started_without_the_scale_of_this_one(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "told"
    code = f"import os; open({str(told)!r}, 'x').write(os.environ.get('QT_SCALE_FACTOR', 'none'))"
    monkeypatch.setenv("QT_SCALE_FACTOR", "2")
    monkeypatch.setattr(relaunch, "command", lambda options, run, scale: [sys.executable, "-c", code])
    assert relaunch.start(parse([]), "", 1.5) == ""
    qtbot.waitUntil(lambda: told.exists() and told.read_text() == "none", timeout=20_000)
    monkeypatch.setattr(relaunch, "command", lambda options, run, scale: [str(tmp_path / "nothing")])
    assert relaunch.start(parse([]), "", 1.5).startswith("The new window did not open: ")


def test_that_the_new_window_is_the_same_but_for_its_scale() -> None:
    options = parse(["--home", "/runs", "--theme", "light", "--scale", "1", "a-run"])
    line = relaunch.command(options, "/runs/p/1", 1.5)
    assert line[:3] == [sys.executable, "-m", "helm_desktop"]
    again = parse(line[3:])
    assert (again.home, again.theme, again.scale, again.run) == (Path("/runs"), "light", 1.5, "/runs/p/1")
