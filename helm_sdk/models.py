"""Names that a script imports to declare controls: capabilities, contexts, and builders of input schemas.

Example of a control that sets one number:

    from helm_sdk.models import Capability, field, number, record_schema

    weight = Capability(name="aux_weight", input_schema=record_schema(field("value", number(0, 1))))
    run.on("step", weight, lambda value, context: set_weight(value["value"]))
"""

from __future__ import annotations

from helm_sdk._controls.safe_points import Applied, CommandContext
from helm_sdk.protocol.kinds import (
    boolean,
    duration,
    enum_of,
    field,
    integer,
    list_of,
    map_of,
    mixture,
    number,
    opaque_schema,
    record_of,
    record_schema,
    schedule,
    schema,
    string,
)
from helm_sdk.protocol.messages import Capability

__all__ = [
    "Applied",
    "Capability",
    "CommandContext",
    "boolean",
    "duration",
    "enum_of",
    "field",
    "integer",
    "list_of",
    "map_of",
    "mixture",
    "number",
    "opaque_schema",
    "record_of",
    "record_schema",
    "schedule",
    "schema",
    "string",
]
