import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helm_desktop.model.series.number_column import CHUNK, Array, NumberColumn
from helm_desktop.model.series.series_model import Series, SeriesStore
from helm_desktop.model.series.series_window import SeriesWindow
from helm_sdk.protocol.messages import Batch, PointGroup, StreamDef


def made(values: Array, steps: Array | None = None, parts: int = 1) -> Series:
    """A series of one process that logged these values."""
    series = Series("loss")
    at = np.arange(len(values)) if steps is None else steps
    for piece in np.array_split(np.arange(len(values)), parts):
        series.append("trainer", 1, at[piece], at[piece] * 0.5, values[piece])
    return series


def strong(drawn: SeriesWindow) -> tuple[Array, Array]:
    """The one line that is not faint."""
    (line,) = [line for line in drawn.lines if not line.faint]
    return line.x, line.y


VALUES = st.one_of(
    st.floats(-1e6, 1e6),
    st.floats(allow_nan=True, allow_infinity=True),
    st.sampled_from([0.0, -0.0, np.nan, np.inf, -np.inf, 1e308, -1e308, 5e-324]),
)


@st.composite
def logs(draw: st.DrawFn) -> tuple[Array, Array]:
    """Steps with holes, repeats and steps back, and values of every sort; sometimes many of them."""
    head = draw(st.lists(st.tuples(st.integers(-3, 400), VALUES), min_size=1, max_size=60))
    steps = np.array([step for step, _ in head], np.int64)
    values = np.array([value for _, value in head])
    extra = draw(st.sampled_from([0, 0, 100, 5_000, 20_000]))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    if draw(st.booleans()):
        steps = np.sort(steps)
    if extra:
        gaps = rng.integers(draw(st.integers(-1, 1)), draw(st.sampled_from([2, 9, 5_000])), extra)
        steps = np.concatenate((steps, steps[-1] + np.cumsum(gaps)))
        more = rng.standard_normal(extra)
        more[rng.random(extra) < draw(st.sampled_from([0.0, 0.01, 0.9]))] = np.nan
        values = np.concatenate((values, more))
    return steps, values


@settings(max_examples=150, deadline=None)
@given(log=logs(), width=st.sampled_from([8, 50, 317, 2_000]), parts=st.integers(1, 9), cut=st.data())
def test_that_a_window_holds_every_extreme_and_its_ends(
    log: tuple[Array, Array], width: int, parts: int, cut: st.DataObject
) -> None:
    steps, values = log
    series = made(values, steps, parts)
    last = {int(step): value for step, value in zip(steps, values, strict=True)}
    x = np.array(sorted(last), float)
    y = np.array([last[int(step)] for step in x])
    low, high = sorted(cut.draw(st.tuples(st.integers(0, len(x) - 1), st.integers(0, len(x) - 1))))
    x0, x1 = x[low], x[high]
    drawn = series.window(x0, x1, width)
    inside_x, inside_y = x[low : high + 1], y[low : high + 1]
    good = np.isfinite(inside_y)
    assert drawn.points == len(inside_x)
    assert drawn.non_finite == (~good).sum()
    assert series.repeats == len(steps) - len(last)
    pixel = (x1 - x0) / width
    for odd in inside_x[~good]:
        assert np.abs(drawn.non_finite_x - odd).min() <= 2 * pixel + 1e-9
    if not good.any():
        assert np.isnan(drawn.low)
        return
    line_x, line_y = strong(drawn)
    assert (np.diff(line_x) >= 0).all()
    assert np.isfinite(line_y).all()
    assert drawn.low == inside_y[good].min()
    assert drawn.high == inside_y[good].max()
    points = set(zip(line_x.tolist(), line_y.tolist(), strict=True))
    assert (inside_x[good][0], inside_y[good][0]) in points
    assert (inside_x[good][-1], inside_y[good][-1]) in points
    assert len(line_x) <= max(2 * width + 2, 2 * (width + 2) + 4)
    for spike in (inside_y[good].argmax(), inside_y[good].argmin()):
        near = np.abs(line_x - inside_x[good][spike]) <= 2 * pixel
        assert inside_y[good][spike] in line_y[near]


