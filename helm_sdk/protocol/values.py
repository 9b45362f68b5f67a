"""Check a value against its node: a value that does not fit is rejected, never clamped or changed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Final

from helm_sdk.protocol.errors import InvalidValue
from helm_sdk.protocol.nodes import (
    MISSING,
    Bounds,
    Duration,
    Enum,
    ListOf,
    MapOf,
    Mixture,
    Node,
    Opaque,
    Record,
    Scalar,
    Schedule,
    Tensors,
    Unknown,
)
from helm_sdk.protocol.numbers import as_number, decimal_of, is_whole, shown
from helm_sdk.protocol.questions import (
    among,
    exactly,
    items_in,
    join,
    length_of,
    listing,
    name_of,
    number_in,
    object_in,
    refuse,
    refuse_depth,
    same,
    text_in,
)

_TENSOR_LISTS: Final = ("tensors", "take", "kinds")
_TENSOR_KEYS: Final = (*_TENSOR_LISTS, "stage", "every", "times", "when", "slice")


def check(node: Node, value: Any, path: str = "") -> Any:
    """Return the value as it was sent. Raises InvalidValue when it does not fit.

    Decimal strings stay strings and absent optional fields stay absent. Null is accepted for a whole record
    without required fields, so that a control without input needs none.
    """
    if not path:
        refuse_depth(value)
        if value is None and isinstance(node, Record) and not node.required and not node.one_of:
            return value
    _CHECKS[type(node)](node, value, path)
    return value


def fill_defaults(node: Node, value: Any) -> Any:
    """Return a checked value with the declared defaults of absent fields, as a handler gets it.

    A field without a default stays absent. Mixture weights and decimal strings stay as sent.
    """
    if isinstance(node, Record):
        given = value if isinstance(value, Mapping) else {}
        filled = {}
        for part in node.fields:
            if part.name in given:
                filled[part.name] = fill_defaults(part.type, given[part.name])
            elif part.default is not MISSING:
                filled[part.name] = (
                    fill_defaults(part.type, part.default) if part.default is not None else None
                )
        return filled
    if isinstance(node, ListOf) and isinstance(value, list | tuple):
        return [fill_defaults(node.item, item) for item in value]
    if isinstance(node, MapOf) and isinstance(value, Mapping):
        return {key: fill_defaults(node.value, item) for key, item in value.items()}
    return value


def as_python(node: Node, value: Any) -> Any:
    """Return a checked value with its decimal strings turned into numbers, for a function with annotations.

    "number" and durations become float, "integer" becomes int, an enum becomes the value as declared.
    Mixtures, schedules, tensors and opaque values stay as they are.
    """
    if value is None:
        return None
    if isinstance(node, Scalar) and node.type == "integer":
        return int(decimal_of(value, "the value"))
    if isinstance(node, Duration) or (isinstance(node, Scalar) and node.type == "number"):
        return float(as_number(value))
    if isinstance(node, Enum):
        return next((choice for choice in node.values if same(choice, value)), value)
    if isinstance(node, Record) and isinstance(value, Mapping):
        types = {part.name: part.type for part in node.fields}
        return {key: as_python(types[key], item) if key in types else item for key, item in value.items()}
    if isinstance(node, ListOf):
        return [as_python(node.item, item) for item in value]
    if isinstance(node, MapOf):
        return {key: as_python(node.value, item) for key, item in value.items()}
    return value


def _record(node: Record, value: Any, path: str) -> None:
    given = object_in(value, path)
    known = {part.name: part for part in node.fields}
    for name in given:
        if name not in known:
            refuse(join(path, name), f"is not a field, {listing('the fields are', known)}")
    for name, part in known.items():
        if name not in given:
            if not part.optional:
                refuse(join(path, name), "is missing")
        elif given[name] is not None or not part.nullable:
            check(part.type, given[name], join(path, name))
    sent = [name for name in node.one_of if given.get(name) is not None]
    if node.one_of and not sent:
        raise InvalidValue(path, f"one of {', '.join(node.one_of)} is needed, none is given")
    if len(sent) > 1:
        both = "both" if len(sent) == 2 else "all"
        raise InvalidValue(path, f"{' and '.join(sent)} are {both} given, send one of them")


def _scalar(node: Scalar, value: Any, path: str) -> None:
    if node.type == "boolean":
        if not isinstance(value, bool):
            refuse(path, f"is {shown(value)}, it must be true or false")
    elif node.type == "string":
        text_in(value, path)
    else:
        number = number_in(value, node.bounds, path)
        if node.type == "integer" and not is_whole(number):
            refuse(path, f"is {shown(value)}, it must be a whole number")


def _enum(node: Enum, value: Any, path: str) -> None:
    if not any(same(choice, value) for choice in node.values):
        choices = ", ".join(shown(choice) for choice in node.values[:20])
        refuse(path, f"is {shown(value)}, it must be one of {choices}")


def _list_of(node: ListOf, value: Any, path: str) -> None:
    items = items_in(value, path)
    length_of(len(items), node.min_length, node.max_length, path, "entry", "entries")
    for index, item in enumerate(items):
        check(node.item, item, f"{name_of(path)}[{index}]")


def _map_of(node: MapOf, value: Any, path: str) -> None:
    given = object_in(value, path)
    length_of(len(given), node.min_length, node.max_length, path, "entry", "entries")
    for key, item in given.items():
        if node.pattern is not None and not node.pattern.fullmatch(key):
            refuse(join(path, key), f"is not allowed, a name must match {node.key_pattern}")
        check(node.value, item, join(path, key))


def _schedule(node: Schedule, value: Any, path: str) -> None:
    given = exactly(value, ("points",), path)
    where = join(path, "points")
    points = items_in(given["points"], where)
    if not points:
        refuse(where, "is empty, it needs at least one point")
    before: Decimal | None = None
    for index, raw in enumerate(points):
        point = exactly(raw, ("at", "value"), f"{where}[{index}]")
        name = f"{where}[{index}].at"
        at = number_in(point["at"], Bounds(min=Decimal(0)), name)
        if node.axis == "step" and not is_whole(at):
            refuse(name, f"is {shown(point['at'])}, a step is a whole number")
        if before is not None and at <= before:
            refuse(name, f"is {shown(point['at'])}, it must be more than {before}, the one before")
        number_in(point["value"], node.bounds, f"{where}[{index}].value")
        before = at


def _mixture(node: Mixture, value: Any, path: str) -> None:
    outer = exactly(value, ("weights",), path)
    name = path or "weights"
    weights = object_in(outer["weights"], name)
    for component in weights:
        if component not in node.components:
            refuse(f"{name}.{component}", f"is unknown, {listing('the components are', node.components)}")
    for component in node.components:
        if component not in weights:
            raise InvalidValue(name, f"{name} has no {component}")
    total = Decimal(0)
    for component, weight in weights.items():
        where = f"{name}.{component}"
        number = number_in(weight, Bounds(min=Decimal(0)), where)
        broken = node.bounds[component].broken_by(number) if component in node.bounds else ""
        if broken:
            refuse(where, f"is {shown(weight)}, it must be {broken}")
        total = max(total, number)
    if total == 0:
        raise InvalidValue(name, f"{name} are all 0, at least one must be more than 0")


def _duration(node: Duration, value: Any, path: str) -> None:
    number = number_in(value, node.bounds, path)
    if number < 0 and node.bounds.min is None:
        refuse(path, f"is {shown(value)}, a duration must be 0 or more")


def _tensors(node: Tensors, value: Any, path: str) -> None:
    given = object_in(value, path)
    for key in given:
        if key not in _TENSOR_KEYS:
            refuse(join(path, key), f"is not a field, {listing('the fields are', _TENSOR_KEYS)}")
    for key in ("tensors", "stage", "take"):
        if key not in given:
            refuse(join(path, key), "is missing")
    for key in _TENSOR_LISTS:
        for index, item in enumerate(items_in(given.get(key, ()), join(path, key))):
            text_in(item, f"{join(path, key)}[{index}]")
    for key in ("tensors", "take"):
        length_of(len(given[key]), 1, node.limits.get(key), join(path, key), "entry", "entries")
    among(given["stage"], node.stages, join(path, "stage"))
    for index, item in enumerate(given["take"]):
        among(item, node.summaries, f"{join(path, 'take')}[{index}]")
    for key in ("every", "times"):
        if key in given:
            most = Decimal(node.limits[key]) if key in node.limits else None
            _scalar(Scalar("integer", Bounds(Decimal(1), most)), given[key], join(path, key))
    for key in ("when", "slice"):
        if key in given:
            text_in(given[key], join(path, key))


def _anything(node: Opaque | Unknown, value: Any, path: str) -> None:
    """Check that a value is JSON, without recursion, since the sender chooses its depth."""
    waiting: list[tuple[str, Any]] = [(path, value)]
    while waiting:
        where, item = waiting.pop()
        if isinstance(item, Mapping):
            for key, child in item.items():
                if not isinstance(key, str):
                    refuse(where, f"has the key {shown(key)}, a key must be a string")
                waiting.append((join(where, key), child))
        elif isinstance(item, list | tuple):
            waiting.extend((f"{name_of(where)}[{index}]", child) for index, child in enumerate(item))
        elif isinstance(item, float):
            if not math.isfinite(item):
                refuse(where, f"is {item!r}, it must be finite")
        elif isinstance(item, int) and not isinstance(item, bool):
            decimal_of(item, name_of(where), where)
        elif isinstance(item, str):
            text_in(item, where)
        elif item is not None and not isinstance(item, bool):
            refuse(where, f"is {shown(item)}, it must be a JSON value")


_CHECKS: Final[dict[type, Callable[[Any, Any, str], None]]] = {
    Record: _record,
    Scalar: _scalar,
    Enum: _enum,
    ListOf: _list_of,
    MapOf: _map_of,
    Schedule: _schedule,
    Mixture: _mixture,
    Duration: _duration,
    Tensors: _tensors,
    Opaque: _anything,
    Unknown: _anything,
}
