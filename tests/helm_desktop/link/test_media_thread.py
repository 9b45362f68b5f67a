"""Media files are read outside the window's thread, and none outside the run's folder."""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from helm_desktop.link import media_thread
from helm_desktop.link.figure_page import AFAR, script
from helm_desktop.link.media_thread import MediaThread, content_of
from helm_desktop.model.media.content import (
    Content,
    HistogramContent,
    ImageContent,
    TextContent,
    UnreadableMedia,
)
from helm_desktop.model.media.media_model import MediaItem
from helm_sdk._media.png import encode_png

SVG = b"<svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'>" + (
    b"<rect width='30' height='20' fill='red'/></svg>"
)


def item(kind: str, file: str, **body: Any) -> MediaItem:
    """A value at step 1."""
    return MediaItem(file, "name", kind, 1, 0.0, file, "rank-0", body)


@pytest.fixture
def thread(qapp: object) -> Iterator[MediaThread]:
    """A thread that has been begun."""
    made = MediaThread()
    made.begin()
    yield made
    made.stop()


def test_that_every_kind_is_decoded(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(encode_png(3, 2, 1, bytes(6)))
    (tmp_path / "a.svg").write_bytes(SVG)
    (tmp_path / "a.txt").write_text("words")
    (tmp_path / "a.json").write_text(json.dumps({"counts": [1], "edges": [0, 1]}))

    picture = content_of(str(tmp_path), item("image", "a.png"))
    assert isinstance(picture, ImageContent)
    assert (picture.image.width(), picture.image.height()) == (3, 2)
    drawn = content_of(str(tmp_path), item("figure", "a.svg", format="svg"))
    assert isinstance(drawn, ImageContent)
    assert isinstance(drawn.image, QImage)
    assert drawn.image.pixelColor(20, 20).name() == "#ff0000"
    assert (drawn.image.width(), drawn.image.height()) == (60, 40)
    assert content_of(str(tmp_path), item("text", "a.txt", format="markdown")) == TextContent("words", True)
    assert content_of(str(tmp_path), item("histogram", "a.json")) == HistogramContent((1.0,), (0.0, 1.0))
    plotly = content_of(str(tmp_path), item("figure", "a.json", format="plotly"))
    assert isinstance(plotly, TextContent)
    assert "plotly" in plotly.text


@pytest.mark.parametrize("kind", ["image", "audio", "table", "histogram", "figure"])
def test_that_a_damaged_file_is_told(tmp_path: Path, kind: str) -> None:
    for data in (b"", b"\x89PNG\r\n\x1a\n", b"{}", b"[", b"<svg"):
        (tmp_path / "a.bin").write_bytes(data)
        content = content_of(str(tmp_path), item(kind, "a.bin"))
        assert isinstance(content, UnreadableMedia), (data, content)
        assert content.sentence.startswith("a.bin cannot be shown")


def test_that_a_huge_drawing_is_made_smaller_and_an_endless_one_is_none(tmp_path: Path) -> None:
    (tmp_path / "big.svg").write_bytes(SVG.replace(b"'30'", b"'90000'", 1).replace(b"'20'", b"'20000'", 1))
    big = content_of(str(tmp_path), item("figure", "big.svg"))
    assert isinstance(big, ImageContent)
    assert max(big.image.width(), big.image.height()) <= 2000


def test_that_a_file_outside_the_runs_folder_is_not_read(tmp_path: Path) -> None:
    run = tmp_path / "run"
    (run / "media").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret")
    os.symlink(tmp_path / "secret.txt", run / "media" / "link.txt")
    for file in (
        "../secret.txt",
        str(tmp_path / "secret.txt"),
        "media/link.txt",
        "media/../../secret.txt",
        ".",
    ):
        content = content_of(str(run), item("text", file))
        assert isinstance(content, UnreadableMedia), file
        assert "outside" in content.sentence
    gone = content_of(str(run), item("text", "media/gone.txt"))
    assert gone == UnreadableMedia("media/gone.txt is not in the run's folder any more")


def test_that_the_last_one_asked_for_is_read_in_another_thread(
    thread: MediaThread, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(50):
        (tmp_path / f"{number}.txt").write_text(str(number))
    readers: set[int] = set()
    gate = threading.Event()

    def held(folder: str, wanted: MediaItem, _sent: bytes | str | None) -> Content:
        readers.add(threading.get_ident())
        gate.wait(20)
        return content_of(folder, wanted)

    monkeypatch.setattr(media_thread, "content_of", held)
    came: list[tuple[str, Content]] = []
    thread.arrived.connect(lambda key, content: came.append((key, content)))
    for number in range(50):
        thread.request(str(tmp_path), item("text", f"{number}.txt"))
    gate.set()
    qtbot.waitUntil(lambda: bool(came) and came[-1][0] == "49.txt", timeout=20_000)
    assert len(came) <= 2
    assert came[-1][1] == TextContent("49", False)
    assert threading.get_ident() not in readers


def test_that_a_value_is_saved_elsewhere(thread: MediaThread, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("words")
    target = tmp_path / "copy.txt"
    with qtbot.waitSignal(thread.saved, timeout=20_000) as told:
        thread.save(str(tmp_path), item("text", "a.txt"), str(target))
    assert told.args == [f"Saved {target}"]
    assert target.read_text() == "words"
    with qtbot.waitSignal(thread.saved, timeout=20_000) as told:
        thread.save(str(tmp_path), item("text", "a.txt"), str(tmp_path / "no" / "copy.txt"))
    assert "was not saved" in told.args[0]


def test_that_a_plotly_figure_becomes_a_page_that_runs_nothing_of_it(
    thread: MediaThread, qtbot: QtBot, tmp_path: Path
) -> None:
    evil = "</script><script>alert(1)</script>"
    figure = {"data": [{"type": "scatter", "y": [1, 2]}], "layout": {"title": {"text": evil}}}
    (tmp_path / "a.json").write_text(json.dumps(figure))
    wanted = item("figure", "a.json", format="plotly")
    with qtbot.waitSignal(thread.written_out) as told:
        thread.write_out(str(tmp_path), wanted, str(tmp_path / "a.html"))
    page = Path(told.args[0]).read_text()
    assert evil not in page
    (held,) = re.findall(r'<script id="json" type="application/json">(.*?)</script>', page)
    assert json.loads(held) == figure
    assert page.count("<script") == 3
    (tmp_path / "a.json").write_text("[1]")
    with qtbot.waitSignal(thread.saved) as said:
        thread.write_out(str(tmp_path), wanted, str(tmp_path / "b.html"))
    assert said.args == ["a.json cannot be opened: it holds no plotly figure"]
    assert not (tmp_path / "b.html").exists()


def test_that_plotlys_own_script_is_taken_where_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert script() == AFAR or script().startswith("file://")
    package = tmp_path / "plotly"
    (package / "package_data").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "package_data" / "plotly.min.js").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert script() == (package / "package_data" / "plotly.min.js").as_uri()
