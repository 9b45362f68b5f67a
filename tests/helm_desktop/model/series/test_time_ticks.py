import time
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helm_desktop.model.series.time_ticks import clock_text, clock_ticks, duration_ticks


@pytest.fixture(params=["UTC", "Asia/Kathmandu", "America/New_York", "Australia/Lord_Howe"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[ZoneInfo]:
    """The place where the reader is."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield ZoneInfo(request.param)
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("hours", "whole"), [(0.05, 1), (3, 60), (12, 3_600), (72, 3_600), (24 * 20, 86_400), (24 * 400, 86_400)]
)
def test_that_clock_ticks_are_full_local_times(zone: ZoneInfo, hours: float, whole: int) -> None:
    start = datetime(2026, 3, 7, 20, 13, 5, tzinfo=zone).timestamp()
    ticks = clock_ticks(start, start + hours * 3_600, 8)
    assert 2 <= len(ticks) <= 12
    for value, text in ticks:
        local = datetime.fromtimestamp(value, zone)
        assert (local.hour * 3_600 + local.minute * 60 + local.second) % whole == 0, (local, text)
        assert start - 1 <= value <= start + hours * 3_600 + 1
        if ":" in text:
            assert text[:5] == f"{local:%H:%M}"
        elif whole < 86_400:
            assert text == f"{local.day} {local:%b}"
    assert [value for value, _ in ticks] == sorted({value for value, _ in ticks})


@pytest.mark.parametrize("span", [1e-9, 1e-3, 1.0, 1e5, 1e9, 1e12, 1e18, 1e300])
@pytest.mark.parametrize("middle", [0.0, -1e12, 1.7e9, 1e15, 1e250])
def test_that_far_out_ticks_raise_nothing(span: float, middle: float) -> None:
    for ticks in (clock_ticks, duration_ticks):
        made = ticks(middle - span, middle + span, 6)
        assert len(made) <= 62
    assert clock_text(middle)


@settings(max_examples=200, deadline=None)
@given(low=st.floats(-1e11, 1e11), span=st.floats(0.01, 1e10), most=st.integers(2, 20))
def test_that_ticks_rise_inside_their_range(low: float, span: float, most: int) -> None:
    for ticks in (clock_ticks, duration_ticks):
        values = [value for value, _ in ticks(low, low + span, most)]
        slack = span * 1e-6 + abs(low) * 1e-9 + 1e-5
        assert all(low - slack <= value <= low + span + slack for value in values)
        assert all(b > a for a, b in pairwise(values))


def test_that_durations_are_told_in_words() -> None:
    assert [text for _, text in duration_ticks(0, 120, 5)] == ["0 s", "30 s", "1 min", "1 min 30 s", "2 min"]
    assert [text for _, text in duration_ticks(0, 7_200, 4)] == ["0 s", "30 min", "1 h", "1 h 30 min", "2 h"]
    assert [text for _, text in duration_ticks(0, 86_400 * 3, 4)] == ["0 s", "1 d", "2 d", "3 d"]
    assert [text for _, text in duration_ticks(0, 0.02, 4)] == ["0 s", "5 ms", "10 ms", "15 ms", "20 ms"]
