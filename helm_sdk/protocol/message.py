"""The base class of every message."""

from __future__ import annotations

import msgspec


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A struct that ignores unknown fields when decoded; fields added later need a default."""
