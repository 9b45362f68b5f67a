"""Ranges and ticks of the axes: round numbers, and ranges that move seldom."""

from __future__ import annotations

import math
from itertools import pairwise

Range = tuple[float, float]

_LONGEST = 7  # letters that have room beside an axis

_NICE = (1.0, 2.0, 2.5, 5.0, 10.0)
_LARGEST = 5e307  # so that neither a range's span nor a step over its end overflows
_SMALLEST = 1e-303  # below it floats have too few bits left to be divided
_LARGEST_EXPONENT, _SMALLEST_EXPONENT = 308.0, -300.0
_NICE_Y = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)


def nice_step(span: float, most: float, *, whole: bool = False, nice: tuple[float, ...] = _NICE) -> float:
    """Return the smallest round step that cuts a span into at most `most` parts."""
    if not math.isfinite(span) or span <= 0:
        return 1.0
    rough = span / max(1.0, most)
    power = 10.0 ** math.floor(math.log10(rough)) if rough > 1e-300 else 1e-300
    step = next(factor * power for factor in nice if factor * power >= rough * (1 - 1e-9))
    return max(1.0, math.ceil(step)) if whole else step


def ticks(low: float, high: float, step: float) -> list[float]:
    """Multiples of a step inside a range."""
    slack = (high - low) * 1e-9
    first, last = math.ceil((low - slack) / step), math.floor((high + slack) / step)
    return [at * step for at in range(first, min(last, first + 100) + 1)]


def y_step(low: float, high: float, most: int) -> float:
    """Return the tick step of a fitted range: one that meets both of its ends where there is one."""
    span = high - low
    for parts in (most, most + 1, most + 2, most - 1):
        step = nice_step(span, parts, nice=_NICE_Y)
        if all(abs(end / step - round(end / step)) < 1e-6 for end in (low, high)):
            return step
    return nice_step(span, most)


def log_ticks(low: float, high: float, most: int) -> list[float]:
    """Exponents of the powers of ten (or of 2 and 5 times them) inside a range of exponents."""
    if high - low > 1.5:
        return ticks(low, high, nice_step(high - low, most, whole=True))
    first = math.floor(low)
    marks = [at + math.log10(m) for at in range(first, first + 4) for m in (1, 2, 5)]
    return [mark for mark in marks if low - 1e-9 <= mark <= high + 1e-9]


def labels(values: list[float], *, log: bool = False) -> list[str]:
    """One style for all ticks of an axis: 0.0 4.0 8.0, 5k 10k, 1.0e-3 2.0e-3; 1 +2e-8 when they are close."""
    if log:
        return [_power(value) for value in values]
    made = _alike(values)
    longest = max((len(text) for text in made), default=0)
    if longest <= _LONGEST or values[-1] - values[0] > abs(values[0]) / 100:
        return made
    base = values[0]
    return [f"{base:.4g}", *("+" + f"{value - base:.2g}".replace("e-0", "e-") for value in values[1:])]


def _alike(values: list[float]) -> list[str]:
    largest = max((abs(value) for value in values), default=0.0)
    gap = min((b - a for a, b in pairwise(values)), default=largest)
    if 0 < largest < 0.00999 or largest >= 1e15:
        return [_scientific(value, gap) for value in values]
    for bound, suffix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if largest >= bound and gap >= bound / 1000:
            scaled = [value / bound for value in values]
            return [f"{value:.{_places(scaled)}f}{suffix}" if value else "0" for value in scaled]
    places = _places(values)
    return [f"{value:.{places}f}" for value in values]


def _places(values: list[float]) -> int:
    for places in range(10):
        if all(abs(round(value, places) - value) <= 1e-9 * max(1e-6, abs(value)) for value in values):
            return places
    return 10


def _scientific(value: float, gap: float) -> str:
    if value == 0:
        return "0"
    exponent = math.floor(math.log10(abs(value)) + 1e-12)
    places = min(9, max(1, exponent - math.floor(math.log10(gap) + 1e-12))) if gap > 0 else 1
    return f"{value / 10.0**exponent:.{places}f}e{exponent}"


def _power(exponent: float) -> str:
    whole = round(exponent)
    if abs(exponent - whole) < 1e-9:
        return f"{10**whole:g}" if -2 <= whole <= 3 else f"1e{whole}"
    value = 10.0**exponent
    return (
        f"{value:g}"
        if 0.01 <= value < 10_000
        else f"{value / 10.0 ** math.floor(exponent):.0f}e{math.floor(exponent)}"
    )


def fit_y(low: float, high: float, held: Range | None = None, *, most: int = 4, zero: bool = False) -> Range:
    """Return a range of whole tick steps around values; a held one stays unless it is far too wide."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return held or (0.0, 1.0)
    low, high = max(-_LARGEST, min(_LARGEST, low)), max(-_LARGEST, min(_LARGEST, high))
    if held is not None and held[0] <= low and high <= held[1]:
        used = max(high, 0.0) - min(low, 0.0) if held[0] * held[1] <= 0 else high - low
        if used >= 0.4 * (held[1] - held[0]):
            return held
    if 0 <= low <= high * (1.0 if zero else 0.6):
        low = 0.0
    elif 0 >= high >= 0.6 * low:
        high = 0.0
    span = high - low
    if span <= max(max(abs(low), abs(high)) * 1e-12, _SMALLEST):
        return _around(low)
    step = nice_step(span, most, nice=_NICE_Y)
    return math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step


def _around(value: float) -> Range:
    """Return a range for a constant: it stands in the middle, with zero at the edge."""
    if abs(value) <= _SMALLEST:
        return -1.0, 1.0
    step = nice_step(abs(value) * 1.6, 4)
    far = math.ceil(abs(value) * 1.3 / step) * step
    return (0.0, far) if value > 0 else (-far, 0.0)


def fit_log(low: float, high: float, held: Range | None = None) -> Range:
    """Return a range of exponents around positive values."""
    if not (math.isfinite(low) and math.isfinite(high)) or low <= 0:
        return held or (0.0, 1.0)
    a = min(max(math.log10(low), _SMALLEST_EXPONENT), _LARGEST_EXPONENT - 1.0)
    b = min(max(math.log10(high), a), _LARGEST_EXPONENT)
    if held is not None and held[0] <= a and b <= held[1] and b - a >= 0.4 * (held[1] - held[0]):
        return held
    step = 1.0 if b - a > 2 else 0.25
    a, b = math.floor(a / step + 1e-9) * step, math.ceil(b / step - 1e-9) * step
    return (a, b) if b > a else (a - step, a + step)


def grow_x(first: float, last: float, held: Range | None) -> Range:
    """Return a range that covers the data: exactly at first, a quarter more room whenever it is outgrown."""
    if held is None or held[0] > first or not held[0] <= last:
        return (first, last) if last > first else (first, first + 1.0)
    if last <= held[1]:
        return held
    return first, first + max((last - first) * 1.25, 1.0)


def drawable(x: Range) -> Range:
    """Return the range, widened where floats cannot divide its span into pixels."""
    low, high = max(x[0], -_LARGEST), min(x[1], _LARGEST)
    least = max(abs(low) * 1e-12, abs(high) * 1e-12, 1e-290)
    return (low, high) if high - low >= least else (low - least, low + least)
