import math
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helm_desktop.model.schedule.curve import Keyframe, PixelScale, PlannedCurve
from helm_desktop.model.schedule.keyframes_draft import KeyframesDraft
from helm_desktop.model.series.decimal_text import as_sent, rounded_to
from helm_sdk.protocol.kinds import Bounds, InvalidValue, Schedule, check
from helm_sdk.torch._schedules.rate_overrides import FOLLOW, HeldRate, LoopPosition, RateChange

END = 599
STEPS = np.arange(END + 1)
COSINE = 1.5e-3 * (1 + np.cos(np.pi * STEPS / (END + 1)))
ZERO_UP = Bounds(min=Decimal(0))


def draft(*frames: tuple[int, str], now: int = 212, hold: bool = False) -> KeyframesDraft:
    keyframes = [Keyframe(Decimal(at), Decimal(value)) for at, value in frames]
    planned = PlannedCurve.of(STEPS[now:].tolist(), COSINE[now:].tolist())
    return KeyframesDraft(planned, now, END, bounds=ZERO_UP, keyframes=keyframes, hold=hold)


def test_that_a_draft_begins_where_the_plan_goes_anyway() -> None:
    begun = draft()
    begun.begin()
    assert [int(own.at) for own in begun.keyframes] == [260]
    assert not begun.changes
    assert np.allclose(begun.curve().values, COSINE[260:], rtol=1e-12, atol=0)
    begun.move(0, 260, 1.2e-3)
    assert begun.changes


def test_that_the_past_cannot_move_and_takes_no_keyframe() -> None:
    made = draft((260, "1.2e-3"), (400, "1.2e-3"))
    made.move(0, 100, 1e-3)
    assert made.keyframes[0].at == 213
    assert made.add(200, 1e-3) is None
    made.advance(300)
    before = made.keyframes
    assert made.stale
    made.move(0, 350, 2e-3)
    made.remove(0)
    assert made.keyframes == before


def test_that_a_keyframe_stays_between_its_neighbours_and_its_bounds() -> None:
    made = draft((260, "1e-3"), (300, "1e-3"), (400, "1e-3"))
    made.move(1, 900, -5)
    assert made.keyframes[1] == Keyframe(Decimal(399), Decimal(0))
    made.move(1, 0, 1e-3)
    assert made.keyframes[1].at == 261


def test_that_what_is_typed_is_kept_to_the_letter_or_refused_in_a_sentence() -> None:
    made = draft((260, "1e-3"), (400, "1e-3"))
    made.type(0, "270", "1.10000000000000000000001e-3")
    assert made.points()["points"][0] == {"at": 270, "value": "0.00110000000000000000000001"}
    for at, value, said in (
        ("100", "1e-3", "step 100 has passed, the run is at 212"),
        ("400", "1e-3", "step is 400, it must be from 213 to 399"),
        ("260.5", "1e-3", "step is 260.5, it must be a whole number"),
        ("260", "-1", "value is -1, it must be 0 or more"),
        ("260", "x", 'value is "x", it must be a number'),
    ):
        with pytest.raises(InvalidValue) as caught:
            made.type(0, at, value)
        assert caught.value.sentence == said


def test_that_a_pointer_snaps_to_round_steps_the_plan_and_other_heights() -> None:
    made = draft((260, "1.2e-3"), (400, "9e-4"))
    scale = PixelScale(step=1.2, value=1.6e-5)
    assert scale.grid == 20
    assert made.snapped(396.0, 1.21e-3, scale, 1) == (400, Decimal("1.2e-3"))
    step, value = made.snapped(451.0, COSINE[451] + 2e-5, scale, 1)
    assert step == 451 or step == 460
    assert value == Decimal(repr(float(np.interp(step, STEPS, COSINE))))
    assert made.snapped(470.0, 2.4567e-3, scale, 1)[1] == Decimal("2.46e-3")


def test_that_a_stale_draft_can_start_again_from_now() -> None:
    made = draft((260, "1.2e-3"), (400, "1.2e-3"))
    assert made.advance(300)
    assert made.stale
    made.move_ahead()
    assert [int(own.at) for own in made.keyframes] == [337, 400]
    assert not made.stale
    assert float(made.keyframes[0].value) == pytest.approx(1.2e-3)


