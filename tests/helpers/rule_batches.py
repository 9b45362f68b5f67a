"""Updates of points of one stream, as a link brings them."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from helm_sdk.protocol.messages import Batch, PointGroup, StreamDef
from helm_sdk.protocol.updates import BatchUpdate
from helpers.updates import batch_update


def batch(first: int, values: Sequence[float], attempt: int = 1) -> BatchUpdate:
    """Points of train/loss, one a step and second."""
    count = len(values)
    group = PointGroup(
        streams=(0,),
        steps=struct.pack(f"<{count}q", *range(first, first + count)),
        times=struct.pack(f"<{count}d", *(float(first + row) for row in range(count))),
        values=struct.pack(f"<{count}d", *values),
    )
    defs = (StreamDef(id=0, name="train/loss"),)
    made = Batch(process="rank-0", attempt=attempt, seq=first + 1, streams=defs, groups=(group,))
    return batch_update(made, True)
