"""Step and time of the first and the last row of a point group, without decoding the other rows."""

from __future__ import annotations

import struct

from helm_sdk.protocol.messages import PointGroup

Row = tuple[int, float]  # step, time


def group_ends(group: PointGroup) -> tuple[Row, Row]:
    """Return step and time of the first row, and those of the last row."""
    return _row(group, slice(0, 8)), _row(group, slice(-8, None))


def _row(group: PointGroup, cut: slice) -> Row:
    (step,), (time,) = struct.unpack("<q", group.steps[cut]), struct.unpack("<d", group.times[cut])
    return step, time
