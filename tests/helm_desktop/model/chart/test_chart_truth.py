"""What a chart draws is what was logged: at any width, at any zoom, for any series."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from helm_desktop.model.series.number_column import Array
from helm_desktop.model.series.series_model import Series
from helm_desktop.model.series.series_window import SeriesWindow

WIDTHS = (8, 50, 300, 801, 2_000)
ZOOMS = (1.0, 0.5, 0.05, 0.001, 1e-5)
SORTS = ("noise", "constant", "subnormal", "huge", "falling", "integers")


@st.composite
def logs(draw: st.DrawFn) -> tuple[Array, Array]:
    """Steps and values of 1 to 1,000,000 points of every sort, uneven, repeated, with spikes and holes."""
    size = draw(st.sampled_from([1, 2, 17, 400, 5_000, 60_000, 60_000, 250_000, 1_000_000]))
    size = draw(st.integers(max(1, size // 2), size))
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    values: Array = {
        "noise": lambda: rng.standard_normal(size),
        "constant": lambda: np.full(size, draw(st.floats(-1e9, 1e9))),
        "subnormal": lambda: rng.integers(-9, 9, size) * 5e-324,
        "huge": lambda: rng.standard_normal(size) * 1e300,
        "falling": lambda: np.exp(-np.arange(size) / size * 9) + rng.standard_normal(size) * 1e-3,
        "integers": lambda: rng.integers(0, 5, size).astype(float),
    }[draw(st.sampled_from(SORTS))]()  # type: ignore[no-untyped-call]
    for odd in (np.nan, np.inf, -np.inf, 1e308, -1e308):
        count = draw(st.sampled_from([0, 0, 1, 3, size // 10]))
        values[rng.integers(0, size, count)] = odd
    kind = draw(st.sampled_from(["even", "even", "uneven", "repeated", "bursts"]))
    gaps: Array = {
        "even": lambda: np.full(size, draw(st.sampled_from([1, 10]))),
        "uneven": lambda: rng.integers(1, 1_000, size),
        "repeated": lambda: rng.integers(0, 2, size),
        "bursts": lambda: np.where(rng.random(size) < 0.01, 5_000, 1),
    }[kind]()  # type: ignore[no-untyped-call]
    steps = np.cumsum(gaps)
    if draw(st.sampled_from([False, False, True])) and size > 3:
        at = draw(st.integers(1, size - 2))
        steps[at] = steps[-1] + 7  # one from the future
    return steps, values


def last_of_each(steps: Array, values: Array) -> tuple[Array, Array]:
    """Of a step that was logged twice the later value, in the order of steps."""
    order = np.argsort(steps, kind="stable")
    ranked = steps[order]
    kept = order[np.append(ranked[1:] != ranked[:-1], True)]
    return steps[kept].astype(float), values[kept]


def in_time(steps: Array, values: Array) -> tuple[Array, Array]:
    """Every row in the order of its time, which is half its step."""
    order = np.argsort(steps, kind="stable")
    return steps[order] * 0.5, values[order]


@dataclass(frozen=True)
class Sight:
    """A window of some pixels, and what was logged inside of it."""

    x0: float
    x1: float
    width: int
    x: Array
    y: Array
    log: bool

    def columns(self, x: Array) -> Array:
        """The pixel of each x."""
        ends = np.array([self.x0, self.x1])
        (low, high), at = (np.log(ends), np.log(x)) if self.log else (ends, x)
        return np.asarray(np.clip((at - low) / (high - low) * self.width, 0, self.width - 1), int)

    def reach(self, x: Array, y: Array) -> tuple[Array, Array]:
        """Least and greatest y of each pixel; nan where it has none."""
        at = self.columns(x)
        low, high = np.full(self.width, np.nan), np.full(self.width, np.nan)
        if len(at):
            cuts = np.append(0, np.flatnonzero(at[1:] != at[:-1]) + 1)
            low[at[cuts]], high[at[cuts]] = np.minimum.reduceat(y, cuts), np.maximum.reduceat(y, cuts)
        return low, high


def around(low: Array, high: Array, far: int) -> tuple[Array, Array]:
    """The same of a pixel with those so far to its left and right."""
    wide = np.pad(low, far, constant_values=np.nan), np.pad(high, far, constant_values=np.nan)
    each = [(wide[0][at : at + len(low)], wide[1][at : at + len(low)]) for at in range(2 * far + 1)]
    lows, highs = zip(*each, strict=True)
    return np.fmin.reduce(lows), np.fmax.reduce(highs)


def judge(drawn: SeriesWindow, sight: Sight) -> None:
    """Nothing is lost and nothing is made up: neither an extreme of a pixel, nor an end, nor a mark."""
    x, y = sight.x, sight.y
    good = np.isfinite(y)
    assert drawn.points == len(x)
    assert drawn.non_finite == int((~good).sum())
    seen, odd = sight.columns(drawn.non_finite_x), sight.columns(x[~good])
    for one, other in ((odd, seen), (seen, odd)):  # each has one of the others within two pixels
        near = np.searchsorted(other, one - 2)
        assert (near < len(other)).all()
        assert (other[near] <= one + 2).all()
    if not good.any():
        return
    (line,) = [line for line in drawn.lines if not line.faint]
    assert (np.diff(line.x) >= 0).all()
    assert np.isfinite(line.y).all()
    within = (line.x >= sight.x0) & (line.x <= sight.x1)
    lx, ly = line.x[within], line.y[within]
    x, y = x[good], y[good]
    assert (ly.min(), ly.max()) == (y.min(), y.max()) == (drawn.low, drawn.high)
    assert (lx[0], ly[0]) == (x[0], y[0])
    assert (lx[-1], ly[-1]) == (x[-1], y[-1])
    logged, shown = sight.reach(x, y), sight.reach(lx, ly)
    has = ~np.isnan(logged[0])
    far = 2 if sight.log else 1  # what is reduced by even stretches of x lies between two pixels of its own
    low, high = around(*shown, far)
    assert (low[has] <= logged[0][has]).all()
    assert (high[has] >= logged[1][has]).all()
    has = ~np.isnan(shown[0])
    low, high = around(*logged, far + 1)
    assert (low[has] <= shown[0][has]).all()
    assert (high[has] >= shown[1][has]).all()


def look(series: Series, rows: tuple[Array, Array], axis: str, log: bool, data: st.DataObject) -> None:
    """Judges it at five zooms, at five widths each."""
    xs, ys = rows
    first = max(float(xs[0]), 0.5) if log else float(xs[0])
    span = max(float(xs[-1]) - first, 1.0)
    for zoom in ZOOMS:
        x0 = first + data.draw(st.floats(0, 1)) * span * (1 - zoom)
        x1 = x0 + max(span * zoom, 1e-3)
        start, end = np.searchsorted(xs, x0), np.searchsorted(xs, x1, "right")
        for width in WIDTHS:
            sight = Sight(x0, x1, width, xs[start:end], ys[start:end], log)
            judge(series.window(x0, x1, width, axis, log=log), sight)


@pytest.mark.timeout(600)
@settings(max_examples=300, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(
    log=logs(),
    parts=st.integers(1, 4),
    axis=st.sampled_from(["step", "step", "wall"]),
    log_x=st.sampled_from([False, False, True]),
    data=st.data(),
)
def test_that_what_is_drawn_is_what_was_logged(
    log: tuple[Array, Array], parts: int, axis: str, log_x: bool, data: st.DataObject
) -> None:
    series = Series("loss")
    for steps, values in zip(*(np.array_split(column, parts) for column in log), strict=True):
        series.append("trainer", 1, steps, steps * 0.5, values)
    rows = last_of_each(*log) if axis == "step" else in_time(*log)
    look(series, rows, axis, log_x, data)


@pytest.mark.parametrize("at", [0, 1, 123_456, 999_999])
def test_that_one_spike_in_a_million_is_there_at_every_zoom(at: int) -> None:
    values = np.random.default_rng(0).standard_normal(1_000_000)
    values[at] = 1e6
    series = Series("loss")
    steps = np.arange(1_000_000)
    series.append("trainer", 1, steps, steps * 0.5, values)
    for width in WIDTHS:
        for share in (1.0, 0.3, 0.01, 1e-4):
            x0 = min(max(0.0, at - share * 3e5), 1e6 - share * 1e6)
            drawn = series.window(x0, x0 + share * 1e6, width)
            assert drawn.high == 1e6
            assert 1e6 in drawn.y
            pixel = share * 1e6 / width
            assert np.abs(drawn.x[drawn.y == 1e6] - at).min() <= 2 * pixel
