"""Decimal numbers: as a user typed or dragged them, and exact in JSON."""

from __future__ import annotations

import math
from decimal import Decimal


def as_decimal(value: float | Decimal) -> Decimal:
    """Return the shortest decimal that is read back as this number."""
    return value if isinstance(value, Decimal) else Decimal(repr(float(value)))


def as_sent(value: Decimal) -> int | float | str:
    """Return a JSON number where that keeps the value exactly, else the decimal string."""
    if value == value.to_integral_value() and abs(value) < 2**53:
        return int(value)
    return float(value) if Decimal(repr(float(value))) == value else str(value)


def rounded_to(value: float, pixel: float) -> Decimal:
    """Return the value rounded to the power of ten just below the height of a pixel (`pixel`, in values)."""
    if not pixel > 0 or not math.isfinite(value):
        return as_decimal(value)
    places = math.floor(math.log10(pixel))
    return Decimal(f"{round(value / 10.0**places)}e{places}") if abs(places) < 300 else as_decimal(value)
