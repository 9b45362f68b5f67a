import numpy as np
import pytest

from helm_desktop.model.chart.chart_source import ChartSource
from helm_desktop.model.chart.spec import ChartSpec, DerivedCurve
from helm_desktop.model.series.active_time import ActiveTime
from helm_desktop.model.series.number_column import Array
from helm_desktop.model.series.series_model import Series

HOURS = 3_600.0


def logged(
    name: str, values: Array | list[float], *, process: str = "trainer", kind: str = "scalar"
) -> Series:
    """A series of one process, a point a step and each half second."""
    series = Series(name, kind=kind)
    put(series, values, process)
    return series


def put(series: Series, values: Array | list[float], process: str = "trainer", first: int = 0) -> None:
    """More points."""
    steps = np.arange(first, first + len(values))
    series.append(process, 1, steps, 1e9 + steps * 0.5, np.asarray(values, float))


def known(*series: Series) -> dict[str, Series]:
    """By name."""
    return {one.name: one for one in series}


def test_that_a_pattern_finds_its_series_and_new_ones_too() -> None:
    run = known(logged("loss/web", [1.0]), logged("loss/code", [2.0]), logged("lr", [3.0]))
    source = ChartSource(ChartSpec(series=("loss/{source}",)), run)
    assert [(one.label, one.values) for one in source.refresh()] == [
        ("loss/code", ("code",)),
        ("loss/web", ("web",)),
    ]
    run["loss/math"] = logged("loss/math", [1.0])
    assert [one.values for one in source.refresh()] == [("code",), ("math",), ("web",)]
    assert source.needs == {"loss/code", "loss/math", "loss/web"}


def test_that_a_name_that_looks_like_a_pattern_is_a_name() -> None:
    run = known(logged("data/{x}", [1.0]), logged("data/y", [1.0]))
    assert [one.label for one in ChartSource(ChartSpec(series=("data/{x}",)), run).refresh()] == ["data/{x}"]


def test_that_errors_of_derived_curves_are_told_and_the_rest_is_shown() -> None:
    spec = ChartSpec(
        series=("a",), derived=(DerivedCurve("a -"), DerivedCurve("a * 2"), DerivedCurve("gone + a"))
    )
    source = ChartSource(spec, known(logged("a", [1.0, 2.0])))
    assert [one.label for one in source.refresh()] == ["a", "a * 2", "gone + a"]
    assert source.problems == [
        "a -: a series or a number is missing at the end",
        "gone + a: no series is named gone",
    ]


@pytest.mark.parametrize(("how", "values"), [("mean", [2.0, 3.0]), ("max", [3.0, 4.0]), ("min", [1.0, 2.0])])
def test_that_ranks_are_joined_at_the_steps_that_all_have_reached(how: str, values: list[float]) -> None:
    series = logged("loss", [1.0, 2.0, 9.0], process="rank0")
    put(series, [3.0, 4.0], "rank1")
    source = ChartSource(ChartSpec(series=("loss",), ranks=how), known(series))  # type: ignore[arg-type]
    assert source.refresh()[0].series.tail(9)[1].tolist() == values
    put(series, [11.0], "rank1", first=2)
    assert source.refresh()[0].series.tail(9)[0].tolist() == [0, 1, 2]


def test_that_the_last_steps_of_a_run_that_ended_are_not_waited_for() -> None:
    series = logged("loss", [1.0, 2.0, 9.0], process="rank0")
    put(series, [3.0], "rank1")
    source = ChartSource(ChartSpec(series=("loss",), ranks="band"), known(series))
    source.final = True
    (shown,) = source.refresh()
    assert shown.series.tail(9)[1].tolist() == [2.0, 2.0, 9.0]
    assert shown.low is not None
    assert shown.high is not None
    assert (shown.low.tail(9)[1].tolist(), shown.high.tail(9)[1].tolist()) == (
        [1.0, 2.0, 9.0],
        [3.0, 2.0, 9.0],
    )


