"""What every message is."""

from __future__ import annotations

import msgspec


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A struct that ignores unknown fields and gives every new field a default."""