@pytest.mark.parametrize("hold", [False, True])
def test_that_the_drawn_curve_is_what_the_run_would_use(hold: bool) -> None:
    made = draft((260, "1.2e-3"), (400, "1.5e-3"), (450, "3e-4"), hold=hold)
    plan = tuple((float(own.at), float(own.value)) for own in made.keyframes)
    change = RateChange(plan=plan, hold=hold)
    (course,) = change.apply([FOLLOW], [float(COSINE[213])], LoopPosition(213))
    used = course.rates(COSINE[213:].copy(), STEPS[213:])
    drawn = np.array([made.value_at(step) for step in STEPS[213:]])
    assert np.max(np.abs(used - drawn)) < 1e-15
    curve = made.curve()
    along = np.interp(STEPS[260:], curve.steps, curve.values)
    assert np.max(np.abs(along - used[260 - 213 :])) < 1e-15


def test_that_a_draft_over_a_running_plan_begins_with_its_keyframes() -> None:
    running = [Keyframe(Decimal(at), Decimal("1e-3")) for at in (200, 400)]
    led = KeyframesDraft(
        PlannedCurve.of((212, 400, 599), (1e-3, 1e-3, 0)), 212, END, bounds=ZERO_UP, running=running
    )
    led.schedule = PlannedCurve.of(STEPS[212:].tolist(), COSINE[212:].tolist())
    led.planned = PlannedCurve.of(STEPS[212:].tolist(), [led_by(step) for step in STEPS[212:]])
    led.begin()
    assert led.keyframes == tuple(running)
    assert not led.stale, "what leads the run already may lie in the past"
    assert not led.changes
    led.move(0, 300, 2e-3)
    assert led.keyframes[0].at == 200
    led.move(1, 400, 2e-3)
    assert led.changes
    assert led.next.at == 400
    led.advance(300)
    assert not led.stale


def led_by(step: int) -> float:
    return 1e-3 if step <= 400 else float(1e-3 * COSINE[step] / COSINE[400])


def test_that_a_held_rate_goes_back_to_the_schedule_as_the_run_would() -> None:
    made = draft((260, "1.2e-3"), (400, "1.5e-3"))
    made.planned = PlannedCurve.of((212, END), (2e-3, 2e-3))
    made.schedule = PlannedCurve.of(STEPS[212:].tolist(), COSINE[212:].tolist())
    change = RateChange(plan=((260.0, 1.2e-3), (400.0, 1.5e-3)))
    (course,) = change.apply([HeldRate(2e-3)], [float(COSINE[213])], LoopPosition(213))
    used = course.rates(COSINE[213:].copy(), STEPS[213:])
    drawn = np.array([made.value_at(step) for step in STEPS[213:]])
    assert np.max(np.abs(used - drawn)) < 1e-15


def test_that_numbers_are_sent_as_json_keeps_them() -> None:
    assert [as_sent(Decimal(text)) for text in ("3", "1.2e-3", "0.1000000000000000000000001")] == [
        3,
        1.2e-3,
        "0.1000000000000000000000001",
    ]
    assert rounded_to(1.23456e-3, 2e-6) == Decimal("1.235e-3")


ACTIONS = st.one_of(
    st.tuples(st.just("move"), st.integers(0, 9), st.floats(-50, 700), st.floats(-1e-3, 5e-3)),
    st.tuples(st.just("add"), st.just(0), st.floats(-50, 700), st.floats(-1e-3, 5e-3)),
    st.tuples(st.just("remove"), st.integers(0, 9), st.just(0.0), st.just(0.0)),
    st.tuples(st.just("advance"), st.just(0), st.floats(0, 40), st.just(0.0)),
    st.tuples(st.just("ahead"), st.just(0), st.just(0.0), st.just(0.0)),
)


def _act(made: KeyframesDraft, action: tuple[str, int, float, float]) -> None:
    kind, index, at, value = action
    index %= len(made.keyframes)
    match kind:
        case "move":
            made.move(index, *made.snapped(at, value, PixelScale(1.3, 1e-5), index))
        case "add":
            made.add(at, value)
        case "remove":
            made.remove(index)
        case "advance":
            made.advance(made.now + int(at))
        case _:
            made.move_ahead()


@settings(max_examples=400, deadline=None)
@given(st.lists(ACTIONS, max_size=25))
def test_that_any_hand_leaves_a_schedule_that_a_run_takes(
    actions: list[tuple[str, int, float, float]],
) -> None:
    made = draft()
    made.begin()
    for action in actions:
        past = [own for own in made.keyframes if own.at < made.first]
        _act(made, action)
        if action[0] != "ahead":
            assert made.keyframes[: len(past)] == tuple(past), "the past does not move"
        sent: Any = made.points()
        check(Schedule("step", bounds=ZERO_UP), sent)
        assert [Decimal(str(point["value"])) for point in sent["points"]] == [
            own.value for own in made.keyframes
        ]
        values = made.curve().values
        assert all(math.isfinite(value) for value in values)
