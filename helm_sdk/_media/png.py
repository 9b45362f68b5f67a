"""PNG written with nothing but zlib, and the size of a PNG or JPEG read from its head."""

from __future__ import annotations

import struct
import zlib

_COLOUR = {1: 0, 3: 2, 4: 6}  # channels -> PNG colour type
_HEAD = b"\x89PNG\r\n\x1a\n"


def encode_png(width: int, height: int, channels: int, data: bytes) -> bytes:
    """Eight bits a channel; `data` holds height × width × channels bytes."""
    row = width * channels
    lines = b"".join(b"\0" + data[at : at + row] for at in range(0, row * height, row))
    header = struct.pack(">IIBBBBB", width, height, 8, _COLOUR[channels], 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(lines, 4)), (b"IEND", b""))
    return _HEAD + b"".join(_chunk(kind, body) for kind, body in parts)


def picture_kind(data: bytes) -> str:
    """ "png", "jpeg", "svg", or nothing for what is none of them."""
    if data.startswith(_HEAD):
        return "png"
    if data.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    return "svg" if b"<svg" in data[:4096] else ""


def picture_size(data: bytes) -> tuple[int, int] | None:
    """(width, height) of a PNG or JPEG; None where its head does not say."""
    if data.startswith(_HEAD):
        return struct.unpack(">II", data[16:24]) if len(data) >= 24 else None
    at = 2
    while at + 9 <= len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 if marker == 0xFF else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
