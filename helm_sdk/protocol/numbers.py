"""Numbers in inputs: JSON numbers or decimal strings, compared exactly as decimals."""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal, InvalidOperation
from typing import Any

from helm_sdk.protocol.errors import InvalidValue

MAX_DIGITS = 400
"""The most characters of a decimal string; no 64-bit float needs more."""

_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,6})?")
_SHOWN_CHARACTERS = 60


def shown(value: Any) -> str:
    """Return a short text for a value, for use in a sentence."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, str):
        cut = value if len(value) <= _SHOWN_CHARACTERS else value[: _SHOWN_CHARACTERS - 1] + "…"
        return json.dumps(cut, ensure_ascii=False)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, int) and abs(value) < 10**30:
        return str(value)
    return "a huge integer" if isinstance(value, int) else f"of type {type(value).__name__}"


def decimal_of(value: Any, name: str, path: str = "") -> Decimal:
    """Return the exact number in `value`. Raises InvalidValue when it is no finite 64-bit number.

    name: what the sentence calls the value. path: the field, for the error.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise InvalidValue(path, f"{name} is {shown(value)}, it must be a number")
    if isinstance(value, str):
        return _from_text(value, name, path)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InvalidValue(path, f"{name} is {value!r}, it must be finite")
        return Decimal(repr(value))
    if not -(2**63) <= value < 2**64:
        raise InvalidValue(path, f"{name} is {shown(value)}, it must fit 64 bits")
    return Decimal(value)


def as_number(value: Any) -> float | int:
    """Return a number or a decimal string as int or float: "3" is 3, "0.1" is 0.1. Raises InvalidValue."""
    number = decimal_of(value, "the value")
    if isinstance(value, int | float):
        return value
    text = str(value)
    return int(number) if text.lstrip("+-").isdigit() else float(number)


def is_whole(number: Decimal) -> bool:
    """Return True when a number has no fraction, without writing out a large exponent."""
    if number.is_zero():
        return True
    exponent = number.as_tuple().exponent
    return isinstance(exponent, int) and (exponent >= 0 or number == number.to_integral_value())


def _from_text(value: str, name: str, path: str) -> Decimal:
    if value.strip().lower().lstrip("+-") in {"nan", "inf", "infinity"}:
        raise InvalidValue(path, f"{name} is {shown(value)}, it must be finite")
    if len(value) > MAX_DIGITS or not _DECIMAL.fullmatch(value):
        raise InvalidValue(path, f"{name} is {shown(value)}, it must be a number")
    try:
        number = Decimal(value)
    except InvalidOperation:
        raise InvalidValue(path, f"{name} is {shown(value)}, it must be a number") from None
    as_float = float(number)
    if math.isinf(as_float) or (as_float == 0.0 and not number.is_zero()):
        raise InvalidValue(path, f"{name} is {shown(value)}, it must fit a 64-bit number")
    return number
