"""The unit of a stream by its name, for streams that declare none."""

from __future__ import annotations

_ENDINGS = (  # longer endings before shorter ones
    ("_bytes_per_s", "B/s"),
    ("_bytes", "B"),
    ("_percent", "%"),
    ("_time_s", "s"),
    ("_seconds", "s"),
)
_SYSTEM_ENDINGS = (("_c", "°C"), ("_w", "W"))  # too short to be reliable in other names
_SYSTEM = "system/"


def unit_of(name: str) -> str:
    """Return the unit: B for system/memory_used_bytes, °C for system/gpu0/temperature_c; empty for others."""
    endings = (*_ENDINGS, *_SYSTEM_ENDINGS) if name.startswith(_SYSTEM) else _ENDINGS
    return next((unit for ending, unit in endings if name.endswith(ending)), "")
