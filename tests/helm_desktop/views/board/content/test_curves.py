"""The curves of a chart, their legend and their values at an x."""

from __future__ import annotations

import numpy as np
import pytest

from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.theme import load_theme
from helm_desktop.views.board.canvas.bundle import FROM_CURVES
from helpers.contents import content_of, series_of

THEME = load_theme("dark")


def test_that_every_process_is_a_curve_and_the_list_is_kept() -> None:
    series = series_of("loss", [1.0, 2.0], "rank-0", "rank-1")
    content = content_of(ChartSpec(series=("loss",)), series)
    curves = content.curves.all()
    assert [one.name for one in curves] == ["rank-0", "rank-1"]
    assert content.curves.all() is curves
    series.append("rank-2", 1, np.array([0]), np.array([100.0]), np.array([1.0]))
    assert [one.process for one in content.curves.all()] == ["rank-0", "rank-1", "rank-2"]


@pytest.mark.parametrize(
    ("name", "unit", "percent", "from_zero"),
    [("loss", "", False, False), ("gpu", "%", True, True), ("tokens_per_s", "", False, True)],
)
def test_that_rates_and_shares_are_read_against_zero(
    name: str, unit: str, percent: bool, from_zero: bool
) -> None:
    curves = content_of(ChartSpec(series=(name,), unit=unit), series_of(name, [1.0, 2.0])).curves
    assert (curves.percent(), curves.from_zero()) == (percent, from_zero)


def test_that_one_curve_is_summed_up_by_its_latest_value_and_unit() -> None:
    content = content_of(ChartSpec(series=("gpu",), unit="%"), series_of("gpu", [40.0, 82.0]))
    assert content.curves.summary() == "82.0%"


def test_that_very_many_curves_share_the_first_colours() -> None:
    names = [f"m/{at}" for at in range(FROM_CURVES)]
    content = content_of(ChartSpec(series=("m/{n}",)), *(series_of(name, [1.0]) for name in names))
    colours = {content.curves.colour(THEME, at) for at in range(FROM_CURVES)}
    assert colours == set(THEME.curves)


def test_that_the_legend_is_made_anew_only_where_something_changed() -> None:
    content = content_of(ChartSpec(series=("a", "b")), series_of("a", [1.0]), series_of("b", [2.0]))
    entries = content.legend.all(THEME)
    assert [(one.name, one.off) for one in entries] == [("a", False), ("b", False)]
    assert content.legend.all(THEME) is entries
    content.visibility.set_solo(entries[1].key)
    assert [(one.name, one.off) for one in content.legend.all(THEME)] == [("a", True), ("b", False)]
    assert content.legend.all(load_theme("light"))[0].colour != entries[0].colour


def test_that_readings_are_of_the_points_nearest_and_leave_hidden_curves_out() -> None:
    content = content_of(
        ChartSpec(series=("a", "b")), series_of("a", [1.0, 2.0, 3.0]), series_of("b", [5.0, 6.0, 7.0])
    )
    at, readings = content.readings.at(1.2, THEME)
    assert at == 1.0
    assert [(one.name, one.value) for one in readings] == [("a", 2.0), ("b", 6.0)]
    content.visibility.toggle(content.curves.all()[0].key)
    assert [one.name for one in content.readings.at(1.2, THEME)[1]] == ["b"]


def test_that_a_smoothed_reading_says_what_was_logged_too() -> None:
    content = content_of(ChartSpec(series=("a",), smoothing=0.5), series_of("a", [1.0, 0.0]))
    content.curves.all()[0].shown.series.smoothed(0.0, 1.0, 100, 0.5)  # as when it is drawn
    _, (reading,) = content.readings.at(1.0, THEME)
    assert reading.value == pytest.approx(1 / 3)
    assert reading.raw == " · raw 0.0"
