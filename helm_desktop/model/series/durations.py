"""Durations as users type them: "20", "20 steps", "5 min", "1 h 30 min"."""

from __future__ import annotations

import re
from typing import Final

from helm_sdk.rules import HoldFor
from helm_sdk.rules.labels import span_words

_SPAN: Final = re.compile(r"\s*([0-9][0-9,]*(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?)\s*([a-zA-Z]*)\s*")
_UNITS: Final = {"ms": 0.001, "s": 1.0, "sec": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_STEPS: Final = ("", "step", "steps")


def parse_span(text: str) -> HoldFor | None:
    """Return the duration in a text: a number without a unit means steps. None when it cannot be read."""
    if not text.strip():
        return HoldFor()
    seconds, at = 0.0, 0
    while at < len(text):
        found = _SPAN.match(text, at)
        if found is None:
            return None
        number, unit = float(found[1].replace(",", "")), found[2].lower()
        if unit in _STEPS:
            whole = at == 0 and found.end() == len(text) and number == int(number)
            return HoldFor(steps=int(number)) if whole else None
        if unit not in _UNITS:
            return None
        seconds, at = seconds + number * _UNITS[unit], found.end()
    return HoldFor(seconds=seconds)


def typed_span(span: HoldFor) -> str:
    """Return a text that `parse_span` reads back as exactly this duration."""
    text = "0 s" if span.seconds == 0 else span_words(span)
    return text if parse_span(text) == span else f"{span.seconds!r} s"