@settings(max_examples=100, deadline=None)
@given(log=logs(), width=st.sampled_from([8, 120]), parts=st.integers(2, 40))
def test_that_looking_while_it_grows_shows_what_looking_once_shows(
    log: tuple[Array, Array], width: int, parts: int
) -> None:
    steps, values = log
    ends = float(steps.min()), float(steps.max()) + 1
    grown = Series("loss")
    for piece in np.array_split(np.arange(len(steps)), parts):
        grown.append("trainer", 1, steps[piece], steps[piece] * 0.5, values[piece])
        grown.window(*ends, width)
    seen, once = grown.window(*ends, width), made(values, steps).window(*ends, width)
    for got, wanted in zip(seen.lines, once.lines, strict=True):
        assert got.x[[0, -1]].tolist() == wanted.x[[0, -1]].tolist()
        assert got.y[[0, -1]].tolist() == wanted.y[[0, -1]].tolist()
    assert (seen.points, seen.non_finite) == (once.points, once.non_finite)
    np.testing.assert_equal((seen.low, seen.high), (once.low, once.high))


@settings(max_examples=60, deadline=None)
@given(log=logs(), width=st.sampled_from([8, 400]))
def test_that_time_axes_never_raise_and_keep_every_point(log: tuple[Array, Array], width: int) -> None:
    steps, values = log
    series = made(values, steps)
    for axis in ("wall", "relative"):
        extent = series.extent(axis)
        assert extent is not None
        assert series.window(*extent, width, axis).points == len(steps)


@pytest.mark.parametrize("width", [8, 100, 640, 1_999])
@pytest.mark.parametrize("at", [0, 1, 15, 16, 4_097, 65_535, 65_536, 99_998, 99_999])
def test_that_a_single_spike_is_seen_at_every_width(width: int, at: int) -> None:
    """D08."""
    values = np.ones(100_000)
    values[at] = 50
    drawn = made(values).window(0, 99_999, width)
    assert drawn.high == 50
    assert drawn.y.max() == 50


def test_that_one_nan_leaves_the_rest() -> None:
    """D01."""
    values = np.arange(1000.0)
    values[0] = np.nan
    drawn = made(values).window(0, 999, 600)
    assert len(drawn.x) == 999
    assert drawn.non_finite_x.tolist() == [0]


def test_that_zooming_in_shows_raw_points() -> None:
    """D09."""
    rng = np.random.default_rng(1)
    values = rng.standard_normal(200_000)
    drawn = made(values).window(150_000, 150_499, 600)
    inside = (drawn.x >= 150_000) & (drawn.x <= 150_499)
    assert drawn.y[inside].tolist() == values[150_000:150_500].tolist()


def test_that_uneven_steps_keep_their_detail() -> None:
    dense = np.arange(1_000_000)
    sparse = 1_000_000 + np.arange(1, 200) * 50_000
    steps = np.concatenate((dense, sparse))
    values = np.concatenate((np.zeros(len(dense)), np.arange(199.0)))
    x, y = strong(made(values, steps).window(0, steps[-1], 2_000))
    assert set(zip(sparse.tolist(), range(199), strict=True)) <= set(zip(x.tolist(), y.tolist(), strict=True))


def test_that_a_resumed_attempt_continues_the_line_and_the_replaced_part_is_faint() -> None:
    """D07 as drawn."""
    series = Series("loss")
    series.append("trainer", 1, np.arange(16), np.arange(16.0), np.arange(16.0))
    series.append("trainer", 2, np.arange(10, 100), np.arange(100.0, 190.0), np.full(90, -1.0))
    drawn = series.window(0, 99, 500)
    x, y = strong(drawn)
    assert x.tolist() == list(range(100))
    assert y[9] == 9
    assert y[10] == -1
    (old,) = [line for line in drawn.lines if line.faint]
    assert (old.attempt, old.x.tolist()) == (1, list(range(10, 16)))
    assert series.last_step == 99
    assert series.count == 106