def test_that_equal_ranks_have_exactly_their_value_as_mean() -> None:
    series = logged("lr", np.full(50, 0.1), process="a")
    for process in ("b", "c"):
        put(series, np.full(50, 0.1), process)
    (shown,) = ChartSource(ChartSpec(series=("lr",), ranks="mean"), known(series)).refresh()
    assert set(shown.series.tail(50)[1].tolist()) == {0.1}


def test_that_a_derived_curve_is_joined_over_ranks_like_the_others() -> None:
    series = logged("loss", [1.0, 2.0, 3.0], process="rank-0")
    put(series, [3.0, 6.0, 9.0], "rank-1")
    spec = ChartSpec(series=("loss",), derived=(DerivedCurve('"loss" * 10', "tenfold"),), ranks="band")
    source = ChartSource(spec, known(series))
    plain, tenfold = source.refresh()
    assert (tenfold.label, plain.series.tail(9)[1].tolist()) == ("tenfold", [2.0, 4.0, 6.0])
    assert tenfold.series.tail(9)[1].tolist() == [20.0, 40.0, 60.0]
    assert tenfold.low is not None
    assert tenfold.low.tail(9)[1].tolist() == [10.0, 20.0, 30.0]
    put(series, [4.0], "rank-0", first=3)
    put(series, [8.0], "rank-1", first=3)
    assert source.refresh()[1].series.tail(9)[1].tolist() == [20.0, 40.0, 60.0, 60.0]


def test_that_x_can_be_an_axis_joined_by_step() -> None:
    loss, tokens = logged("loss", np.arange(10.0)), Series("tokens", kind="axis")
    tokens.append("trainer", 1, np.array([0, 4, 8]), np.array([0.0, 1, 2]), np.array([0.0, 400.0, 800.0]))
    source = ChartSource(ChartSpec(series=("loss",), x="tokens"), known(loss, tokens))
    (shown,) = source.refresh()
    drawn = shown.series.window(0, 1e9, 100, source.column)
    assert drawn.x.tolist() == [0, 100, 200, 300, 400, 500, 600, 700, 800]
    assert source.unplaced == 0  # the last row waits
    source.final = True
    source.refresh()
    assert source.unplaced == 1


def test_that_x_can_be_a_metric_that_goes_to_and_fro() -> None:
    y, x = logged("y", [1.0, 2.0, 3.0]), logged("x", [5.0, 1.0, 3.0])
    (shown,) = ChartSource(ChartSpec(series=("y",), x="x"), known(y, x)).refresh()
    drawn = shown.series.window(0, 10, 100, "wall")
    assert (drawn.x.tolist(), drawn.y.tolist()) == ([1.0, 3.0, 5.0], [2.0, 3.0, 1.0])
    missing = ChartSource(ChartSpec(series=("y",), x="gone"), known(y))
    missing.refresh()
    assert missing.problems == ["The x axis is gone, which this run has not logged"]


def test_that_active_time_leaves_gaps_and_pauses_out() -> None:
    series = Series("loss")
    steps = np.arange(200)
    times = 1e9 + steps * 1.0 + np.where(steps >= 100, 10 * HOURS, 0.0)
    series.append("trainer", 1, steps, times, np.ones(200))
    clock = ActiveTime()
    source = ChartSource(ChartSpec(series=("loss",), x="active"), known(series), clock)
    clock.follow([series])
    (shown,) = source.refresh()
    assert shown.series.extent("wall") == pytest.approx((0.0, 198.0))
    clock.set_pauses([(1e9 + 10, 1e9 + 20)])
    clock.follow([series])
    assert source.refresh()[0].series.extent("wall") == pytest.approx((0.0, 188.0))


def test_that_a_rebased_series_grows_without_beginning_anew() -> None:
    loss, tokens = logged("loss", np.arange(5.0)), logged("tokens", np.arange(5.0) * 7, kind="axis")
    source = ChartSource(ChartSpec(series=("loss",), x="tokens"), known(loss, tokens))
    segment = source.refresh()[0].series.segments["trainer", 1]
    put(loss, [5.0, 6.0], first=5)
    put(tokens, [35.0, 42.0], first=5)
    assert source.refresh()[0].series.segments["trainer", 1] is segment
    assert segment.count == 7
