"""Ticks of time axes: durations, and clock times and dates in the local time zone."""

from __future__ import annotations

import math
from datetime import datetime, timedelta

Tick = tuple[float, str]
_SECONDS = (1, 2, 5, 10, 15, 30)
_STEPS = (
    *_SECONDS,
    *(60 * n for n in _SECONDS),
    *(3_600 * n for n in (1, 2, 3, 6, 12)),
    *(86_400 * n for n in (1, 2, 7, 14, 30, 90, 180, 365)),
)
_UNITS = ((86_400.0, "d"), (3_600.0, "h"), (60.0, "min"), (1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
_DAY = 86_400.0
_MOST_TICKS = 60


def time_step(span: float, most: int) -> float:
    """Return the smallest round step of time (seconds) that divides a span into at most `most` parts."""
    rough = span / max(1, most)
    if not math.isfinite(rough) or rough <= 0:
        return 1.0
    if rough * (1 + 1e-9) >= 1 and rough <= _STEPS[-1]:
        return float(next(step for step in _STEPS if step >= rough * (1 - 1e-9)))
    base = 1.0 if rough < 1 else 365 * _DAY
    power = 10.0 ** math.floor(math.log10(rough / base))
    return next(n * power * base for n in (1, 2, 5, 10) if n * power * base >= rough * (1 - 1e-9))


def duration_ticks(low: float, high: float, most: int) -> list[Tick]:
    """Return ticks such as 0 s, 5 min, 1 h, 2 d: each in the largest unit in which it is a whole number."""
    step = time_step(high - low, most)
    first, last = math.ceil((low - step * 1e-9) / step), math.floor((high + step * 1e-9) / step)
    values = [at * step for at in range(first, min(last, first + _MOST_TICKS) + 1)]
    return [(value, _duration(value, step)) for value in values]


def _duration(value: float, step: float) -> str:
    if value == 0:
        return "0 s"
    if step >= 365 * _DAY * (1 - 1e-9):
        return f"{value / (365 * _DAY):.3g} y"
    for size, unit in _UNITS:
        share = value / size
        if abs(share) >= 1 - 1e-9 and (abs(share - round(share)) < 1e-6 or unit == _UNITS[-1][1]):
            return f"{round(share):,} {unit}"
        if abs(share) >= 1 and step < size and unit in ("h", "min") and step >= size / 60:
            whole, rest = divmod(round(abs(value)), int(size))
            sign, smaller = "-" if value < 0 else "", {"h": ("min", 60), "min": ("s", 1)}[unit]
            if rest % smaller[1] == 0:
                return f"{sign}{whole} {unit} {rest // smaller[1]} {smaller[0]}"
    return f"{value:.3g} s"


def clock_ticks(low: float, high: float, most: int) -> list[Tick]:
    """Return ticks of local times and dates, at full hours, days, months or years."""
    step = time_step(high - low, most)
    try:
        start, end = _local(low), _local(high)
        values = _days(start, end, step) if step >= _DAY else _clocks(low, high, step)
    except (OverflowError, OSError, ValueError):
        return _years(low, high, most)
    if step > 366 * _DAY:
        return _years(low, high, most)
    return _labelled(values[: _MOST_TICKS + 1], step)


def _local(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds).astimezone()


def _clocks(low: float, high: float, step: float) -> list[float]:
    """Return the multiples of a step since local midnight; on a day of 23 or 25 hours they are full hours."""
    made: list[float] = []
    day = _local(low).replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    begin = day.timestamp()
    while begin <= high and len(made) <= _MOST_TICKS:
        following = (day + timedelta(days=1)).timestamp()
        first = max(0, math.ceil((low - begin) / step - 1e-6))
        at = first
        while begin + at * step <= high + 1e-6 and len(made) <= _MOST_TICKS:
            seconds = at * step
            if step >= 1:
                wall = day + timedelta(seconds=seconds)
                if wall.date() != day.date():
                    break
                made.append(wall.timestamp())
            else:
                if begin + seconds >= following:
                    break
                made.append(begin + seconds)
            at += 1
        day, begin = day + timedelta(days=1), following
    return sorted({value for value in made if low - 1e-6 <= value <= high + 1e-6})


def _days(start: datetime, end: datetime, step: float) -> list[float]:
    made: list[float] = []
    if step < 28 * _DAY:
        every = round(step / _DAY)
        day = start.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
        day -= timedelta(days=day.toordinal() % every)
        while day <= end.replace(tzinfo=None) and len(made) <= _MOST_TICKS:
            made.append(day.timestamp())
            day += timedelta(days=every)
    else:
        every = max(1, round(step / (30 * _DAY)))
        month = start.year * 12 + start.month - 1
        month -= month % every
        while len(made) <= _MOST_TICKS:
            day = datetime(month // 12, month % 12 + 1, 1)  # noqa: DTZ001  # local, as the axis is
            if day > end.replace(tzinfo=None):
                break
            made.append(day.timestamp())
            month += every
    low, high = start.timestamp(), end.timestamp()
    return [value for value in made if low - 1e-6 <= value <= high + 1e-6]


def _labelled(values: list[float], step: float) -> list[Tick]:
    """Add texts: clock times, with the date where a day begins; dates, with the year where a year begins."""
    made: list[Tick] = []
    before: datetime | None = None
    for value in values:
        at = _local(value)
        day = f"{at.day} {at:%b}"
        if step >= 28 * _DAY:
            text = f"{at:%b %Y}" if before is None or before.year != at.year else f"{at:%b}"
        elif step >= _DAY:
            text = f"{day} {at.year}" if before is not None and before.year != at.year else day
        elif before is not None and before.date() != at.date():
            text = day
        elif step < 1:
            text = f"{at:%H:%M:%S}.{at.microsecond // 1000:03d}"
        else:
            text = f"{at:%H:%M}" if step >= 60 else f"{at:%H:%M:%S}"
        made.append((value, text))
        before = at
    return made


def _years(low: float, high: float, most: int) -> list[Tick]:
    """Return ticks of years outside of the range of `datetime`, counted by the mean length of a year."""
    mean = 365.2425 * _DAY
    span = (high - low) / mean
    if not math.isfinite(span) or span <= 0:
        return []
    rough = span / max(1, most)
    power = 10.0 ** math.floor(math.log10(rough))
    step = max(1.0, next(n * power for n in (1, 2, 5, 10) if n * power >= rough * (1 - 1e-9)))
    first = math.ceil((low / mean + 1970) / step)
    last = math.floor((high / mean + 1970) / step)
    years = [at * step for at in range(first, min(last, first + _MOST_TICKS) + 1)]
    return [((year - 1970) * mean, f"{year:.0f}" if abs(year) < 1e5 else f"{year:.1e}") for year in years]


def clock_text(seconds: float) -> str:
    """Return a time (unix seconds) as a local date and time: 29 Nov 14:05:07."""
    try:
        at = _local(seconds)
    except (OverflowError, OSError, ValueError):
        return f"{seconds:,.0f} s after 1970"
    return f"{at.day} {at:%b} {at:%H:%M:%S}"
