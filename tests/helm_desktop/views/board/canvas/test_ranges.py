import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helm_desktop.views.board.canvas import ranges

FINITE = st.floats(-1e300, 1e300).filter(lambda value: value == 0 or abs(value) > 1e-290)


@given(low=FINITE, high=FINITE, held=st.none() | st.tuples(st.floats(-1e9, 0), st.floats(1, 1e9)))
def test_that_a_range_holds_its_values(low: float, high: float, held: tuple[float, float] | None) -> None:
    low, high = sorted((low, high))
    bottom, top = ranges.fit_y(low, high, held)
    slack = 1e-6 * (top - bottom)
    assert bottom < top
    assert bottom - slack <= low
    assert high <= top + slack
    labels = ranges.labels(ranges.ticks(bottom, top, ranges.y_step(bottom, top, 4)))
    assert 1 <= len(labels) <= 12


@given(low=FINITE, high=FINITE)
def test_that_a_held_range_stays_while_it_serves(low: float, high: float) -> None:
    low, high = sorted((low, high))
    fitted = ranges.fit_y(low, high)
    if high - low >= 0.5 * (fitted[1] - fitted[0]):
        assert ranges.fit_y(low, high, fitted) == fitted


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (0.41, 10.8, ["0", "3", "6", "9", "12"]),
        (0.0, 3e-3, ["0", "8.0e-4", "1.6e-3", "2.4e-3", "3.2e-3"]),
        (5_400, 6_100, ["5.4k", "5.6k", "5.8k", "6.0k", "6.2k"]),
        (1.0, 1.09, ["1.000", "1.025", "1.050", "1.075", "1.100"]),
    ],
)
def test_that_ticks_are_round_and_of_one_style(low: float, high: float, labels: list[str]) -> None:
    bottom, top = ranges.fit_y(low, high)
    assert ranges.labels(ranges.ticks(bottom, top, ranges.y_step(bottom, top, 4))) == labels


def test_that_close_values_are_told_by_their_distance() -> None:
    values = ranges.ticks(1.0, 1.00000012, 4e-8)
    assert ranges.labels(values) == ["1", "+4e-8", "+8e-8", "+1.2e-7"]


def test_that_x_grows_by_a_quarter_or_more() -> None:
    assert ranges.grow_x(0, 99, None) == (0, 99)
    assert ranges.grow_x(0, 99, (0, 120)) == (0, 120)
    assert ranges.grow_x(0, 121, (0, 120)) == (0, 121 * 1.25)


def test_that_powers_read_well() -> None:
    assert ranges.labels(ranges.log_ticks(-6, 0, 4), log=True) == ["1e-6", "1e-4", "0.01", "1"]
    assert ranges.labels(ranges.log_ticks(1, 2, 4), log=True) == ["10", "20", "50", "100"]
    assert math.isclose(ranges.fit_log(0.2, 90)[0], -1)


@given(low=st.floats(allow_nan=False), high=st.floats(allow_nan=False), most=st.integers(2, 8))
def test_that_any_values_make_a_range_with_ticks(low: float, high: float, most: int) -> None:
    low, high = sorted((low, high))
    bottom, top = ranges.fit_y(low, high, most=most)
    assert bottom < top
    assert math.isfinite(top - bottom)
    found = ranges.ticks(bottom, top, ranges.y_step(bottom, top, most))
    assert len(ranges.labels(found)) == len(found) <= 102


@given(low=st.floats(min_value=0, allow_nan=False), high=st.floats(min_value=0, allow_nan=False))
def test_that_any_positive_values_make_a_logarithmic_range(low: float, high: float) -> None:
    low, high = sorted((low, high))
    bottom, top = ranges.fit_log(low, high)
    assert bottom < top
    found = ranges.log_ticks(bottom, top, 4)
    assert len(ranges.labels(found, log=True)) == len(found)
