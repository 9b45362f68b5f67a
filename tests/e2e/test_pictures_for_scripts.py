"""`helm-desktop` from a shell: pictures, and one clear line for each mistake."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage

from helpers.scripts import start

SCRIPT = """
import helm_sdk
run = helm_sdk.init("quickstart", name="pictured", config={"lr": 3e-3})
for step in range(100):
    run.log({f"train/m{i}": float(step * i) for i in range(12)}, step=step)
run.finish()
"""


def shell(home: Path, *arguments: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Runs `helm-desktop` to its end."""
    return subprocess.run(
        [sys.executable, "-m", "helm_desktop", "--home", str(home), *arguments],
        capture_output=True,
        text=True,
        timeout=100,
        env={**os.environ, **(env or {})},
    )


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with one finished run."""
    assert start(SCRIPT, home=tmp_path).finish() == 0
    return tmp_path


def pixels_left_out(image: QImage) -> int:
    """Pixels that nobody painted are black, which no colour of the light theme is."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    held = np.frombuffer(image.constBits(), np.uint32) & 0xFFFFFF
    return int((held == 0).sum())


@pytest.mark.parametrize(("scale", "theme"), [("1", "dark"), ("2", "light"), ("1.5", "light")])
def test_that_a_picture_and_its_facts_are_written(home: Path, scale: str, theme: str) -> None:
    picture = home / "out" / "board.png"
    done = shell(
        home,
        "latest",
        *("--offscreen", "--screenshot", str(picture), "--wait-finished"),
        *("--size", "1600x1000", "--scale", scale, "--theme", theme),
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    image = QImage(str(picture))
    assert (image.width(), image.height()) == (1600 * float(scale), 1000 * float(scale))
    facts = json.loads(picture.with_suffix(".json").read_text(encoding="utf-8"))
    visible = [chart for chart in facts["charts"] if chart["visible"]]
    assert len(visible) >= 10
    assert {chart["points"] for chart in facts["charts"]} == {100}
    assert {chart["drawn_points"] for chart in visible} == {100}
    assert facts["state"] == "finished"
    assert facts["strip"]["step"] == "99"
    assert facts["elided"] == []
    assert "0 rank-0 joined as trainer" in facts["activity"]
    dark = image.pixelColor(image.width() // 2, image.height() - 4).lightness() < 60
    assert dark == (theme == "dark")
    if theme == "light":
        assert not pixels_left_out(image)


def test_that_no_display_says_what_to_do(tmp_path: Path) -> None:
    done = shell(tmp_path, env={"DISPLAY": "", "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": ""})
    assert done.returncode == 2
    assert "--offscreen --screenshot" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nosuch", "--offscreen", "--screenshot", "a.png"), "There is no run nosuch"),
        (("--size", "huge"), "huge is no size"),
        (("--scale", "9"), "9 is no scale"),
        (("--wait-finished",), "give --screenshot FILE"),
    ],
)
def test_that_a_mistake_is_one_clear_line(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    done = shell(tmp_path, *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
