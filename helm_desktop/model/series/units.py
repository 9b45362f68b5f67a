"""The unit that a stream's name tells, where its run declares none."""

from __future__ import annotations

_ENDINGS = (  # the longest that fits comes first
    ("_bytes_per_s", "B/s"),
    ("_bytes", "B"),
    ("_percent", "%"),
    ("_time_s", "s"),
    ("_seconds", "s"),
)
_OF_MACHINES = (("_c", "°C"), ("_w", "W"))  # too short to be trusted elsewhere
_MACHINES = "system/"


def unit_of(name: str) -> str:
    """B for system/memory_used_bytes, °C for system/gpu0/temperature_c; nothing where it tells none."""
    endings = (*_ENDINGS, *_OF_MACHINES) if name.startswith(_MACHINES) else _ENDINGS
    return next((unit for ending, unit in endings if name.endswith(ending)), "")
