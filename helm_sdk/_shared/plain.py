"""Conversion of a script's values to plain JSON values; what JSON cannot represent becomes its repr."""

from __future__ import annotations

import argparse
import dataclasses
import enum
from collections.abc import Mapping, Sequence, Set
from pathlib import PurePath
from typing import Any

from helm_sdk._shared.secrets import HIDDEN, hide_in_text, is_secret_setting

_MAX_DEPTH = 24
_INT_MIN, _INT_MAX = -(1 << 63), (1 << 64) - 1


class PlainConverter:
    """Converts values to plain JSON and MessagePack values. `odd`: paths of values that became a repr."""

    def __init__(self) -> None:
        self.odd: list[str] = []

    def plain(self, value: Any, path: str = "", depth: int = 0) -> Any:
        """Return the value itself where JSON can say it; a copy, so that a later change does not show."""
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, enum.Enum):
            return self.plain(value.value, path, depth + 1)
        if isinstance(value, int):
            return int(value) if _INT_MIN <= value <= _INT_MAX else self._repr(value, path)
        if isinstance(value, float):
            return float(value)
        if isinstance(value, str):
            return _text(value)
        if isinstance(value, PurePath):
            return _text(str(value))
        if depth >= _MAX_DEPTH:
            return self._repr(value, path)
        try:
            return self._container(value, path, depth)
        except Exception:
            return self._repr(value, path)

    def _container(self, value: Any, path: str, depth: int) -> Any:
        if isinstance(value, Mapping):
            return self._mapping(value, path, depth)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            fields = {item.name: getattr(value, item.name) for item in dataclasses.fields(value)}
            return self._mapping(fields, path, depth)
        if isinstance(value, argparse.Namespace):
            return self._mapping(vars(value), path, depth)
        if isinstance(value, Sequence | Set) and not isinstance(value, bytes | bytearray | memoryview):
            return [self.plain(item, f"{path}[{place}]", depth + 1) for place, item in enumerate(value)]
        if hasattr(value, "model_dump"):
            return self._mapping(value.model_dump(), path, depth)
        if hasattr(value, "item") and _is_scalar(value):
            return self.plain(value.item(), path, depth + 1)
        return self._repr(value, path)

    def _mapping(self, value: Mapping[Any, Any], path: str, depth: int) -> dict[str, Any]:
        return {
            _text(str(key)): self.plain(item, f"{path}.{key}" if path else str(key), depth + 1)
            for key, item in value.items()
        }

    def _repr(self, value: Any, path: str) -> str:
        self.odd.append(path or type(value).__name__)
        try:
            return _text(repr(value)[:2000])
        except Exception:
            return f"<{type(value).__name__}>"


def to_json(value: Any) -> Any:
    """Return a value as plain JSON values; what JSON cannot represent becomes its repr."""
    return PlainConverter().plain(value)


def config_of(config: Any) -> tuple[dict[str, Any], list[str]]:
    """Return (the configuration as a JSON object, secrets hidden; paths of the values that became a repr)."""
    if config is None:
        return {}, []
    converter = PlainConverter()
    plain = converter.plain(config)
    if not isinstance(plain, dict):
        plain = {"config": plain}
    hidden: dict[str, Any] = _hide(plain)
    return hidden, converter.odd


def _is_scalar(value: Any) -> bool:
    """Return True when a NumPy or torch value holds one element."""
    count = value.numel() if hasattr(value, "numel") else getattr(value, "size", 1)
    return bool(count == 1)


def _hide(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        return {key: _hide(item, key) for key, item in value.items()}
    if isinstance(value, list):
        return [_hide(item, name) for item in value]
    if isinstance(value, str) and value:
        return HIDDEN if is_secret_setting(name) else hide_in_text(value)
    return value


def _text(value: str) -> str:
    return value.encode("utf-8", "backslashreplace").decode()
