"""A schema in a few words, for whoever declares a capability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from helm_sdk.protocol.nodes import MISSING

Number = int | float | str


def schema(root: Mapping[str, Any]) -> dict[str, Any]:
    """The envelope around a node."""
    return {"revision": "1", "root": dict(root)}


def opaque_schema() -> dict[str, Any]:
    """A schema that takes anything JSON can say."""
    return schema({"kind": "opaque"})


def record_schema(*fields: Mapping[str, Any], one_of: Sequence[str] = ()) -> dict[str, Any]:
    """A form with `fields`; of those named in `one_of` exactly one must be sent."""
    return schema(record_of(*fields, one_of=one_of))


def record_of(*fields: Mapping[str, Any], one_of: Sequence[str] = ()) -> dict[str, Any]:
    """A record node."""
    node: dict[str, Any] = {"kind": "record", "renderer": "form", "fields": [dict(part) for part in fields]}
    return {**node, "one_of": list(one_of)} if one_of else node


def field(
    name: str, type: Mapping[str, Any], *, optional: bool = False, default: Any = MISSING, help: str = ""
) -> dict[str, Any]:
    """One field of a record. With a default it is optional; a default of None lets null be sent."""
    part: dict[str, Any] = {"name": name, "type": dict(type)}
    if optional or default is not MISSING:
        part["optional"] = True
    if default is not MISSING:
        part["default"] = default
    if help:
        part["help"] = help
    return part


def number(
    minimum: Number | None = None,
    maximum: Number | None = None,
    *,
    exclusive: Sequence[str] = (),
    unit: str = "",
    step: Number | None = None,
    scale: str = "",
    type: str = "number",
) -> dict[str, Any]:
    """A number between bounds; `exclusive` names the ends ("min", "max") that may not be reached."""
    node: dict[str, Any] = {"kind": "scalar", "type": type}
    bounds = bounds_of(minimum, maximum, exclusive)
    extras = {"bounds": bounds or None, "unit": unit, "step": step, "scale": scale}
    return {**node, **{key: value for key, value in extras.items() if value not in (None, "")}}


def integer(minimum: Number | None = None, maximum: Number | None = None, **more: Any) -> dict[str, Any]:
    """A whole number between bounds."""
    return number(minimum, maximum, type="integer", **more)


def string() -> dict[str, Any]:
    """Any text."""
    return {"kind": "scalar", "type": "string"}


def boolean() -> dict[str, Any]:
    """true or false."""
    return {"kind": "scalar", "type": "boolean"}


def enum_of(values: Sequence[Any], labels: Sequence[str] = ()) -> dict[str, Any]:
    """One of `values`."""
    node: dict[str, Any] = {"kind": "enum", "values": list(values)}
    return {**node, "labels": list(labels)} if labels else node


def list_of(item: Mapping[str, Any], min_length: int = 0, max_length: int | None = None) -> dict[str, Any]:
    """A list of one type."""
    return {"kind": "list", "item": dict(item), **_lengths(min_length, max_length)}


def map_of(
    value: Mapping[str, Any], key_pattern: str = "", min_length: int = 0, max_length: int | None = None
) -> dict[str, Any]:
    """An object whose values have one type and whose names match a regular expression."""
    node: dict[str, Any] = {"kind": "map", "value": dict(value), **_lengths(min_length, max_length)}
    return {**node, "key_pattern": key_pattern} if key_pattern else node


def schedule(
    minimum: Number | None = None,
    maximum: Number | None = None,
    *,
    axis: str = "step",
    unit: str = "",
    exclusive: Sequence[str] = (),
) -> dict[str, Any]:
    """Keyframes over an axis."""
    node: dict[str, Any] = {"kind": "schedule", "axis": axis}
    bounds = bounds_of(minimum, maximum, exclusive)
    return {**node, **({"unit": unit} if unit else {}), **({"bounds": bounds} if bounds else {})}


def mixture(
    components: Sequence[str], sampled: str = "", bounds: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """A weight per component; `bounds` for all of them, or by component."""
    node: dict[str, Any] = {"kind": "mixture", "components": list(components)}
    return {
        **node,
        **({"sampled": sampled} if sampled else {}),
        **({"bounds": dict(bounds)} if bounds else {}),
    }


def duration(minimum: Number | None = None, maximum: Number | None = None) -> dict[str, Any]:
    """Seconds."""
    bounds = bounds_of(minimum, maximum)
    return {"kind": "duration", **({"bounds": bounds} if bounds else {})}


def tensors(
    stages: Sequence[str], summaries: Sequence[str], limits: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """A selection of tensors: {"tensors": [patterns], "stage", "take": [summaries], "every", "times"}."""
    node: dict[str, Any] = {"kind": "tensors", "stages": list(stages), "summaries": list(summaries)}
    return {**node, "limits": dict(limits)} if limits else node


def bounds_of(
    minimum: Number | None = None, maximum: Number | None = None, exclusive: Sequence[str] = ()
) -> dict[str, Any]:
    """Bounds as they go over the wire; empty when there are none."""
    bounds: dict[str, Any] = {}
    if minimum is not None:
        bounds["min"] = minimum
    if maximum is not None:
        bounds["max"] = maximum
    if exclusive and bounds:
        bounds["exclusive"] = list(exclusive)
    return bounds


def _lengths(low: int, high: int | None) -> dict[str, int]:
    return {**({"min_length": low} if low else {}), **({} if high is None else {"max_length": high})}
