"""The clock and the pace of a run."""

from helm_desktop.model.run.progress import Progress


class Clock:
    """A monotonic clock that the test sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_that_the_clock_runs_between_signs_of_life_and_stops_at_the_end() -> None:
    clock = Clock()
    progress = Progress(clock)
    progress.add_start(1000.0)
    progress.on_heartbeat(1005.0, 3)
    clock.now += 2.0
    assert progress.running == 7.0
    progress.end(1006.5)
    clock.now += 60.0
    assert progress.running == 6.5


def test_that_an_end_nobody_wrote_is_the_last_sign_of_life() -> None:
    clock = Clock()
    progress = Progress(clock)
    progress.add_start(1000.0)
    progress.on_heartbeat(1038.0, 37)
    clock.now += 500.0
    progress.end(None)
    assert progress.running == 38.0


def test_that_what_is_left_follows_the_pace() -> None:
    progress = Progress(Clock())
    progress.plan_step = 600
    for step in range(0, 101, 10):
        progress.on_heartbeat(1000.0 + step * 0.1, step)
    assert progress.left is not None
    assert abs(progress.left - 49.9) < 1e-6
    assert progress.step_text == "100 of 600"


def test_that_a_step_back_begins_a_new_pace() -> None:
    progress = Progress(Clock())
    progress.on_heartbeat(10.0, 100)
    progress.on_heartbeat(11.0, 110)
    progress.on_heartbeat(20.0, 50)
    assert progress.step == 50
    assert progress.seconds_per_step is None


def test_that_the_last_step_of_a_whole_plan_reads_as_done() -> None:
    progress = Progress(Clock())
    progress.plan_step = 600
    progress.on_heartbeat(10.0, 599)
    progress.end(10.0)
    assert progress.step_text == "600 of 600"
    assert progress.share == 1.0


def test_that_what_is_left_is_steady_after_a_pause() -> None:
    progress = Progress(Clock())
    progress.plan_step = 101
    for step in range(11):
        progress.on_heartbeat(100.0 + step / 10, step)
    before = progress.left
    progress.on_heartbeat(160.0, 10)  # a heartbeat in the pause
    assert progress.left is not None
    assert before is not None
    assert abs(progress.left - before) < 1e-6
    progress.on_heartbeat(161.1, 11)
    progress.add_pause(101.0, 60.0)
    assert abs(progress.left - 0.1 * (100 - 11)) < 1e-6
