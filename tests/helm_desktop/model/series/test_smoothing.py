from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helm_desktop.model.series.number_column import Array
from helm_desktop.model.series.pyramid import Pyramid
from helm_desktop.model.series.smoothing import Smoothed

WEIGHTS = st.sampled_from([0.0, 0.1, 0.5, 0.6, 0.9, 0.92, 0.99, 0.999])
FINITE = st.one_of(st.floats(-1e6, 1e6), st.sampled_from([0.0, 5e-324, 1e300, -1e300]))


def track_of(values: Array) -> Pyramid:
    """Rows a step apart."""
    track = Pyramid()
    steps = np.arange(len(values))
    track.append(steps, steps * 0.5, np.asarray(values, float))
    return track


def smoothed(values: Array, weight: float, cuts: list[int] | None = None) -> Array:
    """The averages, taken in these pieces."""
    track = Pyramid()
    follower = Smoothed(track, weight)
    for piece in np.split(np.asarray(values, float), cuts or []):
        steps = np.arange(len(track), len(track) + len(piece))
        track.append(steps, steps * 0.5, piece)
        follower.follow()
    while not follower.follow(97):
        pass
    return follower.value.slice(0, len(follower))


def exactly(values: list[float], weight: float) -> list[float]:
    """The formula in fractions: weighted sum over sum of weights, over the finite values."""
    made, total, weights = [], Fraction(0), Fraction(0)
    w = Fraction(weight)
    for value in values:
        if not np.isfinite(value):
            made.append(float("nan"))
            continue
        total, weights = total * w + Fraction(value), weights * w + 1
        made.append(float(total / weights))
    return made


@settings(max_examples=150, deadline=None)
@given(values=st.lists(st.one_of(FINITE, st.sampled_from([np.nan, np.inf])), max_size=60), weight=WEIGHTS)
def test_that_smoothing_is_its_formula(values: list[float], weight: float) -> None:
    ours, wanted = smoothed(np.array(values, float), weight), np.array(exactly(values, weight), float)
    assert (np.isnan(ours) == np.isnan(wanted)).all()
    good = np.isfinite(wanted)
    largest = np.maximum.accumulate(np.where(np.isfinite(values), np.abs(values), 0.0)) if values else ours
    assert (np.abs(ours - wanted)[good] <= 1e-12 * largest[good] + 5e-324).all()


@pytest.mark.parametrize("weight", [0.6, 0.9, 0.99, 0.999])
@pytest.mark.parametrize("value", [1e-4, 1 / 3, 1e300, 5e-324, -7.1])
def test_that_a_constant_stays_exactly_constant(weight: float, value: float) -> None:
    assert (smoothed(np.full(5_000, value), weight) == value).all()


@settings(max_examples=60, deadline=None)
@given(
    values=st.lists(FINITE, min_size=1, max_size=200),
    weight=WEIGHTS,
    cuts=st.lists(st.integers(0, 200), max_size=5),
)
def test_that_a_prefix_smooths_alike_at_any_length(
    values: list[float], weight: float, cuts: list[int]
) -> None:
    whole = smoothed(np.array(values), weight)
    inside = sorted(min(cut, len(values)) for cut in cuts)
    assert (smoothed(np.array(values), weight, inside) == whole).all()
    for cut in inside:
        assert (smoothed(np.array(values[:cut]), weight) == whole[:cut]).all()


def test_that_a_sparse_series_is_smoothed_per_logged_point() -> None:
    values = np.random.default_rng(0).standard_normal(300)
    holes = np.full(3_000, np.nan)
    holes[::10] = values
    assert (smoothed(holes, 0.9)[::10] == smoothed(values, 0.9)).all()


def test_that_a_series_logged_now_and_then_is_smoothed_per_point_and_not_per_step() -> None:
    rng = np.random.default_rng(4)
    values, gaps = rng.standard_normal(2_000), rng.integers(1, 10_000, 2_000)
    sparse, steps = Pyramid(), np.cumsum(gaps)
    sparse.append(steps, steps * 0.5, values)
    follower = Smoothed(sparse, 0.99)
    assert follower.follow()
    assert (follower.value.slice(0, 2_000) == smoothed(values, 0.99)).all()


@pytest.mark.parametrize("weight", [0.5, 0.99, 0.999])
def test_that_a_long_series_keeps_to_the_formula(weight: float) -> None:
    values = np.random.default_rng(3).standard_normal(300_000) + np.linspace(50, 0, 300_000)
    ours = smoothed(values, weight)
    for row in (10, 1_000, 299_999):  # beyond some rows before it a value weighs less than can be told
        first = max(0, row - 60_000)
        ranks = np.arange(row - first, -1, -1)
        shares = np.power(np.longdouble(weight), ranks)
        wanted = (shares * values[first : row + 1]).sum() / shares.sum()
        assert abs(ours[row] - wanted) <= 1e-12 * np.abs(values).max(), row


def test_that_values_too_far_apart_for_a_difference_are_smoothed() -> None:
    ours = smoothed(np.array([1.7e308, -1.7e308, 1.7e308, 1.0]), 0.1)
    assert np.isfinite(ours).all()
    assert ours == pytest.approx(exactly([1.7e308, -1.7e308, 1.7e308, 1.0], 0.1), rel=1e-12)


def test_that_rows_taken_back_are_smoothed_anew() -> None:
    values = np.random.default_rng(1).standard_normal(500)
    track = track_of(values)
    follower = Smoothed(track, 0.9)
    follower.follow()
    track.truncate(321)
    track.append(np.arange(321, 400), np.arange(321, 400) * 0.5, np.full(79, 2.0))
    assert follower.follow()
    assert (
        follower.value.slice(0, 400) == smoothed(np.concatenate([values[:321], np.full(79, 2.0)]), 0.9)
    ).all()


def test_that_a_long_series_is_smoothed_in_slices() -> None:
    track = track_of(np.random.default_rng(2).standard_normal(500_000))
    follower = Smoothed(track, 0.99)
    slices = 0
    while not follower.follow():
        slices += 1
        assert follower.behind == 500_000 - len(follower)
    assert slices == 2
    assert follower.follow()
