"""An exception while a chart is drawn or painted shows on that one chart; the app goes on."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from PySide6.QtGui import QPainter
from pytestqt.qtbot import QtBot

from helm_desktop.theme import load_theme
from helm_desktop.views.board.canvas.canvas import Canvas
from helpers.charts import logged, shown


def _raise(*_: Any, **__: Any) -> Any:
    raise OverflowError("counts of 1e308")


def test_that_what_cannot_be_drawn_says_so_and_is_drawn_when_it_can_be(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    chart = shown(qtbot, logged("loss", [3.0, 2.0, 1.0]), title="loss")
    other = shown(qtbot, logged("other", [1.0, 2.0]))
    renderer = chart.renderer
    with monkeypatch.context() as patch, caplog.at_level(logging.ERROR):
        patch.setattr(renderer.drawing, "view", _raise)
        renderer.refresh()
        renderer.set_theme(load_theme("light"))
        other.renderer.refresh()
    assert "The chart of loss could not be drawn" in caplog.text
    picture = renderer.plot.canvas._picture
    assert picture is not None
    assert picture.empty == "This chart could not be drawn: OverflowError: counts of 1e308"
    assert other.renderer.plot.canvas.drawn_points > 0
    renderer.refresh()
    picture = renderer.plot.canvas._picture
    assert picture is not None
    assert not picture.empty
    assert renderer.plot.canvas.drawn_points > 0


def test_that_an_exception_while_painting_leaves_no_painter_active(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    chart = shown(qtbot, logged("loss", [3.0, 2.0, 1.0]))
    canvas = chart.renderer.plot.canvas
    paints: list[QPainter] = []

    def failing(self: Canvas, painter: QPainter, ratio: float) -> None:
        paints.append(painter)
        _raise()

    with monkeypatch.context() as patch, caplog.at_level(logging.ERROR):
        patch.setattr(Canvas, "paint", failing)
        canvas.forget_pixels()
        picture = canvas.grab().toImage()
        assert paints
        assert not picture.isNull()
        canvas._shown, canvas._kept = True, None
        canvas.grab()
    assert "A chart could not be painted" in caplog.text
    canvas.forget_pixels()
    assert not canvas.grab().isNull(), "it is painted again"
