"""Updates of a run for boards in tests."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from helm_sdk.protocol.messages import Batch, PointGroup, StreamDef
from helm_sdk.protocol.updates import BatchUpdate
from helpers.updates import batch_update

STEPS = 50


def logged(names: Sequence[str], seq: int = 1, count: int = STEPS) -> BatchUpdate:
    """Every stream with so many points, each value its step."""
    streams = tuple(StreamDef(id=number, name=name) for number, name in enumerate(names))
    steps = struct.pack(f"<{count}q", *range(count))
    times = struct.pack(f"<{count}d", *map(float, range(count)))
    values = struct.pack(f"<{count}d", *map(float, range(count)))
    group = PointGroup(streams=tuple(range(len(names))), steps=steps, times=times, values=values * len(names))
    return batch_update(Batch(process="rank-0", attempt=1, seq=seq, streams=streams, groups=(group,)))