def test_that_memory_stays_below_24_bytes_a_point() -> None:
    values = np.random.default_rng(2).standard_normal(1 << 20)
    series = made(values)
    series.window(0, 10, 10)
    assert series.memory_bytes / series.count <= 24


def test_that_large_steps_are_kept_exactly() -> None:
    steps = np.array([1, 2, 1 << 40, (1 << 40) + 1])
    assert made(np.arange(4.0), steps).tail(2)[0].tolist() == [1 << 40, (1 << 40) + 1]


def test_that_series_logged_together_hold_their_steps_and_times_once() -> None:
    rows, width = 3 * CHUNK, 8
    steps, times = np.arange(rows), 1.7e9 + np.cumsum(np.random.default_rng(4).random(rows))
    values = np.random.default_rng(5).standard_normal((width, rows))
    store = SeriesStore()
    defs = tuple(StreamDef(id=at, name=f"s{at}") for at in range(width))
    for seq, start in enumerate(range(0, rows, 500), start=1):
        part = slice(start, start + 500)
        columns = (steps[part].tobytes(), times[part].tobytes(), values[:, part].tobytes())
        group = PointGroup(streams=tuple(range(width)), steps=columns[0], times=columns[1], values=columns[2])
        streams = defs if seq == 1 else ()
        store.extend(Batch(process="p", attempt=1, seq=seq, streams=streams, groups=(group,)))
    assert store.memory_bytes / store.point_count < 8 + 2 + 12 / width + 0.5
    assert store.memory_bytes < sum(series.memory_bytes for series in store.series.values())
    for at in range(width):
        kept = store.series[f"s{at}"].segments["p", 1].tail(rows)
        assert [column.tobytes() for column in kept[1:]] == [times.tobytes(), values[at].tobytes()]
        assert kept[0].tolist() == steps.tolist()


def test_that_a_shared_column_that_is_cut_leaves_the_others_as_they_were() -> None:
    numbers = np.arange(2 * CHUNK, dtype=np.float64)
    one, other = NumberColumn(np.float64, alike=True), NumberColumn(np.float64, alike=True)
    one.append(numbers)
    other.append(numbers)
    assert one.chunks[0] is other.chunks[0]
    one.truncate(CHUNK + 5)
    one.append(np.full(7, -1.0))
    one.truncate(10)
    one.append(np.full(CHUNK, -2.0))
    assert other.slice(0, len(other)).tolist() == numbers.tolist()
    assert one.slice(0, len(one)).tolist() == [*range(10), *[-2.0] * CHUNK]


def test_that_columns_that_only_look_alike_are_not_shared() -> None:
    numbers = np.arange(CHUNK, dtype=np.float64)
    odd = numbers.copy()
    odd[1] = -0.0
    columns = [NumberColumn(np.float64, alike=True) for _ in range(3)]
    for column, held in zip(columns, (numbers, numbers, odd), strict=True):
        column.append(held)
    assert columns[0].chunks[0] is columns[1].chunks[0]
    assert columns[2].slice(0, CHUNK).tobytes() == odd.tobytes()


@pytest.mark.parametrize("alike", [False, True])
@given(sizes=st.lists(st.integers(0, CHUNK + 9), max_size=5), keep=st.integers(0, 3 * CHUNK))
@settings(max_examples=30, deadline=None)
def test_that_a_column_reads_back_what_it_took(alike: bool, sizes: list[int], keep: int) -> None:
    column, taken = NumberColumn(np.int32, alike=alike), np.arange(0)
    for size in sizes:
        more = np.arange(len(taken), len(taken) + size)
        column.append(more)
        taken = np.concatenate((taken, more))
    column.truncate(keep)
    taken = taken[:keep]
    assert column.slice(0, len(column)).tolist() == taken.tolist()
    some = taken[::977]
    assert column.take(some).tolist() == some.tolist()
    assert [column.search(value) for value in some[:5]] == some[:5].tolist()
    if len(column):
        assert column.search_many(some).tolist() == some.tolist()


