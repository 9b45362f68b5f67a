"""Pixels of a plot and the numbers of its axes, there and back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from helm_desktop.theme import load_theme
from helm_desktop.views.board.canvas.canvas import INSET_PX, Canvas
from helm_desktop.views.board.canvas.plot_pixels import PlotPixels


@pytest.fixture
def pixels(qtbot: QtBot) -> Iterator[PlotPixels]:
    """A picture of 200 × 100 pixels at 40, 10 over x from 0 to 50 and y from -1 to 1."""
    plot = QWidget()
    qtbot.addWidget(plot)
    canvas = Canvas(plot, load_theme("dark"))
    canvas.setGeometry(40 - INSET_PX, 10 - INSET_PX, 200 + 2 * INSET_PX, 100 + 2 * INSET_PX)
    made = PlotPixels(canvas)
    made.x, made.y = (0.0, 50.0), (-1.0, 1.0)
    yield made
    plot.hide()  # it is kept until here


def test_that_the_edges_of_the_picture_are_the_ends_of_the_ranges(pixels: PlotPixels) -> None:
    rect = pixels.picture_rect()
    assert (rect.x(), rect.y(), rect.width(), rect.height()) == (40, 10, 200, 100)
    assert (pixels.x_at(rect.topLeft()), pixels.y_at(rect.topLeft())) == (0.0, 1.0)
    assert (pixels.x_at(rect.bottomRight()), pixels.y_at(rect.bottomRight())) == (50.0, -1.0)


def test_that_an_x_is_found_again_where_it_is_drawn(pixels: PlotPixels) -> None:
    place = pixels.place_of(12.5)
    assert place == 50.0
    assert pixels.x_at(QPointF(40 + place, 60)) == 12.5
    assert pixels.across(QPointF(40 + place, 60)) == place


@pytest.mark.parametrize(
    ("x", "y", "over", "beside"),
    [(100, 50, True, False), (20, 50, False, True), (20, 5, False, False), (100, 140, False, False)],
)
def test_that_a_position_is_over_the_picture_or_beside_it(
    pixels: PlotPixels, x: int, y: int, over: bool, beside: bool
) -> None:
    assert (pixels.over(QPointF(x, y)), pixels.beside(QPointF(x, y))) == (over, beside)
