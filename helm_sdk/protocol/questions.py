"""Checks of a value that several kinds of input share; each raises InvalidValue with one sentence.

`path` is the name of the checked field, empty for the whole value.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from helm_sdk.protocol.errors import InvalidValue
from helm_sdk.protocol.nodes import Bounds
from helm_sdk.protocol.numbers import decimal_of, shown

MAX_VALUE_DEPTH: Final = 40


def refuse(path: str, rest: str) -> None:
    """Raise InvalidValue with the field's name and the rest of the sentence."""
    raise InvalidValue(path, f"{name_of(path)} {rest}")


def name_of(path: str) -> str:
    """Return what a sentence calls the field."""
    return path or "the value"


def join(path: str, name: str) -> str:
    """Return the path of a field inside another one."""
    cut = name if len(name) <= 80 else name[:79] + "…"
    return f"{path}.{cut}" if path else cut


def listing(label: str, names: Any) -> str:
    """Return the first names after a label, such as "the fields are a, b"."""
    shown_names = list(names)[:20]
    return f"{label} {', '.join(shown_names)}" if shown_names else "there are none"


def number_in(value: Any, bounds: Bounds, path: str) -> Decimal:
    """Return the number in a value, which must be within the bounds."""
    number = decimal_of(value, name_of(path), path)
    broken = bounds.broken_by(number)
    if broken:
        refuse(path, f"is {shown(value)}, it must be {broken}")
    return number


def text_in(value: Any, path: str) -> None:
    """Check that a value is valid text."""
    if not isinstance(value, str):
        refuse(path, f"is {shown(value)}, it must be a string")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InvalidValue(path, f"{name_of(path)} holds half a character (a lone surrogate)") from None


def object_in(value: Any, path: str) -> Mapping[str, Any]:
    """Return a value, which must be an object."""
    if not isinstance(value, Mapping):
        raise InvalidValue(path, f"{name_of(path)} is {shown(value)}, it must be an object")
    for key in value:
        if not isinstance(key, str):
            refuse(path, f"has the key {shown(key)}, a key must be a string")
        text_in(key, path)
    return value


def items_in(value: Any, path: str) -> list[Any] | tuple[Any, ...]:
    """Return a value, which must be a list."""
    if not isinstance(value, list | tuple):
        raise InvalidValue(path, f"{name_of(path)} is {shown(value)}, it must be a list")
    return value


def exactly(value: Any, keys: tuple[str, ...], path: str) -> Mapping[str, Any]:
    """Return a value, which must be an object with exactly these keys."""
    given = object_in(value, path)
    for key in given:
        if key not in keys:
            refuse(join(path, key), f"is not a field, {listing('the fields are', keys)}")
    for key in keys:
        if key not in given:
            refuse(join(path, key), "is missing")
    return given


def length_of(count: int, low: int, high: int | None, path: str, one: str, many: str) -> None:
    """Check a number of entries; `one` and `many` are the words for them."""
    has = f"has {count} {one if count == 1 else many}"
    if count < low:
        refuse(path, f"{has}, it must have {low} or more")
    if high is not None and count > high:
        refuse(path, f"{has}, it must have {high} or fewer")


def among(value: Any, choices: tuple[str, ...], path: str) -> None:
    """Check that a text is one of the choices; without choices any text is."""
    text_in(value, path)
    if choices and value not in choices:
        refuse(path, f"is {shown(value)}, it must be one of {', '.join(choices)}")


def same(choice: Any, value: Any) -> bool:
    """Return True for equal JSON values: true is not 1, and a decimal string equals its number."""
    if isinstance(choice, bool) or isinstance(value, bool) or choice is None or value is None:
        return choice is value
    if isinstance(choice, int | float):
        try:
            return decimal_of(value, "") == decimal_of(choice, "")
        except InvalidValue:
            return False
    return type(choice) is type(value) and bool(choice == value)


def refuse_depth(value: Any) -> None:
    """Check that a value is not nested too deep."""
    level = [value]
    for _ in range(MAX_VALUE_DEPTH):
        deeper: list[Any] = []
        for item in level:
            children = item.values() if isinstance(item, Mapping) else item
            if isinstance(item, Mapping | list | tuple):
                deeper.extend(child for child in children if isinstance(child, Mapping | list | tuple))
        if not deeper:
            return
        level = deeper
    raise InvalidValue("", f"the value is nested deeper than {MAX_VALUE_DEPTH} levels")