def batch(attempt: int, seq: int, steps: list[int], values: list[float], streams: tuple[int, ...]) -> Batch:
    """One group of two streams a and b."""
    group = PointGroup(
        streams=streams,
        steps=np.array(steps, "<i8").tobytes(),
        times=np.array(steps, "<f8").tobytes(),
        values=np.array(values, "<f8").tobytes(),
    )
    defs = (StreamDef(id=streams[0], name="a"), StreamDef(id=streams[1], name="b"))
    return Batch(process="trainer", attempt=attempt, seq=seq, streams=defs, groups=(group,))


def test_that_batches_reach_their_series_by_attempt() -> None:
    store = SeriesStore()
    store.extend(batch(1, 1, [1, 2], [1, 2, 10, 20], (1, 2)))
    store.extend(batch(2, 1, [2, 3], [5, 6, 50, 60], (2, 1)))
    assert store.pop_dirty() == {"a", "b"}
    assert store.pop_dirty() == set()
    assert store.tail("a", 10)[1].tolist() == [5, 6]
    assert store.tail("b", 1, since_step=3)[1].tolist() == [60]
    assert store.tail("b", 1, since_step=4)[1].tolist() == []
    assert store.point_count == 8
    assert [line.y.tolist() for line in store.series["a"].window(0, 9, 100).lines] == [[1, 5, 6], [2]]
    assert [near[:3] for near in store.series["b"].nearest(2.4)] == [("trainer", 2, 50)]
    assert [store.time_of(step) for step in (0, 1, 2, 3, 99)] == [1.0, 1.0, 2.0, 3.0, 3.0]
    assert SeriesStore().time_of(0) is None


@settings(max_examples=80, deadline=None)
@given(log=logs(), width=st.sampled_from([8, 317, 2_000]), high=st.sampled_from([3.0, 500.0, 1e9]))
def test_that_a_logarithmic_window_holds_every_extreme(
    log: tuple[Array, Array], width: int, high: float
) -> None:
    steps, values = log
    series = made(values, steps, 3)
    last = {int(step): value for step, value in zip(steps, values, strict=True)}
    inside = {step: value for step, value in last.items() if 0.5 <= step <= high and np.isfinite(value)}
    drawn = series.window(0.5, high, width, log=True)
    x, y = strong(drawn) if any(np.isfinite(v) for v in last.values()) and drawn.lines else (drawn.x, drawn.y)
    within = y[(x >= 0.5) & (x <= high)]
    if inside:
        assert within.min() == min(inside.values())
        assert within.max() == max(inside.values())
        assert min(inside) in x
        assert max(inside) in x
    assert (x[1:] >= x[:-1]).all()
    assert drawn.points == sum(0.5 <= step <= high for step in last)


def test_that_a_logarithmic_window_keeps_the_detail_of_its_first_decades() -> None:
    drawn = made(np.random.default_rng(0).standard_normal(1_000_000)).window(1, 999_999, 400, log=True)
    x, y = strong(drawn)
    assert np.isin(np.arange(1, 30), x).all()
    assert len(y) < 6_000


def test_that_smoothing_goes_on_over_a_resume() -> None:
    values = np.random.default_rng(0).standard_normal(200)
    whole = made(values)
    parted = Series("loss")
    steps = np.arange(200)
    parted.append("trainer", 1, steps[:120], steps[:120] * 0.5, values[:120])
    parted.append("trainer", 2, steps[100:], steps[100:] * 0.5, values[100:])
    (line,), done = parted.smoothed(0, 199, 2_000, 0.9)
    (once,), _ = whole.smoothed(0, 199, 2_000, 0.9)
    assert done
    assert (line.x == once.x).all()
    assert (line.y == once.y).all()


def test_that_a_long_series_is_smoothed_over_several_calls() -> None:
    series = made(np.full(500_000, 0.1))
    calls = 1
    while not series.smoothed(0, 499_999, 300, 0.99)[1]:
        calls += 1
    assert calls == 3
    (line,), _ = series.smoothed(0, 499_999, 300, 0.99)
    assert (line.y == 0.1).all()
    assert (line.x[0], line.x[-1]) == (0, 499_999)
