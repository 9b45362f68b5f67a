"""When rules fire: conditions, how long, flapping, silence; with batches as a run writes them."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helm_sdk.protocol.messages import Batch, PointGroup, StreamDef
from helm_sdk.rules import HoldFor, Rule, RuleEngine, RuleError, parse_rules, problem_of, state_words
from helm_sdk.rules.watches import WatchedStream


def rule(when: Any = "above", value: float = 0.0, metric: str = "loss", **more: Any) -> Rule:
    """A rule on `loss`."""
    return Rule(id=more.pop("id", "r"), metric=metric, when=when, value=value, **more)


def batch(
    rows: Sequence[tuple[int, float, Sequence[float]]],
    names: Sequence[str] = ("loss",),
    seq: int = 1,
    attempt: int = 1,
    **more: Any,
) -> Batch:
    """Rows of (step, time, a value for each name)."""
    count = len(rows)
    columns = [row[2][index] for index in range(len(names)) for row in rows]
    group = PointGroup(
        streams=tuple(range(len(names))),
        steps=struct.pack(f"<{count}q", *(row[0] for row in rows)),
        times=struct.pack(f"<{count}d", *(row[1] for row in rows)),
        values=struct.pack(f"<{count * len(names)}d", *columns),
    )
    streams = tuple(StreamDef(id=index, name=name, **more) for index, name in enumerate(names))
    return Batch(process="rank-0", attempt=attempt, seq=seq, streams=streams, groups=(group,))


def fired(
    watched: Rule, values: Sequence[float], *, every: int = 1, seconds: float = 1.0, cut: int = 3
) -> list[int | None]:
    """The steps at which a rule fires on these values, logged in batches of `cut` rows."""
    engine = RuleEngine([watched])
    rows = [(index * every, index * seconds, (value,)) for index, value in enumerate(values)]
    found = []
    for at in range(0, len(rows), cut):
        engine.apply(batch(rows[at : at + cut]))
        found += [firing.step for firing in engine.fired()]
    return found


@pytest.mark.parametrize(
    ("watched", "values", "steps"),
    [
        (rule("above", 2), [1, 3, 1, 4, 5, 1], [1, 3]),
        (rule("above", 2), [2, 2, 2], []),
        (rule("below", 0), [1, -1, -2, 1, -1], [1, 4]),
        (rule("above", 2, hold=HoldFor(steps=3)), [3, 3, 1, 3, 3, 3, 3], [5]),
        (rule("above", 2, hold=HoldFor(seconds=2.0)), [3, 3, 3, 3], [2]),
        (rule("above", 2, hold=HoldFor(steps=2)), [3, math.nan, 3, 3], [3]),
        (rule("not finite"), [1, math.nan, math.nan, 1, math.inf, -math.inf], [1, 4]),
        (rule("not finite", hold=HoldFor(steps=2)), [math.nan, 1, math.nan, math.nan], [3]),
        (rule("change", 50), [1, 1.4, 2.2, 2.2], [2]),
        (rule("change", -50), [1, 0.6, 0.2], [2]),
        (rule("change", 50, over=HoldFor(steps=3)), [1, 1.2, 1.4, 1.6, 1.2], [3]),
        (rule("change", 50), [0, 5, 5], []),
        (rule("change", 50), [1, math.nan, 2], [2]),
        (rule("plateau", hold=HoldFor(steps=3)), [5, 4, 4, 4.5, 4, 3, 3, 3, 3], [4, 8]),
        (rule("plateau", 10, hold=HoldFor(steps=2)), [100, 95, 92, 80], [2]),
        (rule("plateau", better="higher", hold=HoldFor(steps=2)), [1, 2, 2, 2], [3]),
    ],
)
def test_that_a_rule_fires_where_it_says(watched: Rule, values: Sequence[float], steps: list[int]) -> None:
    for cut in (1, 2, 3, 100):
        assert fired(watched, values, cut=cut) == steps


def test_that_a_plateau_knows_what_is_better_from_the_run() -> None:
    engine = RuleEngine([rule("plateau", hold=HoldFor(steps=2))])
    engine.apply(batch([(step, float(step), (float(step),)) for step in range(9)], better="higher"))
    assert engine.fired() == []
    assert fired(rule("plateau", hold=HoldFor(steps=2)), list(range(4))) == [2]


def test_that_steps_are_the_runs_steps_and_not_points() -> None:
    assert fired(rule("above", 0, hold=HoldFor(steps=20)), [1, 1, 1, 1], every=10) == [20]


def test_that_going_back_begins_anew() -> None:
    engine = RuleEngine([rule("above", 0, hold=HoldFor(steps=5))])
    engine.apply(batch([(100 + i, float(i), (1.0,)) for i in range(3)]))
    engine.apply(batch([(50 + i, 10.0 + i, (1.0,)) for i in range(4)]))
    assert engine.fired() == []
    engine.apply(batch([(54, 20.0, (1.0,))]))
    assert [firing.step for firing in engine.fired()] == [54]


def test_that_a_pattern_watches_each_stream_for_itself_and_tells_of_a_step_once() -> None:
    engine = RuleEngine([rule("above", 1, metric="layer{i}/norm")])
    names = ("layer0/norm", "layer1/norm", "layer1/norm/max", "loss")
    engine.apply(batch([(0, 0.0, (2, 2, 9, 9)), (1, 1.0, (0, 2, 9, 9))], names))
    (firing,) = engine.fired()
    assert (firing.streams, firing.step) == (("layer0/norm", "layer1/norm"), 0)
    engine.apply(batch([(2, 2.0, (2, 2, 9, 9))], names))
    assert [firing.streams for firing in engine.fired()] == [("layer0/norm",)]


def test_that_brackets_in_a_name_are_letters() -> None:
    assert rule(metric="a[0]").matches("a[0]")
    assert not rule(metric="a[0]").matches("a0")
    assert rule(metric="system/gpu{i}/x").matches("system/gpu12/x")
    assert not rule(metric="system/gpu{i}/x").matches("system/gpu1/y/x")
    assert rule(metric="*").matches("any/thing at all")


def test_that_a_new_attempt_begins_quiet() -> None:
    engine = RuleEngine([rule("above", 1, hold=HoldFor(steps=3))])
    engine.apply(batch([(0, 0.0, (2,)), (1, 1.0, (2,))]))
    assert state_words(engine.states["r"]) == "pending 2 of 3 steps"
    engine.apply(batch([(2, 9.0, (2,))], attempt=2))
    assert engine.fired() == []
    assert state_words(engine.states["r"]) == "pending 1 of 3 steps"
    engine.apply(batch([(2, 2.0, (2,))], attempt=1))  # history of the one before, told late
    assert [firing.attempt for firing in engine.fired()] == [1]
    assert state_words(engine.states["r"]) == "pending 1 of 3 steps"


def test_that_the_state_is_told_in_words() -> None:
    engine = RuleEngine([rule("above", 1, hold=HoldFor(steps=5)), rule("above", 1, metric="other", id="o")])
    assert state_words(engine.states["r"]) == "no such metric yet"
    engine.apply(batch([(step, 0.0, (2,)) for step in (30, 31)]))
    assert state_words(engine.states["r"]) == "pending 2 of 5 steps"
    engine.apply(batch([(34, 0.0, (2,))]))
    engine.fired()
    assert state_words(engine.states["r"]) == "fired at 34"
    engine.apply(batch([(35, 0.0, (0,))]))
    assert state_words(engine.states["r"]) == "quiet, last at 34"


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def silent(hold: float = 300.0, metric: str = "loss") -> tuple[RuleEngine, Clock]:
    """An engine that waits for silence."""
    clock = Clock()
    return RuleEngine([rule("no data", metric=metric, hold=HoldFor(seconds=hold))], clock), clock


def test_that_silence_fires_at_its_own_time_and_not_before() -> None:
    engine, clock = silent()
    engine.apply(batch([(7, 50.0, (1.0,))]))
    for passed in (30.0, 299.0):
        clock.now = 1000.0 + passed
        engine.tick()
        assert engine.fired() == []
    clock.now = 1300.0
    engine.tick()
    (firing,) = engine.fired()
    assert (firing.step, firing.time, firing.value) == (7, 350.0, None)
    engine.tick()
    assert engine.fired() == []
    engine.apply(batch([(8, 360.0, (1.0,))]))
    assert engine.fired() == []
    assert engine.states["r"].status == "quiet"


def test_that_a_gap_in_history_counts_as_silence() -> None:
    engine, _ = silent(60)
    engine.apply(batch([(0, 0.0, (1.0,)), (1, 59.0, (1.0,)), (2, 130.0, (1.0,))]))
    assert [(firing.step, firing.time) for firing in engine.fired()] == [(1, 119.0)]


def test_that_a_metric_that_never_comes_is_missed_from_the_runs_beginning() -> None:
    engine, clock = silent(60, "val/loss")
    engine.apply(batch([(0, 0.0, (1.0,))]))
    engine.on_heartbeat(30.0)
    engine.tick()
    assert engine.fired() == []
    clock.now += 30.0
    engine.tick()
    (firing,) = engine.fired()
    assert (firing.streams, firing.step) == (("val/loss",), None)


def test_that_neither_a_pause_nor_the_end_is_silence() -> None:
    engine, clock = silent(60)
    engine.apply(batch([(0, 0.0, (1.0,))]))
    engine.pause(True)
    clock.now += 500.0
    engine.tick()
    engine.pause(False)
    clock.now += 30.0
    engine.tick()
    assert engine.fired() == []
    engine.end()
    clock.now += 500.0
    engine.tick()
    assert engine.fired() == []


VALUES = st.lists(
    st.one_of(st.floats(-3, 3), st.sampled_from([math.nan, math.inf, -math.inf, 1e308, -1e308])), max_size=60
)


@given(
    VALUES,
    st.sampled_from(["above", "below", "not finite"]),
    st.floats(-2, 2),
    st.integers(1, 6),
    st.integers(1, 20),
)
def test_that_passing_over_calm_points_changes_nothing(
    values: list[float], when: Any, limit: float, steps: int, cut: int
) -> None:
    watched = rule(when, limit, hold=HoldFor(steps=steps))
    expected: list[int] = []
    run = 0
    for step, value in enumerate(values):
        so = {"above": value > limit, "below": value < limit, "not finite": not math.isfinite(value)}[when]
        run = run + 1 if so else 0
        if run == steps:
            expected.append(step)
    assert fired(watched, values, cut=cut) == expected
    engine = RuleEngine([watched])
    state = engine.states["r"]
    steps_, times = list(range(len(values))), [float(at) for at in range(len(values))]
    engine.feed(state, WatchedStream("rank-0", 1, "loss"), steps_, times, values)
    assert [firing.step for firing in engine.fired()] == expected


@given(st.lists(st.floats(0.1, 200.0), min_size=1, max_size=30), st.floats(20.0, 120.0))
def test_that_silence_never_fires_before_its_time(gaps: list[float], hold: float) -> None:
    clock = Clock()
    engine = RuleEngine([rule("no data", hold=HoldFor(seconds=hold))], clock)
    at = 0.0
    engine.apply(batch([(0, at, (1.0,))]))
    expected = 0
    for step, gap in enumerate(gaps, 1):
        for part in range(1, 5):
            clock.now = 1000.0 + at + gap * part / 5
            engine.tick()
        at += gap
        clock.now = 1000.0 + at
        engine.apply(batch([(step, at, (1.0,))]))
        expected += gap >= hold
        for firing in engine.fired():
            assert firing.time >= hold
    # A gap that is its time to within rounding may be told either way.
    close = sum(abs(gap - hold) < 1e-6 for gap in gaps)
    assert abs(engine.states["r"].fired - expected) <= close


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"when": "no data"}, "no data needs a time"),
        ({"when": "plateau"}, "a plateau needs"),
        ({"when": "change"}, "the change is 0 %"),
        ({"when": "above", "for": {"steps": 0}}, "more than 0"),
        ({"when": "above", "for": {"steps": 1, "seconds": 2}}, "not both"),
        ({"when": "above", "then": [{"do": "webhook", "url": "ftp://x"}]}, "no http"),
        ({"when": "above", "then": [{"do": "send", "control": "lr", "budget": 0}]}, "budget"),
        ({"when": "higher"}, "Invalid enum value"),
        ({"when": "above", "vlaue": 3}, "vlaue"),
    ],
)
def test_that_what_is_no_rule_is_said(more: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RuleError, match=sentence):
        parse_rules({"rules": [{"id": "r", "metric": "loss", **more}]})
    assert problem_of(rule("above", math.nan))
    assert parse_rules({"rules": [{"id": "r", "metric": "loss", "when": "above"}]})[0].metric == "loss"
