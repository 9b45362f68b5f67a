"""How helmctl writes: tables, JSON without NaN, times and values in words."""

from __future__ import annotations

import dataclasses
import json
import math
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from helm_sdk.record.reader import ProcessReader
    from helm_sdk.record.run import RunFolder


class UsageMistake(Exception):
    """What the user asked cannot be done; the text is one line."""


def print_json(value: Any, *, indent: int | None = 2) -> None:
    """Write a value as JSON; numbers that JSON cannot say become "nan", "inf" and "-inf"."""
    json.dump(plain(value), sys.stdout, indent=indent, ensure_ascii=not writes_unicode(), allow_nan=False)
    print()


def plain(value: Any) -> Any:
    """Structs, dataclasses and odd numbers as what JSON can say."""
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, msgspec.Struct):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    if dataclasses.is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    known = value is None or isinstance(value, str | int | float)
    return value if known else str(value)


def compact(value: Any, width: int | None = None) -> str:
    """Return a value on one line, cut to a width."""
    text = json.dumps(plain(value), ensure_ascii=False)
    return text if width is None or len(text) <= width else text[: width - 1] + "…"


def number(value: float | int | None) -> str:
    """Return a figure to read, not to compute with."""
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def moment(seconds: float) -> str:
    """Return a wall-clock time in the local zone."""
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))
    except (OverflowError, ValueError, OSError):
        return repr(seconds)


WIDEST = 80  # of a cell of a table: names, notes and reasons may be as long as they like


def shorten(text: str, width: int = WIDEST) -> str:
    """Return a text on one line that is cut to a width, with … where something is left out."""
    line = " ".join(str(text).split()) if "\n" in str(text) else str(text)
    return line if len(line) <= width else line[: width - 1] + "…"


def print_table(heads: Sequence[str], rows: Iterable[Sequence[str]], indent: str = "") -> None:
    """Columns as wide as they need to be, long cells shortened; the last one is not padded."""
    cells = [[clean(shorten(cell)) for cell in row] for row in rows]
    widths = [max(len(row[index]) for row in [list(heads), *cells]) for index in range(len(heads))]
    for row in [list(heads), *cells]:
        padded = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        print((indent + "  ".join(padded)).rstrip())


def clean(text: str) -> str:
    """Return text that cannot move a terminal's cursor."""
    return "".join(letter if letter.isprintable() else "�" for letter in str(text))


def size(count: float) -> str:
    """Bytes in words."""
    for unit in ("B", "KB", "MB", "GB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} TB"


def run_argument(parser: Any) -> None:
    """The RUN that most subcommands take."""
    parser.add_argument(
        "run", metavar="RUN", help="id, the beginning of one, name, path, or latest (the newest)"
    )


def json_option(parser: Any) -> None:
    """The --json that subcommands with data take."""
    parser.add_argument("--json", action="store_true", help="write JSON instead of text")


def absolute(path: Path | None) -> Path | None:
    """Return the path of a home, with ~ resolved."""
    return None if path is None else path.expanduser().absolute()


def open_readers(folder: RunFolder) -> tuple[list[ProcessReader], list[str]]:
    """Return a reader for each process file, and a line for each file that cannot be read."""
    from helm_sdk.record.errors import NotBegun, RecordError
    from helm_sdk.record.reader import ProcessReader

    readers, problems = [], []
    for file in folder.process_files():
        try:
            readers.append(ProcessReader(file.path))
        except NotBegun:
            continue
        except RecordError as error:
            problems.append(f"{file.path.name} cannot be read: {error}")
    return readers, problems


def to_json_text(value: object) -> str:
    """Return JSON that standard output can write: letters that its encoding lacks are escaped."""
    return json.dumps(value, ensure_ascii=not writes_unicode())


def writes_unicode() -> bool:
    """Return True when standard output can write every letter."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return encoding.lower().replace("-", "").replace("_", "").startswith("utf")
