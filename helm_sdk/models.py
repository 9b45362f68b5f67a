"""What a script imports to declare controls: capabilities, contexts, and builders of input schemas."""

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
