"""A name with a colon names an image: its file is safe on every system, the name is shown as it is."""

from __future__ import annotations

import re
from pathlib import Path

from helpers.drawn import window_of
from helpers.media import pixels
from helpers.scripts import shown, start

NAME = "a: b"
SCRIPT = f"""
import helm_sdk
with helm_sdk.init("media", name="colon") as run:
    run.log({{"loss": 1.0}}, step=0)
    run.image({NAME!r}, [[0, 255]], step=0, caption="c: d")
    print("folder", run.folder)
"""


def test_that_an_image_with_a_colon_in_its_name_is_kept_and_shown(home: Path, tmp_path: Path) -> None:
    """D18"""
    script = start(SCRIPT, home=home)
    folder = Path(script.wait_for_line(r"^folder (.+)$")[1])
    assert script.finish() == 0, script.lines

    (file,) = (folder / "media").iterdir()
    assert re.fullmatch(r"[A-Za-z0-9._-]+\.png", file.name)
    assert pixels(file) == [[(0, 0, 0, 255), (255, 255, 255, 255)]]
    assert [line["name"] for line in shown(home=home)["media"]] == [NAME]
    assert window_of(folder, tmp_path, home=home)["media"] == [f"{NAME} 1"]
