import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helm_desktop.model.chart import expression
from helm_desktop.model.chart.derived import DerivedSeries
from helm_desktop.model.chart.expression import ExpressionError
from helm_desktop.model.series.moving_mean import moving_mean
from helm_desktop.model.series.number_column import Array
from helm_desktop.model.series.series_model import Series

VALUES = st.floats(-1e6, 1e6)


def logged(
    name: str, steps: list[int] | Array, values: list[float] | Array, process: str = "trainer"
) -> Series:
    """A series of one process."""
    series = Series(name)
    at = np.asarray(steps, np.int64)
    series.append(process, 1, at, at * 0.5, np.asarray(values, float))
    return series


def result(text: str, *series: Series) -> tuple[list[int], list[float]]:
    """Steps and values of an expression."""
    derived = DerivedSeries(text)
    derived.refresh({one.name: one for one in series})
    steps, values = derived.series.tail(10**9)
    return steps.tolist(), values.tolist()


A = logged("train/loss", [0, 1, 2, 3, 4], [5.0, 4.0, 3.0, 2.0, 1.0])
B = logged("eval/loss", [0, 2, 4], [6.0, 4.0, 0.0])


@pytest.mark.parametrize(
    ("text", "steps", "values"),
    [
        ('"train/loss" - "eval/loss"', [0, 2, 4], [-1.0, -1.0, 1.0]),
        ("ratio('train/loss', 'eval/loss')", [0, 2, 4], [5 / 6, 3 / 4, math.inf]),
        ('product("train/loss", "eval/loss") * 2', [0, 2, 4], [60.0, 24.0, 0.0]),
        ('mean("train/loss", 2)', [0, 1, 2, 3, 4], [5.0, 4.5, 3.5, 2.5, 1.5]),
        ('derivative("eval/loss")', [2, 4], [-1.0, -2.0]),
        ('-"train/loss" + 10 / 2', [0, 1, 2, 3, 4], [0.0, 1.0, 2.0, 3.0, 4.0]),
        ('abs(2 - "train/loss")', [0, 1, 2, 3, 4], [3.0, 2.0, 1.0, 0.0, 1.0]),
    ],
)
def test_that_expressions_are_joined_on_steps(text: str, steps: list[int], values: list[float]) -> None:
    at, made = result(text, A, B)
    assert at == steps
    assert made == pytest.approx(values)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the expression is empty"),
        ('"train/loss', "the quote before train/loss is not closed"),
        ("train/loss -", "a series or a number is missing at the end"),
        ("ratio(a)", "ratio takes two parts, not 1"),
        ("mean(a, 0)", "mean needs a whole number of points from 1 on"),
        ("mean(a, b)", "mean needs a whole number of points from 1 on"),
        (
            "median(a)",
            "median is not known; there are abs, derivative, difference, mean, product, ratio, sum",
        ),
        ("(a - b", "the bracket of ( is not closed"),
        ("a b", "b is not expected after a whole expression"),
        ("a ; b", "; means nothing here"),
        ("3 + 4", "the expression has no series in it"),
        ("__import__('os')", "__import__ is not known"),
        ("(" * 500 + "a" + ")" * 500, "nested too deeply"),
    ],
)
def test_that_what_is_wrong_is_said_in_one_sentence(text: str, says: str) -> None:
    with pytest.raises(ExpressionError) as raised:
        DerivedSeries(text)
    assert says in str(raised.value)


def test_that_a_missing_series_and_no_common_step_are_told() -> None:
    derived = DerivedSeries("a - b")
    derived.refresh({"a": logged("a", [1], [1.0])})
    assert derived.problem() == "no series is named b"
    derived.refresh({"a": logged("a", [1], [1.0]), "b": logged("b", [2], [1.0])})
    assert derived.problem() == "a and b have no step in common"


def test_that_series_of_two_processes_are_joined() -> None:
    assert result("a - b", logged("a", [1, 2], [5.0, 7.0]), logged("b", [2], [1.0], "evaluator")) == (
        [2],
        [6.0],
    )


@settings(max_examples=120, deadline=None)
@given(
    values=st.lists(VALUES, min_size=1, max_size=120),
    cuts=st.lists(st.integers(1, 120), max_size=4),
    every=st.integers(1, 4),
    text=st.sampled_from(
        ["a - b", "ratio(a, b)", "mean(a * b, 7)", "derivative(mean(a, 3)) - b", "mean(derivative(a), 5) + a"]
    ),
)
def test_that_growing_gives_what_computing_once_gives(
    values: list[float], cuts: list[int], every: int, text: str
) -> None:
    a, b, derived = Series("a"), Series("b"), DerivedSeries(text)
    numbers = np.array(values)
    for piece in np.split(np.arange(len(values)), sorted(min(cut, len(values)) for cut in cuts)):
        a.append("trainer", 1, piece, piece * 1.0, numbers[piece])
        some = piece[piece % every == 0]
        b.append("trainer", 1, some, some * 1.0, numbers[some] + 1)
        derived.refresh({"a": a, "b": b})
    once = result(text, a, b)
    steps, made = derived.series.tail(10**9)
    assert steps.tolist() == once[0]
    np.testing.assert_allclose(made, once[1], rtol=1e-9, atol=1e-6)


def test_that_a_step_that_comes_late_computes_anew() -> None:
    a = logged("a", [0, 1, 3], [1.0, 2.0, 4.0])
    derived = DerivedSeries("a * 2")
    derived.refresh({"a": a})
    a.append("trainer", 1, np.array([2]), np.array([9.0]), np.array([3.0]))
    derived.refresh({"a": a})
    assert derived.series.tail(9)[1].tolist() == [2.0, 4.0, 6.0, 8.0]


@settings(max_examples=100, deadline=None)
@given(
    values=st.lists(st.one_of(VALUES, st.sampled_from([np.nan, np.inf, 1e300])), max_size=80),
    count=st.integers(1, 90),
)
def test_that_the_moving_mean_is_the_mean_of_the_last(values: list[float], count: int) -> None:
    made = moving_mean(np.array(values), count)
    for at in range(len(values)):
        near = [v for v in values[max(0, at - count + 1) : at + 1] if math.isfinite(v)]
        wanted = math.fsum(near) / len(near) if near else math.nan
        assert made[at] == pytest.approx(wanted, rel=1e-12, abs=1e-6, nan_ok=True)


@given(text=st.text(alphabet="ab\"'()+-*/,. 0123456789e_", max_size=30))
def test_that_any_text_is_read_or_refused_in_words(text: str) -> None:
    try:
        node = expression.parse(text)
    except ExpressionError as error:
        assert str(error)
    else:
        assert expression.names_in(node)
