"""An annotated function as a form: its parameters become the fields of an input schema."""

from __future__ import annotations

import collections.abc
import enum
import inspect
import types
import typing
from collections.abc import Callable
from typing import Any, Literal, Union

from helm_sdk._controls.safe_points import CommandContext
from helm_sdk._shared.plain import to_json
from helm_sdk.protocol import kinds
from helm_sdk.protocol.messages import Capability

_BOUNDS = {"ge": ("min", False), "gt": ("min", True), "le": ("max", False), "lt": ("max", True)}
Convert = Callable[[Any], Any]
Call = Callable[[Any, CommandContext], Any]


def capability_of(
    function: Callable[..., Any], name: str, safe_points: tuple[str, ...]
) -> tuple[Capability, Call]:
    """(the capability, a handler that calls the function with converted arguments)."""
    hints = _hints(function)
    fields: list[dict[str, Any]] = []
    converts: dict[str, Convert] = {}
    context_names: list[str] = []
    starting: dict[str, Any] = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        hint = hints.get(parameter.name, Any)
        wants_context = hint is CommandContext or CommandContext in typing.get_args(hint)
        if wants_context or (parameter.name == "context" and hint is Any):
            context_names.append(parameter.name)
            continue
        node, converts[parameter.name] = node_of(hint)
        default = kinds.MISSING
        if parameter.default is not inspect.Parameter.empty:
            default = to_json(parameter.default)
            starting[parameter.name] = default
        fields.append(kinds.field(parameter.name, node, default=default))

    def call(value: Any, context: CommandContext) -> Any:
        given = value if isinstance(value, dict) else {}
        arguments = {key: converts[key](item) for key, item in given.items() if key in converts}
        return function(**arguments, **dict.fromkeys(context_names, context))

    capability = Capability(
        name=name or function.__name__,
        provider="script",
        input_schema=kinds.record_schema(*fields) if fields else {},
        output_schema=kinds.opaque_schema(),
        safe_points=safe_points,
        starting=starting if starting and len(starting) == len(fields) else None,
        help=(inspect.getdoc(function) or "").split("\n\n")[0].replace("\n", " "),
    )
    return capability, call


def node_of(hint: Any) -> tuple[dict[str, Any], Convert]:
    """(schema node, conversion of a checked value) of an annotation; what is not understood is opaque."""
    if typing.get_origin(hint) is typing.Annotated:
        return _bounded(hint)
    if hint is bool:
        return kinds.boolean(), bool
    if hint is int:
        return kinds.integer(), lambda value: int(kinds.as_number(value))
    if hint is float:
        return kinds.number(), lambda value: float(kinds.as_number(value))
    if hint is str:
        return kinds.string(), str
    if typing.is_typeddict(hint):
        return _typed_dict(hint)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        members = list(hint)
        node = kinds.enum_of([to_json(member.value) for member in members], [m.name for m in members])
        return node, lambda value: next(m for m in members if to_json(m.value) == value)
    return _generic(hint)


def _generic(hint: Any) -> tuple[dict[str, Any], Convert]:
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return kinds.enum_of(list(inner)), _same
    if hint is list or origin in (list, collections.abc.Sequence):
        node, convert = node_of(inner[0]) if inner else ({"kind": "opaque"}, _same)
        return kinds.list_of(node), lambda value: [convert(item) for item in value]
    if origin in (dict, collections.abc.Mapping) and len(inner) == 2 and inner[0] is str:
        node, convert = node_of(inner[1])
        return kinds.map_of(node), lambda value: {key: convert(item) for key, item in value.items()}
    if origin in (Union, types.UnionType):
        kept = [part for part in inner if part is not type(None)]
        if len(kept) == 1:
            node, convert = node_of(kept[0])
            return node, lambda value: None if value is None else convert(value)
        if set(kept) == {int, float}:
            return node_of(float)
    return {"kind": "opaque"}, _same


def _typed_dict(hint: Any) -> tuple[dict[str, Any], Convert]:
    converts: dict[str, Convert] = {}
    fields = []
    for key, inner in typing.get_type_hints(hint, include_extras=True).items():
        if typing.get_origin(inner) in (typing.Required, typing.NotRequired):
            inner = typing.get_args(inner)[0]
        node, converts[key] = node_of(inner)
        fields.append(kinds.field(key, node, optional=key not in hint.__required_keys__))
    return kinds.record_of(*fields), lambda value: {key: converts[key](item) for key, item in value.items()}


def _bounded(hint: Any) -> tuple[dict[str, Any], Convert]:
    """Bounds as annotated-types, msgspec.Meta and pydantic name them (ge, gt, le, lt), or (min, max)."""
    inner, *extras = typing.get_args(hint)
    node, convert = node_of(inner)
    if node.get("kind") not in ("scalar", "duration"):
        return node, convert
    bounds: dict[str, Any] = {}
    exclusive: list[str] = []
    for extra in extras:
        if isinstance(extra, tuple | range) and not isinstance(extra, range) and len(extra) == 2:
            bounds.update(
                {end: limit for end, limit in zip(("min", "max"), extra, strict=True) if limit is not None}
            )
        for attribute, (end, open_end) in _BOUNDS.items():
            limit = getattr(extra, attribute, None)
            if isinstance(limit, int | float) and not isinstance(limit, bool):
                bounds[end] = limit
                exclusive.extend([end] if open_end else [])
        if isinstance(extra, str):
            node = {**node, "unit": extra}
    return {**node, **({"bounds": _with_exclusive(bounds, exclusive)} if bounds else {})}, convert


def _with_exclusive(bounds: dict[str, Any], exclusive: list[str]) -> dict[str, Any]:
    return {**bounds, "exclusive": exclusive} if exclusive else bounds


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function, include_extras=True)
    except Exception:  # a name that only the type checker knows
        return {}


def _same(value: Any) -> Any:
    return value
