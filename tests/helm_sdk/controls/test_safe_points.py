"""Safe points by themselves: queues, defaults, pace."""

import threading

from helm_sdk._controls.safe_points import Pending, SafePoints
from helm_sdk.protocol.messages import Command, CommandState


def waiting(name: str, *points: str) -> Pending:
    state = CommandState(command_id=name, capability=name, state="waiting")
    return Pending(Command(id=name, capability=name), state, points)


def test_that_a_command_for_two_points_is_taken_once() -> None:
    points = SafePoints()
    pending = waiting("x", "a", "b")
    points.put(pending)
    assert points.pop_command("b") is pending
    assert points.pop_command("a") is None
    assert pending.safe_point == "b"


def test_that_what_the_loop_has_taken_cannot_be_withdrawn() -> None:
    points = SafePoints()
    first, second = waiting("x", "a"), waiting("y", "a")
    points.put(first)
    points.put(second)
    assert points.pop_command("a") is first
    assert not points.withdraw(first)
    assert points.withdraw(second)
    assert points.pop_command("a") is None


def test_that_while_paused_only_the_trainer_is_served() -> None:
    points = SafePoints()
    points.put(waiting("x", "after_step"))
    points.put(waiting("y", "trainer.step"))
    points.paused = True
    assert points.pop_command("after_step") is None
    assert points.pop_command("trainer.step") is not None
    points.paused = False
    assert points.pop_command("after_step") is not None


def test_that_the_trainers_point_is_the_default_and_else_the_first() -> None:
    points = SafePoints()
    pending = waiting("x")
    points.put(pending)
    assert points.make_default("after_step")
    assert not points.make_default("after_eval")
    assert pending.safe_points == ("after_step",)
    assert points.make_default("trainer.step")
    assert points.default == "trainer.step"
    later = waiting("y")
    points.put(later)
    assert points.pop_command("trainer.step") is later
    assert points.pop_command("after_step") is pending


def test_that_the_pace_is_the_time_between_calls() -> None:
    points = SafePoints()
    point = points.visit("after_step")
    points.rates(0.0)
    seconds = []
    for beat in range(1, 6):
        point.calls += 4
        point.step = beat * 4
        seconds.append(points.rates(float(beat))[0].seconds)
    assert seconds == [None, 0.25, 0.25, 0.25, 0.25]
    assert points.rates(9.0)[0].seconds == 0.25
    assert points.rates(9.0)[0].calls == 20


def test_that_waiting_ends_with_a_command_or_with_the_run() -> None:
    points = SafePoints()
    found: list[bool] = []
    loop = threading.Thread(target=lambda: found.append(points.wait("a", 30.0)))
    loop.start()
    points.put(waiting("x", "a"))
    loop.join(10)
    assert found == [True]
    assert not points.wait("b", 0.01)
