"""News of a run for boards in tests."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from helm_desktop.model.run.updates import BatchNews
from helm_sdk.protocol.messages import Batch, PointGroup, StreamDef

STEPS = 50


def logged(names: Sequence[str], seq: int = 1, count: int = STEPS) -> BatchNews:
    """Every stream with so many points, each value its step."""
    streams = tuple(StreamDef(id=number, name=name) for number, name in enumerate(names))
    steps = struct.pack(f"<{count}q", *range(count))
    times = struct.pack(f"<{count}d", *map(float, range(count)))
    values = struct.pack(f"<{count}d", *map(float, range(count)))
    group = PointGroup(streams=tuple(range(len(names))), steps=steps, times=times, values=values * len(names))
    return BatchNews(Batch(process="rank-0", attempt=1, seq=seq, streams=streams, groups=(group,)))
