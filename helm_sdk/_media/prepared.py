"""A rich value between the loop and its files."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LARGEST = 128 << 20  # bytes of one value, and of all that wait


class Unfit(Exception):
    """One sentence on why a value cannot be kept."""


@dataclass
class Encoded:
    """What is written: files by extension, the main one first, and what the event says of them."""

    files: list[tuple[str, bytes]]
    body: dict[str, Any] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)  # by cause, each told once for its name


@dataclass(frozen=True)
class Prepared:
    """A copy that no longer changes, how many bytes it holds, and how it becomes files."""

    size: int
    encode: Callable[[], Encoded]


def check_size(size: int) -> None:
    """Raises Unfit for what is too large to be copied within the loop."""
    if size > LARGEST:
        raise Unfit(f"it holds {size >> 20} MB, a value may hold {LARGEST >> 20}")


def file_bytes(value: Any) -> bytes | None:
    """Return the content when `value` is bytes, or the path of a file; None when it is neither."""
    if isinstance(value, memoryview) and (value.ndim != 1 or value.itemsize != 1):
        return None  # numbers
    if isinstance(value, bytes | bytearray | memoryview):
        check_size(len(value))
        return bytes(value)
    if not isinstance(value, str | os.PathLike):
        return None
    path = Path(os.fsdecode(value))
    try:
        check_size(path.stat().st_size)
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise Unfit(f"the file cannot be read: {error}") from None


def counted(count: int, noun: str) -> str:
    """ "1 value is", "3 values are"."""
    return f"{count:,} {noun} is" if count == 1 else f"{count:,} {noun}s are"
