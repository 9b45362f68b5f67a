"""Conversion of a script's values to plain JSON values; what JSON cannot represent becomes its repr."""

from __future__ import annotations

import argparse
import dataclasses
import enum
from collections.abc import Callable, Mapping, Sequence, Set
from functools import partial
from pathlib import PurePath
from typing import Any

from helm_sdk._shared.secrets import HIDDEN, hide_in_text, is_secret_setting

_MAX_DEPTH = 24
_MOST_VALUES = 100_000  # of one configuration; what shares its parts may unfold into any number of them
_INT_MIN, _INT_MAX = -(1 << 63), (1 << 64) - 1


class PlainConverter:
    """Converts values to plain JSON and MessagePack values. `odd`: paths of values that became a repr."""

    def __init__(self) -> None:
        self.odd: list[str] = []
        self._inside: set[int] = set()  # ids of the containers around the present value
        self._left = _MOST_VALUES

    def plain(self, value: Any, path: str = "", depth: int = 0) -> Any:
        """Return a copy of a value as plain JSON values; `path` is its name in `odd`."""
        self._left -= 1
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
        if id(value) in self._inside:
            return self._left_out(path, f"<the {type(value).__name__} around this>")
        if self._left <= 0:
            return self._left_out(path, f"<{type(value).__name__}, left out: there are too many values>")
        if depth >= _MAX_DEPTH:
            return self._repr(value, path)
        self._inside.add(id(value))
        try:
            return self._container(value, path, depth)
        except Exception:
            return self._repr(value, path)
        finally:
            self._inside.discard(id(value))

    def _container(self, value: Any, path: str, depth: int) -> Any:
        if isinstance(value, Mapping):
            return self._mapping(value, path, depth)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            names = [item.name for item in dataclasses.fields(value)]
            return self._parts(names, lambda name: getattr(value, name), path, depth)
        if isinstance(value, argparse.Namespace):
            return self._mapping(vars(value), path, depth)
        if isinstance(value, Sequence | Set) and not isinstance(value, bytes | bytearray | memoryview):
            return self._sequence(value, path, depth)
        if hasattr(value, "model_dump"):
            return self._mapping(value.model_dump(), path, depth)
        if hasattr(value, "item") and _is_scalar(value):
            return self.plain(value.item(), path, depth + 1)
        return self._repr(value, path)

    def _mapping(self, value: Mapping[Any, Any], path: str, depth: int) -> dict[str, Any]:
        return self._parts(list(value), value.__getitem__, path, depth)

    def _parts(self, keys: list[Any], get: Callable[[Any], Any], path: str, depth: int) -> dict[str, Any]:
        """Return each part under its name; one that cannot be read costs no other."""
        return {
            _text(str(key)): self._part(partial(get, key), f"{path}.{key}" if path else str(key), depth)
            for key in keys
        }

    def _sequence(self, value: Sequence[Any] | Set[Any], path: str, depth: int) -> list[Any]:
        if isinstance(value, list | tuple | Set):
            return [self.plain(item, f"{path}[{place}]", depth + 1) for place, item in enumerate(value)]
        get = value.__getitem__
        return [self._part(partial(get, place), f"{path}[{place}]", depth) for place in range(len(value))]

    def _part(self, get: Callable[[], Any], path: str, depth: int) -> Any:
        try:
            value = get()
        except Exception as error:
            lines = str(error).splitlines() or [""]
            return self._left_out(path, f"<no value: {type(error).__name__}: {lines[0]}>"[:2000])
        return self.plain(value, path, depth + 1)

    def _left_out(self, path: str, text: str) -> str:
        self.odd.append(path)
        return _text(text)

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
