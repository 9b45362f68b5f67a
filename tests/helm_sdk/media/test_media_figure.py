"""Figures and texts: what a plotting library writes is kept as it is."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import helm_sdk
from helm_sdk._media.png import encode_png, picture_kind, picture_size
from helpers.media import kept, one, pixels

Start = Callable[..., helm_sdk.Run]
SVG = b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"></svg>'
PNG = encode_png(2, 1, 3, bytes([255, 0, 0, 0, 0, 255]))


class Drawing:
    """Has the one method of matplotlib's figures that is called."""

    def __init__(self, *, vectors: bool = True, broken: bool = False) -> None:
        self.vectors, self.broken = vectors, broken

    def savefig(self, stream: io.BytesIO, format: str) -> None:
        if self.broken or (format == "svg" and not self.vectors):
            raise RuntimeError("no renderer")
        stream.write(PNG if format == "png" else SVG)


class Plotly:
    """Has the two methods of plotly's figures."""

    def to_plotly_json(self) -> dict[str, Any]:
        return {}

    def to_json(self) -> str:
        return '{"data": []}'


def test_that_a_figure_is_kept_as_pixels_and_as_lines(start: Start) -> None:
    run = start()
    run.figure("both", Drawing(), caption="a curve")
    run.figure("pixels", Drawing(vectors=False))
    body, path = one(run, "both")
    assert path.read_bytes() == PNG
    assert run.folder is not None
    assert (run.folder / body["also"][0]).read_bytes() == SVG
    assert (body["caption"], body["format"], body["shape"]) == ("a curve", "png", [1, 2])
    assert body["bytes"] == len(PNG) + len(SVG)
    assert "also" not in one(run, "pixels")[0]
    assert pixels(path) == [[(255, 0, 0, 255), (0, 0, 255, 255)]]


def test_that_plotly_bytes_and_paths_are_taken(start: Start, tmp_path: Path) -> None:
    (tmp_path / "x.svg").write_bytes(SVG)
    run = start()
    run.figure("plotly", Plotly())
    run.figure("svg", SVG)
    run.figure("path", tmp_path / "x.svg")
    assert (one(run, "plotly")[0]["format"], one(run, "plotly")[1].read_text()) == ("plotly", '{"data": []}')
    assert (one(run, "svg")[0]["format"], one(run, "svg")[1].suffix) == ("svg", ".svg")
    assert one(run, "path")[1].read_bytes() == SVG


@pytest.mark.parametrize("value", [Drawing(broken=True), b"nothing", 3, "nowhere.svg", None])
def test_that_what_does_not_fit_is_told_once_and_left_out(
    start: Start, capsys: pytest.CaptureFixture[str], value: Any
) -> None:
    run = start()
    for _ in range(3):
        run.figure("odd", value)
    assert kept(run) == []
    assert capsys.readouterr().err.count("figure 'odd' is left out") == 1


@pytest.mark.parametrize("text", ["", "plain", "käse ✓ \U0001f600", "a\r\nb\0c", "x" * 100_000])
def test_that_a_text_is_kept_exactly(start: Start, text: str) -> None:
    run = start()
    run.text("plain", text)
    run.text("markdown", text, format="markdown")
    for name, ending in (("plain", ".txt"), ("markdown", ".md")):
        body, path = one(run, name)
        assert path.read_bytes().decode() == text
        assert (body["format"], body["characters"], path.suffix) == (name, len(text), ending)


def test_that_odd_texts_are_told(start: Start, capsys: pytest.CaptureFixture[str]) -> None:
    run = start()
    run.text("half", "a\ud800b")
    run.text("number", 3)  # type: ignore[arg-type]
    run.text("format", "x", format="html")
    assert [event.body["name"] for event in kept(run)] == ["half"]
    assert one(run, "half")[1].read_text() == "a\\ud800b"
    told = capsys.readouterr().err
    assert "it is int, no text" in told
    assert '"plain" or "markdown"' in told


def test_that_the_head_of_a_picture_that_is_cut_short_says_nothing() -> None:
    assert picture_size(PNG) == (2, 1)
    assert picture_size(PNG[:20]) is None
    for cut in range(40):
        picture_size((b"\xff\xd8\xff\xe0\x00\x10JFIF" + bytes(60))[:cut])
    assert picture_size(b"\xff\xd8" + b"\xff" * 50) is None
    assert picture_kind(b"") == ""
