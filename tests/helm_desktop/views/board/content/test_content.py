"""What a chart shows is told to the chart when it changes, and to nobody when it does not."""

from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from helm_desktop.model.chart.marks import Mark
from helm_desktop.model.chart.spec import ChartSpec
from helm_desktop.model.media.histograms import Histograms, LoggedHistogram
from helm_desktop.views.board.content.content import ChartContent
from helpers.contents import content_of, series_of

LOSS = ChartSpec(series=("loss",))


def test_that_another_spec_is_told_with_the_one_before() -> None:
    content = content_of(LOSS, series_of("loss", [1.0, 2.0]))
    told: list[ChartSpec] = []
    content.replaced.connect(told.append)
    content.change(log_y=True)
    assert told == [LOSS]
    assert content.spec.log_y
    content.change(log_y=True)
    assert len(told) == 1


def test_that_how_it_is_drawn_keeps_the_source_and_other_series_make_a_new_one() -> None:
    content = content_of(LOSS, series_of("loss", [1.0]), series_of("lr", [2.0]))
    source = content.source
    content.change(smoothing=0.9)
    assert content.source is source
    assert source.spec.smoothing == 0.9
    content.change(series=("lr",))
    assert content.source is not source
    assert [one.name for one in content.series] == ["lr"]


def test_that_each_thing_that_is_shown_asks_to_be_drawn(qtbot: QtBot) -> None:
    content = content_of(LOSS, series_of("loss", [1.0, 2.0]))
    with qtbot.waitSignals([content.changed] * 4):
        content.set_marks([Mark("change", 1, "lr")])
        content.set_plan([0, 9], [1.0, 0.1])
        content.set_histograms([])
        content.set_live(False)


def test_that_a_run_that_ended_is_shown_to_its_last_point_whatever_source_comes_after(qtbot: QtBot) -> None:
    content = content_of(LOSS, series_of("loss", [1.0, 2.0]))
    with qtbot.waitSignal(content.live_changed):
        content.set_live(False)
    assert content.source.final
    content.change(ranks="mean")
    assert content.source.final
    with qtbot.assertNotEmitted(content.live_changed):
        content.set_live(False)


def test_that_the_title_is_the_specs_else_the_charts_else_the_names() -> None:
    loss = series_of("loss", [1.0])
    fixed = ChartContent()
    fixed.set_series([loss])
    assert fixed.title == "loss"
    named = ChartContent("chart 1")
    named.set_series([loss])
    assert named.title == "chart 1"
    named.change(title="Loss")
    assert named.title == "Loss"
    assert content_of(LOSS, loss).title == "loss"


def test_that_a_plan_is_ahead_only_on_its_own_axis() -> None:
    content = content_of(LOSS, series_of("loss", [1.0, 2.0]))
    content.set_plan([0, 9], [1.0, 0.1])
    assert content.ahead is not None
    content.change(x="wall")
    assert content.ahead is None
    content.set_plan((), ())
    assert content.plan is None


def test_that_histograms_alone_are_drawn_as_histograms_and_counted() -> None:
    content = content_of(ChartSpec(series=("grads",)))
    assert (content.draw, content.empty, content.point_count) == ("lines", True, 0)
    logged = Histograms.of(LoggedHistogram(s, np.ones(2), np.arange(3.0)) for s in (0, 5))
    content.set_histograms([logged])
    assert (content.draw, content.empty, content.point_count) == ("histogram", False, 2)


@pytest.mark.parametrize(("name", "found"), [("lr", True), ("nothing", False)])
def test_that_a_series_outside_of_the_chart_is_found_by_name(name: str, found: bool) -> None:
    content = content_of(LOSS, series_of("loss", [1.0]), series_of("lr", [2.0]))
    assert (content.other(name) is not None) is found
