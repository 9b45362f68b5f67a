"""Parse the input schema of a capability into nodes.

`where` in these functions is the path of the part that is parsed, for the sentence of an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Final

from helm_sdk.protocol.errors import InvalidValue, SchemaError
from helm_sdk.protocol.nodes import (
    MISSING,
    NO_BOUNDS,
    Bounds,
    Duration,
    Enum,
    Field,
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
from helm_sdk.protocol.numbers import decimal_of, is_whole, shown
from helm_sdk.protocol.values import check

REVISION: Final = "1"
MAX_SCHEMA_DEPTH: Final = 24
MAX_PARTS: Final = 4096
_SCALAR_TYPES: Final = ("number", "integer", "string", "boolean")


def parse(schema: Mapping[str, Any]) -> Node:
    """Return the root node of a schema {"revision", "root"}. Raises SchemaError when it is not valid.

    An empty schema is opaque. A kind or a revision that this version does not know becomes `Unknown`.
    """
    if not isinstance(schema, Mapping):
        raise SchemaError(f"a schema is an object, this one is {shown(schema)}")
    if not schema:
        return Opaque()
    if "root" not in schema:
        raise SchemaError("a schema needs a root")
    revision = schema.get("revision", REVISION)
    if isinstance(revision, bool) or not isinstance(revision, str | int):
        raise SchemaError(f"revision is {shown(revision)}, it must be a string")
    if str(revision) != REVISION:
        return Unknown(f"schema revision {shown(revision)}", schema["root"])
    return _node(schema["root"], "root", 0)


def _node(raw: Any, where: str, depth: int) -> Node:
    if not isinstance(raw, Mapping):
        raise SchemaError(f"{where} is {shown(raw)}, it must be an object with a kind")
    kind = raw.get("kind")
    if not isinstance(kind, str):
        raise SchemaError(f"{where}.kind is {shown(kind)}, it must be a string")
    if depth > MAX_SCHEMA_DEPTH:
        raise SchemaError(f"the schema is nested deeper than {MAX_SCHEMA_DEPTH} levels")
    parser = _PARSERS.get(kind)
    return parser(raw, where, depth) if parser else Unknown(kind, raw)


def _record(raw: Mapping[str, Any], where: str, depth: int) -> Node:
    fields = tuple(
        _field(part, f"{where}.fields[{index}]", depth)
        for index, part in enumerate(_list(raw, "fields", where))
    )
    names = [part.name for part in fields]
    _refuse_repeats(names, f"{where}.fields")
    one_of = _texts(raw, "one_of", where)
    for name in one_of:
        if name not in names:
            raise SchemaError(f"{where}.one_of names {shown(name)}, which is no field")
        if any(part.name == name and not part.optional for part in fields):
            raise SchemaError(f"{where}.one_of names {shown(name)}, which must be optional")
    return Record(fields, _text(raw, "renderer", where) or "form", one_of)


def _field(raw: Any, where: str, depth: int) -> Field:
    if not isinstance(raw, Mapping):
        raise SchemaError(f"{where} is {shown(raw)}, it must be an object")
    name = _text(raw, "name", where)
    if not name:
        raise SchemaError(f"{where} needs a name")
    node = _node(raw.get("type"), f"{where}.type", depth + 1)
    optional = _flag(raw, "optional", where)
    default = raw.get("default", MISSING)
    if default is not MISSING and default is not None:
        try:
            check(node, default, name)
        except InvalidValue as error:
            raise SchemaError(f"the default of {name} does not fit: {error}") from None
    return Field(name, node, optional or default is not MISSING, default, _text(raw, "help", where))


def _scalar(raw: Mapping[str, Any], where: str, depth: int) -> Node:
    kind = raw.get("type", "number")
    if kind not in _SCALAR_TYPES:
        raise SchemaError(f"{where}.type is {shown(kind)}, it must be one of {', '.join(_SCALAR_TYPES)}")
    bounds = _bounds(raw.get("bounds"), f"{where}.bounds")
    if kind in ("string", "boolean") and bounds != NO_BOUNDS:
        raise SchemaError(f"{where}.bounds are for numbers, this is a {kind}")
    step = None if raw.get("step") is None else _decimal(raw["step"], f"{where}.step")
    if step is not None and step <= 0:
        raise SchemaError(f"{where}.step is {shown(raw['step'])}, it must be more than 0")
    scale = _text(raw, "scale", where) or "linear"
    if scale not in ("linear", "log"):
        raise SchemaError(f'{where}.scale is {shown(scale)}, it must be "linear" or "log"')
    return Scalar(kind, bounds, _text(raw, "unit", where), step, scale)


def _enum(raw: Mapping[str, Any], where: str, depth: int) -> Node:
    values: list[Any] = []
    labels: list[str] = []
    given = raw.get("labels")
    for index, entry in enumerate(_list(raw, "values", where)):
        value = entry.get("value") if isinstance(entry, Mapping) else entry
        if isinstance(value, Mapping | list | tuple):
            raise SchemaError(f"{where}.values[{index}] is {shown(value)}, it must be a plain value")
        if isinstance(value, int | float) and not isinstance(value, bool):
            _decimal(value, f"{where}.values[{index}]")
        label = entry.get("label") if isinstance(entry, Mapping) else None
        if label is None and isinstance(given, list | tuple) and index < len(given):
            label = given[index]
        if label is None and isinstance(given, Mapping):
            label = given.get(value)
        values.append(value)
        labels.append(label if isinstance(label, str) else _plain(value))
    if not values:
        raise SchemaError(f"{where}.values is empty, an enum needs at least one")
    _refuse_repeats([(isinstance(value, bool), value) for value in values], f"{where}.values")
    return Enum(tuple(values), tuple(labels))


def _list_of(raw: Mapping[str, Any], where: str, depth: int) -> Node:
    low, high = _lengths(raw, where)
    return ListOf(_node(raw.get("item"), f"{where}.item", depth + 1), low, high)


def _map_of(raw: Mapping[str, Any], where: str, depth: int) -> Node:
    low, high = _lengths(raw, where)
    value = _node(raw.get("value"), f"{where}.value", depth + 1)
    text = _text(raw, "key_pattern", where)
    try:
        pattern = re.compile(text) if text else None
    except (re.error, OverflowError, RecursionError, Warning) as error:
        raise SchemaError(f"{where}.key_pattern is no regular expression: {error}") from None
    return MapOf(value, text, low, high, pattern)


def _schedule(raw: Mapping[str, Any], where: str, depth: int) -> Node:
    axis = _text(raw, "axis", where) or "step"
    return Schedule(axis, _text(raw, "unit", where), _bounds(raw.get("bounds"), f"{where}.bounds"))


def _mixture(raw: Mapping[str, Any], where: str, depth: int) -> Node:
    components = _texts(raw, "components", where)
    if not components:
        raise SchemaError(f"{where}.components is empty, a mixture needs at least one")
    if "" in components:
        raise SchemaError(f"{where}.components holds an empty name")
    _refuse_repeats(components, f"{where}.components")
    given = raw.get("bounds")
    bounds: dict[str, Bounds] = {}
    if isinstance(given, Mapping) and given and all(name in components for name in given):
        bounds = {name: _bounds(part, f"{where}.bounds.{name}") for name, part in given.items()}
    elif given is not None:
        bounds = dict.fromkeys(components, _bounds(given, f"{where}.bounds"))
    return Mixture(components, _text(raw, "sampled", where), bounds)


def _duration(raw: Mapping[str, Any], where: str, depth: int) -> Node:
    return Duration(_bounds(raw.get("bounds"), f"{where}.bounds"))


def _tensors(raw: Mapping[str, Any], where: str, depth: int) -> Node:
    limits = raw.get("limits", {})
    if not isinstance(limits, Mapping):
        raise SchemaError(f"{where}.limits is {shown(limits)}, it must be an object")
    known = {name: _whole(value, f"{where}.limits.{name}") for name, value in limits.items()}
    return Tensors(_texts(raw, "stages", where), _texts(raw, "summaries", where), known)


def _opaque(raw: Mapping[str, Any], where: str, depth: int) -> Node:
    return Opaque()


_PARSERS: Final[dict[str, Callable[[Mapping[str, Any], str, int], Node]]] = {
    "record": _record,
    "scalar": _scalar,
    "enum": _enum,
    "list": _list_of,
    "map": _map_of,
    "schedule": _schedule,
    "mixture": _mixture,
    "duration": _duration,
    "tensors": _tensors,
    "opaque": _opaque,
}


def _bounds(raw: Any, where: str) -> Bounds:
    if raw is None:
        return NO_BOUNDS
    if not isinstance(raw, Mapping):
        raise SchemaError(f"{where} is {shown(raw)}, it must be an object with min and max")
    low = None if raw.get("min") is None else _decimal(raw["min"], f"{where}.min")
    high = None if raw.get("max") is None else _decimal(raw["max"], f"{where}.max")
    exclusive = raw.get("exclusive", False)
    ends: tuple[str, ...] = ("min", "max") if exclusive is True else ()
    if not isinstance(exclusive, bool):
        ends = _texts(raw, "exclusive", where)
    if any(end not in ("min", "max") for end in ends):
        raise SchemaError(f'{where}.exclusive must be true, false, or a list of "min" and "max"')
    bounds = Bounds(low, high, "min" in ends, "max" in ends)
    if low is not None and high is not None and (low > high or (ends and low == high)):
        raise SchemaError(f"{where} allow nothing: from {low} to {high}")
    return bounds


def _lengths(raw: Mapping[str, Any], where: str) -> tuple[int, int | None]:
    low = _whole(raw.get("min_length", 0), f"{where}.min_length")
    high = None if raw.get("max_length") is None else _whole(raw["max_length"], f"{where}.max_length")
    if high is not None and high < low:
        raise SchemaError(f"{where} allows nothing: its length goes from {low} to {high}")
    return low, high


def _decimal(value: Any, where: str) -> Decimal:
    try:
        return decimal_of(value, where)
    except InvalidValue as error:
        raise SchemaError(str(error)) from None


def _whole(value: Any, where: str) -> int:
    number = _decimal(value, where)
    if not is_whole(number) or not 0 <= number < 2**63:
        raise SchemaError(f"{where} is {shown(value)}, it must be a whole number, 0 or more")
    return int(number)


def _list(raw: Mapping[str, Any], key: str, where: str) -> list[Any] | tuple[Any, ...]:
    value = raw.get(key, ())
    if not isinstance(value, list | tuple):
        raise SchemaError(f"{where}.{key} is {shown(value)}, it must be a list")
    if len(value) > MAX_PARTS:
        raise SchemaError(f"{where}.{key} has {len(value)} entries, the limit is {MAX_PARTS}")
    return value


def _texts(raw: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    values = _list(raw, key, where)
    for index, value in enumerate(values):
        if not isinstance(value, str):
            raise SchemaError(f"{where}.{key}[{index}] is {shown(value)}, it must be a string")
    return tuple(values)


def _text(raw: Mapping[str, Any], key: str, where: str) -> str:
    value = raw.get(key, "")
    if value is None:
        return ""
    if not isinstance(value, str):
        raise SchemaError(f"{where}.{key} is {shown(value)}, it must be a string")
    return value


def _flag(raw: Mapping[str, Any], key: str, where: str) -> bool:
    value = raw.get(key, False)
    if not isinstance(value, bool):
        raise SchemaError(f"{where}.{key} is {shown(value)}, it must be true or false")
    return value


def _refuse_repeats(values: list[Any] | tuple[Any, ...], where: str) -> None:
    seen: set[Any] = set()
    for value in values:
        if value in seen:
            raise SchemaError(f"{where} holds {shown(value[1] if isinstance(value, tuple) else value)} twice")
        seen.add(value)


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else shown(value)
