"""Functions that build the input schema of a capability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from helm_sdk.protocol.nodes import MISSING

Number = int | float | str


def schema(root: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema with a node as its root: `{"revision": "1", "root": node}`.

    Args:
        root: The node that describes the whole input.

    Returns:
        The schema, for `Capability.input_schema`.
    """
    return {"revision": "1", "root": dict(root)}


def opaque_schema() -> dict[str, Any]:
    """Return a schema that accepts any JSON value."""
    return schema({"kind": "opaque"})


def record_schema(*fields: Mapping[str, Any], one_of: Sequence[str] = ()) -> dict[str, Any]:
    """Return the schema of a form with several fields.

    Args:
        *fields: The fields, each made by `field`.
        one_of: The names of optional fields of which exactly one must be sent.

    Returns:
        The schema, for `Capability.input_schema`.
    """
    return schema(record_of(*fields, one_of=one_of))


def record_of(*fields: Mapping[str, Any], one_of: Sequence[str] = ()) -> dict[str, Any]:
    """Return the node of a record, to use inside another node.

    Args:
        *fields: The fields, each made by `field`.
        one_of: The names of optional fields of which exactly one must be sent.
    """
    node: dict[str, Any] = {"kind": "record", "renderer": "form", "fields": [dict(part) for part in fields]}
    return {**node, "one_of": list(one_of)} if one_of else node


def field(
    name: str, type: Mapping[str, Any], *, optional: bool = False, default: Any = MISSING, help: str = ""
) -> dict[str, Any]:
    """Return one field of a record.

    Args:
        name: The field's name.
        type: The node of its value, such as `number(0, 1)`.
        optional: Whether it may be left out.
        default: The value of a field that is left out; it makes the field optional. With a default of None,
            null may be sent.
        help: A line shown beside the field.
    """
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
    """Return the node of a number between bounds.

    Args:
        minimum: The least value; a decimal string such as "1e-5" is compared as it is written.
        maximum: The greatest value.
        exclusive: The bounds that are not themselves allowed: "min", "max", or both.
        unit: The unit as it is shown.
        step: The distance between two values of the editor.
        scale: "linear" or "log", for the editor.
        type: "number" or "integer".
    """
    node: dict[str, Any] = {"kind": "scalar", "type": type}
    bounds = bounds_of(minimum, maximum, exclusive)
    extras = {"bounds": bounds or None, "unit": unit, "step": step, "scale": scale}
    return {**node, **{key: value for key, value in extras.items() if value not in (None, "")}}


def integer(minimum: Number | None = None, maximum: Number | None = None, **more: Any) -> dict[str, Any]:
    """Return the node of a whole number between bounds.

    Args:
        minimum: The least value.
        maximum: The greatest value.
        **more: `exclusive`, `unit`, `step` and `scale`, as in `number`.
    """
    return number(minimum, maximum, type="integer", **more)


def string() -> dict[str, Any]:
    """Return the node of any text."""
    return {"kind": "scalar", "type": "string"}


def boolean() -> dict[str, Any]:
    """Return the node of true or false."""
    return {"kind": "scalar", "type": "boolean"}


def enum_of(values: Sequence[Any], labels: Sequence[str] = ()) -> dict[str, Any]:
    """Return the node of a choice between values.

    Args:
        values: The values: numbers, strings or booleans.
        labels: What is shown for each, in the same order; without them the values.
    """
    node: dict[str, Any] = {"kind": "enum", "values": list(values)}
    return {**node, "labels": list(labels)} if labels else node


def list_of(item: Mapping[str, Any], min_length: int = 0, max_length: int | None = None) -> dict[str, Any]:
    """Return the node of a list whose items have one type.

    Args:
        item: The node of an item.
        min_length: The least number of items.
        max_length: The greatest number of items.
    """
    return {"kind": "list", "item": dict(item), **_lengths(min_length, max_length)}


def map_of(
    value: Mapping[str, Any], key_pattern: str = "", min_length: int = 0, max_length: int | None = None
) -> dict[str, Any]:
    """Return the node of an object whose values have one type.

    Args:
        value: The node of a value.
        key_pattern: A regular expression that a whole name must match; empty: any name.
        min_length: The least number of entries.
        max_length: The greatest number of entries.
    """
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
    """Return the node of keyframes over an axis: `{"points": [{"at": …, "value": …}, …]}`.

    Args:
        minimum: The least value.
        maximum: The greatest value.
        axis: The axis of "at", such as "step" or "tokens".
        unit: The unit of the values as it is shown.
        exclusive: The bounds that are not themselves allowed: "min", "max", or both.
    """
    node: dict[str, Any] = {"kind": "schedule", "axis": axis}
    bounds = bounds_of(minimum, maximum, exclusive)
    return {**node, **({"unit": unit} if unit else {}), **({"bounds": bounds} if bounds else {})}


def mixture(
    components: Sequence[str], sampled: str = "", bounds: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the node of a weight for each component: `{"weights": {component: weight}}`.

    A weight is 0 or more; the handler gets the weights as they were sent.

    Args:
        components: The names of the components.
        sampled: The stream that logs the share that was really drawn, with "{component}" in its name.
        bounds: Bounds of the weights, for all of them or by component.
    """
    node: dict[str, Any] = {"kind": "mixture", "components": list(components)}
    return {
        **node,
        **({"sampled": sampled} if sampled else {}),
        **({"bounds": dict(bounds)} if bounds else {}),
    }


def duration(minimum: Number | None = None, maximum: Number | None = None) -> dict[str, Any]:
    """Return the node of a duration.

    Args:
        minimum: The least duration, in seconds; without it 0.
        maximum: The greatest duration, in seconds.
    """
    bounds = bounds_of(minimum, maximum)
    return {"kind": "duration", **({"bounds": bounds} if bounds else {})}


def tensors(
    stages: Sequence[str], summaries: Sequence[str], limits: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """Return the node of a selection of tensors.

    Its value: `{"tensors": [patterns], "stage": …, "take": [summaries], "every": …, "times": …}`.

    Args:
        stages: The stages of a step that may be chosen.
        summaries: The summaries that may be chosen.
        limits: The greatest numbers, by name: "tensors", "take", "every", "times".
    """
    node: dict[str, Any] = {"kind": "tensors", "stages": list(stages), "summaries": list(summaries)}
    return {**node, "limits": dict(limits)} if limits else node


def bounds_of(
    minimum: Number | None = None, maximum: Number | None = None, exclusive: Sequence[str] = ()
) -> dict[str, Any]:
    """Return bounds as they are in a schema; empty when there are none.

    Args:
        minimum: The least value; None: no lower bound.
        maximum: The greatest value; None: no upper bound.
        exclusive: The bounds that are not themselves allowed: "min", "max", or both.
    """
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
