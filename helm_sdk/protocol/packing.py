"""Pack items into batches of at most 64 KB with consecutive sequence numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from helm_sdk.protocol import wire
from helm_sdk.protocol.errors import WireError
from helm_sdk.protocol.messages import Batch, Catalogue, Event, PointGroup, StreamDef

_CAPACITY = wire.MAX_BATCH_BYTES - 4 * 1024  # the rest is the batch's own fields
_LARGEST_EVENT = 2 << 20
_LARGEST_CATALOGUE = wire.MAX_BODY_BYTES // 2
Item = StreamDef | PointGroup | Event | Catalogue


def size_of(item: Item) -> int:
    """Return about how many bytes an item takes in a batch."""
    if isinstance(item, PointGroup):
        return len(item.steps) + len(item.times) + len(item.values) + 5 * len(item.streams) + 64
    if isinstance(item, StreamDef):
        return 4 * len(item.name) + 64
    return len(wire.encode(item)) + 16


def cut(items: Iterable[Item], process: str, attempt: int, last_seq: int) -> Iterator[Batch]:
    """Yield batches with the items in order; an item larger than a batch gets one of its own."""
    held: list[Item] = []
    free = _CAPACITY
    for item in items:
        size = size_of(item)
        if held and size > free:
            last_seq += 1
            yield _batch(held, process, attempt, last_seq)
            held, free = [], _CAPACITY
        held.append(item)
        free -= size
    if held:
        yield _batch(held, process, attempt, last_seq + 1)


def sendable(item: Event | Catalogue) -> bool:
    """Return True when an item can be encoded and is not too large."""
    most = _LARGEST_EVENT if isinstance(item, Event) else _LARGEST_CATALOGUE
    try:
        return len(wire.encode(item)) <= most
    except WireError:
        return False


def bytes_in(batches: Iterable[Batch]) -> int:
    """Return about how many bytes batches take in memory."""
    return sum(
        sum(size_of(group) for group in batch.groups) + 200 * len(batch.streams) + 1000 for batch in batches
    )


def points_in(batches: Iterable[Batch]) -> int:
    """Return how many points batches hold."""
    return sum(len(group.values) // 8 for batch in batches for group in batch.groups)


def _batch(items: list[Item], process: str, attempt: int, seq: int) -> Batch:
    parts: dict[type[Any], list[Any]] = {StreamDef: [], PointGroup: [], Event: [], Catalogue: []}
    for item in items:
        parts[type(item)].append(item)
    return Batch(
        process=process,
        attempt=attempt,
        seq=seq,
        streams=tuple(parts[StreamDef]),
        groups=tuple(parts[PointGroup]),
        events=tuple(parts[Event]),
        catalogues=tuple(parts[Catalogue]),
    )
