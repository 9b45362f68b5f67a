"""Read and write JSON files; a reader sees the whole old file or the whole new one."""

from __future__ import annotations

import json
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from helm_sdk.protocol.messages import Message
from helm_sdk.record import private
from helm_sdk.record.errors import DamagedFile, from_os

_M = TypeVar("_M", bound=Message)


def stamp_of(path: Path) -> tuple[int, int, int] | None:
    """Return a value that changes when the file is written; None when it cannot be seen."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size, stat.st_ino


def read_plain(path: Path) -> dict[str, Any] | None:
    """Return the object in a file; None when there is no file. Raises DamagedFile for other content."""
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise from_os(error, path) from None
    except (ValueError, RecursionError) as error:
        raise DamagedFile(f"{path} is not JSON: {error}") from None
    if not isinstance(plain, dict):
        raise DamagedFile(f"{path} does not hold an object")
    return plain


def read_message(path: Path, kind: type[_M]) -> _M | None:
    """Return the record in a file; None when there is no such file. Unknown fields are ignored."""
    plain = read_plain(path)
    if plain is None:
        return None
    try:
        return msgspec.convert(plain, kind)
    except msgspec.ValidationError as error:
        raise DamagedFile(f"{path} does not fit: {error}") from None


def write_plain(path: Path, plain: object, *, sync: bool = True) -> None:
    """Replace a file by this object. sync: write it through to the disk before returning."""
    data = _encode(plain)
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(3)}")
    try:
        private.make_folder(path.parent)
        with open(temporary, "wb", opener=private.opener) as file:
            file.write(data)
            if sync:
                file.flush()
                os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        raise from_os(error, path) from None


def write_message(path: Path, message: Message, *, sync: bool = True) -> None:
    """Replace a file by this record; `sync` as in `write_plain`."""
    write_plain(path, msgspec.to_builtins(message), sync=sync)


def _encode(plain: object) -> bytes:
    try:
        return (json.dumps(plain, ensure_ascii=False, indent=2) + "\n").encode()
    except UnicodeEncodeError:  # a lone surrogate is JSON only as an escape
        return (json.dumps(plain, indent=2) + "\n").encode()
