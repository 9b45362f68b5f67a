"""What a chart draws is what was logged: at any width, at any zoom, for any series."""

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from helm_desktop.model.columns import Array
from helm_desktop.model.series import Series
from helm_desktop.model.window import Drawn

WIDTHS = (8, 50, 300, 801, 2_000)
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
    return steps[kept], values[kept]


def judge(drawn: Drawn, steps: Array, values: Array, x0: float, x1: float, width: int) -> None:
    """Every extreme of every pixel is there, both ends are, and what is not finite is marked where it is."""
    here = (steps >= x0) & (steps <= x1)
    x, y = steps[here].astype(float), values[here]
    good = np.isfinite(y)
    assert drawn.points == len(x)
    assert drawn.non_finite == int((~good).sum())
    pixel = (x1 - x0) / width
    if (~good).any():
        odd = np.sort(x[~good])
        assert len(drawn.odd_x)
        for mark in (drawn.odd_x[0], drawn.odd_x[-1]):
            assert np.abs(odd - mark).min() <= 2 * pixel
        for place in (odd[0], odd[-1], odd[len(odd) // 2]):
            assert np.abs(drawn.odd_x - place).min() <= 2 * pixel
    if not good.any():
        return
    (line,) = [line for line in drawn.lines if not line.faint]
    within = (line.x >= x0) & (line.x <= x1)
    lx, ly = line.x[within], line.y[within]
    assert (ly.min(), ly.max()) == (y[good].min(), y[good].max()) == (drawn.low, drawn.high)
    assert (lx[0], ly[0]) == (x[good][0], y[good][0])
    assert (lx[-1], ly[-1]) == (x[good][-1], y[good][-1])
    assert (np.diff(line.x) >= 0).all()
    assert np.isfinite(line.y).all()
    for extreme in (int(np.argmax(y[good])), int(np.argmin(y[good]))):
        at, value = x[good][extreme], y[good][extreme]
        near = np.abs(lx[ly == value] - at) <= 2 * pixel * 1.000001  # its own column or the one before
        assert near.any() or (y[good] == value).sum() > 1


@pytest.mark.timeout(600)
@settings(max_examples=300, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(log=logs(), parts=st.integers(1, 4), data=st.data())
def test_that_what_is_drawn_is_what_was_logged(
    log: tuple[Array, Array], parts: int, data: st.DataObject
) -> None:
    series = Series("loss")
    for steps, values in zip(*(np.array_split(column, parts) for column in log), strict=True):
        series.append("trainer", 1, steps, steps * 0.5, values)
    steps, values = last_of_each(*log)
    first, last = float(steps[0]), float(steps[-1])
    span = max(last - first, 1.0)
    for zoom, width in zip((1.0, 0.5, 0.05, 0.001, 1e-5), data.draw(st.permutations(WIDTHS)), strict=True):
        start = first + data.draw(st.floats(0, 1)) * span * (1 - zoom)
        x0, x1 = start, start + max(span * zoom, 1e-3)
        judge(series.window(x0, x1, width), steps, values, x0, x1, width)


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
