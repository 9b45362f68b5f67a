"""The streams of a run, in order, and the steps that they cover."""

from __future__ import annotations

import struct

from helm_desktop.model.run.group_ends import group_ends
from helm_desktop.model.run.streams import RunStreams
from helm_sdk.protocol.messages import Batch, PointGroup, StreamDef


def group(*steps: int) -> PointGroup:
    rows = len(steps)
    return PointGroup(
        streams=(1,),
        steps=struct.pack(f"<{rows}q", *steps),
        times=struct.pack(f"<{rows}d", *(1000.0 + step for step in steps)),
        values=struct.pack(f"<{rows}d", *map(float, steps)),
    )


def batch(streams: tuple[StreamDef, ...] = (), *groups: PointGroup) -> Batch:
    return Batch(process="rank-0", attempt=1, seq=1, streams=streams, groups=groups)


def test_that_the_first_and_the_last_row_are_read() -> None:
    assert group_ends(group(3, 4, 9)) == ((3, 1003.0), (9, 1009.0))
    assert group_ends(group(7)) == ((7, 1007.0), (7, 1007.0))


def test_that_streams_keep_their_order_and_an_axis_is_no_chart() -> None:
    streams = RunStreams()
    assert streams.add(batch((StreamDef(id=2, name="b"), StreamDef(id=1, name="tokens", kind="axis"))))
    assert streams.add(batch((StreamDef(id=3, name="a"),)))
    assert not streams.add(batch((StreamDef(id=2, name="b"),)))
    assert streams.names == ["b", "a"]


def test_that_the_reach_grows_to_both_sides() -> None:
    streams = RunStreams()
    assert streams.step_range is None
    streams.add(batch((), group(10, 20)))
    assert streams.step_range == (10, 20)
    streams.add(batch((), group(5, 7), group(30)))
    assert streams.step_range == (5, 30)
    streams.add(batch((), group(12)))
    assert streams.step_range == (5, 30)
