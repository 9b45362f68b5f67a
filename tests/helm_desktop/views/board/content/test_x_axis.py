"""Where a chart's x begins, how far its points reach, and how an x is read."""

from __future__ import annotations

import pytest

from helm_desktop.model.chart.spec import ChartSpec
from helpers.contents import content_of, series_of


@pytest.mark.parametrize(
    ("x", "column", "origin", "extent", "heading"),
    [
        ("step", "step", 0.0, (4.0, 6.0), "step 6"),
        ("wall", "wall", 0.0, (102.0, 103.0), None),
        ("relative", "wall", 102.0, (0.0, 1.0), "6.0 s"),
        ("active", "wall", 0.0, (0.0, 1.0), "6.0 s active"),
    ],
)
def test_that_x_is_the_step_a_time_or_a_duration(
    x: str, column: str, origin: float, extent: tuple[float, float], heading: str | None
) -> None:
    content = content_of(ChartSpec(series=("loss",), x=x), series_of("loss", [1.0, 2.0, 3.0], first=4))
    assert (content.x.column, content.x.origin(), content.x.extent()) == (column, origin, extent)
    assert content.x.on_steps is (x == "step")
    if heading is not None:
        assert content.x.heading(6.0) == heading


def test_that_an_x_that_is_a_metric_is_read_by_its_name() -> None:
    spec = ChartSpec(series=("loss",), x="tokens")
    content = content_of(spec, series_of("loss", [1.0, 2.0]), series_of("tokens", [0.0, 512.0]))
    assert content.x.extent() == (0.0, 512.0)
    assert content.x.heading(512.0) == "tokens 512.0"


def test_that_nothing_reaches_nowhere() -> None:
    assert content_of(ChartSpec(series=("loss",))).x.extent() is None
