"""What an input takes, in words."""

from __future__ import annotations

from helm_sdk._cli.output import compact
from helm_sdk.protocol.errors import SchemaError
from helm_sdk.protocol.kinds import (
    MISSING,
    Bounds,
    Duration,
    Enum,
    Field,
    ListOf,
    MapOf,
    Mixture,
    Node,
    Record,
    Scalar,
    Schedule,
    Tensors,
    Unknown,
    parse,
)
from helm_sdk.protocol.messages import Capability


def input_in_words(capability: Capability) -> str:
    """Return one line for what a control takes."""
    if not capability.input_schema:
        return "no input"
    try:
        return in_words(parse(capability.input_schema))
    except SchemaError as error:
        return f"its schema is wrong: {error}"


def in_words(node: Node) -> str:
    """Return one node in words."""
    if isinstance(node, Record):
        return _record(node)
    if isinstance(node, Scalar):
        unit = f" {node.unit}" if node.unit else ""
        return f"{node.type}{_bounds(node.bounds)}{unit}"
    if isinstance(node, Enum):
        return "one of " + ", ".join(compact(value) for value in node.values)
    if isinstance(node, ListOf):
        return f"list of {in_words(node.item)}"
    if isinstance(node, MapOf):
        return f"map of {in_words(node.value)}"
    if isinstance(node, Schedule):
        return f"keyframes over {node.axis}{_bounds(node.bounds)}"
    if isinstance(node, Mixture):
        return "mixture of " + ", ".join(node.components)
    if isinstance(node, Duration):
        return f"seconds{_bounds(node.bounds)}"
    if isinstance(node, Tensors):
        return "selection of tensors"
    return f"{node.kind} (unknown here)" if isinstance(node, Unknown) else "any JSON"


def _record(node: Record) -> str:
    if not node.fields:
        return "no input"
    parts = [_field(part) for part in node.fields]
    choice = f"; one of {', '.join(node.one_of)}" if node.one_of else ""
    return "{" + ", ".join(parts) + "}" + choice


def _field(part: Field) -> str:
    words = f"{part.name}: {in_words(part.type)}"
    if part.default is not MISSING:
        return f"{words} = {compact(part.default)}"
    return f"{words} (optional)" if part.optional else words


def _bounds(bounds: Bounds) -> str:
    low = "" if bounds.min is None else f" {'>' if bounds.exclusive_min else '≥'} {bounds.min}"
    high = "" if bounds.max is None else f" {'<' if bounds.exclusive_max else '≤'} {bounds.max}"
    return low + high
