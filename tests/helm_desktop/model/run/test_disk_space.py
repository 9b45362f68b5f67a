"""Room on the run's disk: little of it, and how soon there is none."""

from __future__ import annotations

import pytest

from helm_desktop.model.run.disk_space import DiskSpace


def test_that_nothing_is_said_while_there_is_enough_or_nothing_is_known() -> None:
    room = DiskSpace()
    assert room.warning() is None
    room.add(1000.0, 400e9)
    assert room.warning() is None
    room.add(1010.0, 399.9e9)  # ten seconds make no pace
    assert room.warning() is None


@pytest.mark.parametrize(
    ("free", "words", "tone"),
    [(4.9e9, "4.9 GB free on the run's disk", "warn"), (0.8e9, "800 MB free on the run's disk", "bad")],
)
def test_that_little_room_is_said(free: float, words: str, tone: str) -> None:
    room = DiskSpace()
    room.add(1000.0, free)
    assert room.warning() == (words, tone)


def test_that_a_disk_that_fills_is_said_before_it_is_full() -> None:
    room = DiskSpace()
    for second in range(0, 301, 10):  # 10 MB a second
        room.add(1000.0 + second, 23e9 - 10e6 * second)
    assert room.full_in == pytest.approx(2000.0)
    assert room.warning() == ("The run's disk will be full in 33 min 20 s at this rate, 20 GB free", "warn")
    for second in range(310, 2001, 10):
        room.add(1000.0 + second, 23e9 - 10e6 * second)
    assert room.full_in == pytest.approx(300.0)
    warning = room.warning()
    assert warning is not None
    assert warning[1] == "bad"


def test_that_what_was_before_the_last_half_hour_does_not_count() -> None:
    room = DiskSpace()
    room.add(0.0, 100e9)
    for second in range(2000, 4000, 20):
        room.add(float(second), 20e9)
    assert room.full_in is None
    room.add(100.0, 0.0)  # an old sample that comes late
    assert room.free == 20e9
