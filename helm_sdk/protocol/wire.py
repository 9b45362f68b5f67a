"""Encode messages to frames and decode them, with limits of size and depth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import msgpack
import msgspec

from helm_sdk.protocol.errors import WireError
from helm_sdk.protocol.messages import PUBLISHED, REPLIES, REQUESTS, TYPE_NAMES, Batch, Message

MAX_BATCH_BYTES = 64 * 1024
MAX_BODY_BYTES = 32 * 1024 * 1024
MAX_DEPTH = 48
MAX_ITEMS = 1_000_000
MAX_TEXT_BYTES = 4 * 1024 * 1024

_BATCH = msgspec.msgpack.Encoder()
_M = TypeVar("_M", bound=Message)


def pack(value: object) -> bytes:
    """Return plain values as MessagePack. Raises WireError for integers over 64 bits and lone surrogates."""
    try:
        packed = msgpack.packb(value, use_bin_type=True)
    except (OverflowError, UnicodeEncodeError, TypeError, ValueError) as error:
        raise WireError(f"this value cannot be sent: {error}") from None
    if not isinstance(packed, bytes):
        raise WireError("this value cannot be sent: the packer gave no bytes")
    return packed


def unpack(body: bytes) -> Any:
    """Return the plain values in MessagePack. Raises WireError above the limits of size, depth and length."""
    if len(body) > MAX_BODY_BYTES:
        raise WireError(f"a body of {len(body)} bytes is over the limit of {MAX_BODY_BYTES}")
    try:
        value = msgpack.unpackb(
            body,
            raw=False,
            strict_map_key=False,
            max_array_len=MAX_ITEMS,
            max_map_len=MAX_ITEMS,
            max_str_len=MAX_TEXT_BYTES,
            max_bin_len=MAX_BODY_BYTES,
            max_ext_len=0,
        )
    except (ValueError, TypeError, RecursionError, msgpack.UnpackException) as error:
        raise WireError(f"a body is not MessagePack within the limits: {error}") from None
    _check_depth(value)
    return value


def encode(message: Message) -> bytes:
    """Return the body of a message."""
    if isinstance(message, Batch) and not message.events and not message.catalogues:
        try:
            return _BATCH.encode(message)  # it holds typed fields only: the same bytes, faster
        except (OverflowError, UnicodeEncodeError, TypeError, ValueError) as error:
            raise WireError(f"this value cannot be sent: {error}") from None
    return pack(msgspec.to_builtins(message, builtin_types=(bytes,)))


def decode(body: bytes, kind: type[_M]) -> _M:
    """Return a message from its body. Raises WireError when the body does not fit."""
    plain = unpack(body)
    try:
        return msgspec.convert(plain, kind, builtin_types=(bytes,))
    except (msgspec.ValidationError, ValueError, TypeError, RecursionError) as error:
        raise WireError(f"a {TYPE_NAMES.get(kind, kind.__name__)} message does not fit: {error}") from None


def frames(topic: str, message: Message) -> list[bytes]:
    """Return the frames [topic, type, body] of a message; the topic is the run's id."""
    return [topic.encode(), TYPE_NAMES[type(message)].encode(), encode(message)]


def read_published(parts: Sequence[bytes]) -> tuple[str, Message] | None:
    """Return (run id, message) from frames of PUB; None for a type that this version does not know."""
    return _read(parts, PUBLISHED)


def read_request(parts: Sequence[bytes]) -> tuple[str, Message] | None:
    """Return (run id, request) from a client's frames; None for an unknown type."""
    return _read(parts, REQUESTS)


def read_reply(parts: Sequence[bytes]) -> tuple[str, Message] | None:
    """Return (run id, reply) from a process's frames; None for an unknown type."""
    return _read(parts, REPLIES)


def _read(parts: Sequence[bytes], table: dict[str, type[Message]]) -> tuple[str, Message] | None:
    if len(parts) != 3:
        raise WireError(f"a message has 3 frames, this one has {len(parts)}")
    try:
        topic, name = parts[0].decode(), parts[1].decode("ascii")
    except UnicodeDecodeError:
        raise WireError("a message's first two frames are text, these are not") from None
    kind = table.get(name)
    if kind is None:
        return None
    return topic, decode(parts[2], kind)


def _check_depth(value: Any) -> None:
    """Raise WireError for nesting over MAX_DEPTH, before a recursive function reads the value."""
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH + 1):
        deeper: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                deeper.extend(child for child in item.values() if isinstance(child, dict | list))
            elif isinstance(item, list):
                deeper.extend(child for child in item if isinstance(child, dict | list))
        if not deeper:
            return
        level = deeper
    raise WireError(f"a body is nested deeper than {MAX_DEPTH} levels")
