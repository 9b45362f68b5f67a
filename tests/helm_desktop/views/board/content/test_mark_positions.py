"""Where marks stand, which are close to an x, and what logarithmic axes leave out."""

from __future__ import annotations

import numpy as np
import pytest

from helm_desktop.model.chart.marks import Mark
from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.model.media.histograms import Histograms, LoggedHistogram
from helm_desktop.views.board.content.content import ChartContent
from helm_desktop.views.board.content.omissions import hidden_points, notice
from helpers.contents import content_of, series_of

MARKS = [Mark("change", 2, "lr"), Mark("note", 4, "why", own=True)]


def content(x: str) -> ChartContent:
    """Ten points of a loss over an axis, with marks."""
    made = content_of(ChartSpec(series=("loss",), x=x), series_of("loss", list(range(10))))
    made.set_marks(MARKS)
    return made


@pytest.mark.parametrize(
    ("x", "places"), [("step", [2.0, 4.0]), ("wall", [101.0, 102.0]), ("relative", [1.0, 2.0])]
)
def test_that_marks_stand_where_the_curve_was_at_their_step(x: str, places: list[float]) -> None:
    positions = content(x).mark_positions
    assert [place for place, _ in positions.all()] == pytest.approx(places)
    assert positions.of(4) == pytest.approx(places[1])
    assert positions.step_at(places[1]) == 4


def test_that_only_marks_within_reach_are_near_and_none_where_marks_are_off() -> None:
    made = content("step")
    assert made.mark_positions.near(3.8, 0.5) == [MARKS[1]]
    assert made.mark_positions.near(3.0, 0.5) == []
    made.change(marks=False)
    assert made.mark_positions.near(3.8, 0.5) == []


def test_that_a_note_is_known_by_its_step_and_another_mark_is_no_note() -> None:
    positions = content("step").mark_positions
    assert positions.has_note(4)
    assert not positions.has_note(2)


@pytest.mark.parametrize(
    ("x", "over_time", "extent"),
    [("step", False, (3.0, 9.0)), ("relative", True, (0.0, 6.0)), ("tokens", None, None)],
)
def test_that_logged_histograms_have_a_place_on_steps_and_times(
    x: str, over_time: bool | None, extent: tuple[float, float] | None
) -> None:
    made = content_of(ChartSpec(series=("grads",), x=x))
    edges, counts = np.arange(3.0), np.ones(2)
    made.set_histograms([Histograms.of(LoggedHistogram(step, counts, edges) for step in (3, 9))])
    assert made.logged.over_time is over_time
    assert made.logged.extent() == extent


@pytest.mark.parametrize(
    ("parts", "hidden"), [({}, 0), ({"log_y": True}, 2), ({"log_x": True}, 1), ({"x": "relative"}, 0)]
)
def test_that_points_that_a_logarithm_cannot_show_are_counted(parts: dict[str, object], hidden: int) -> None:
    made = content_of(ChartSpec(series=("loss",)), series_of("loss", [0.0, -1.0, 3.0]))
    made.change(**parts)
    made.refresh()
    assert hidden_points(made, made.x) == hidden
    assert notice(made, made.x, 3) == ("3 not finite" + (f", {hidden} hidden" if hidden else ""))
