"""What a script imports to declare controls: capabilities, contexts, and builders of input schemas."""

from __future__ import annotations

from helm_sdk._safe_points import Applied, CommandContext
from helm_sdk.protocol.kinds import opaque_schema, record_schema
from helm_sdk.protocol.messages import Capability

__all__ = ["Applied", "Capability", "CommandContext", "opaque_schema", "record_schema"]
