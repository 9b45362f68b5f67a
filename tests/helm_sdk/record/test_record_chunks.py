"""Columns and chunks: bit for bit, and cut exactly."""

from __future__ import annotations

import struct
import sys
from itertools import accumulate

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helm_sdk.protocol.messages import PointGroup
from helm_sdk.record.chunks import (
    Chunk,
    ChunkPart,
    join_chunks,
    pack_body,
    pack_parts,
    unpack_body,
    unpack_parts,
)
from helm_sdk.record.errors import DamagedFile
from helm_sdk.record.packed_columns import (
    compress_integers,
    expand_integers,
    integers,
    pack_floats,
    pack_integers,
)

STEPS = st.integers(-(2**63), 2**63 - 1)


@pytest.fixture(params=["with numpy", "without"])
def numbers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns are expanded by numpy where somebody has it, and without it."""
    if request.param == "without":
        monkeypatch.delitem(sys.modules, "numpy", raising=False)
    else:
        pytest.importorskip("numpy")


@pytest.mark.usefixtures("numbers")
@given(st.lists(STEPS, max_size=30) | st.lists(st.integers(-(2**12), 2**12), max_size=30))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_that_steps_come_back_whatever_they_are(steps: list[int]) -> None:
    raw = pack_integers(steps)
    assert expand_integers(*compress_integers(raw), len(steps)) == raw


@pytest.mark.usefixtures("numbers")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(-(2**40), 2**40), st.integers(-1000, 1000), st.integers(1, 500))
def test_that_arithmetic_steps_take_sixteen_bytes(first: int, stride: int, count: int) -> None:
    raw = pack_integers([first + stride * index for index in range(count)])
    encoding, packed = compress_integers(raw)
    assert len(packed) == 16
    assert expand_integers(encoding, packed, count) == raw


def test_that_uneven_steps_are_kept_as_narrow_differences() -> None:
    steps = [0, 1, 3, 4, 9, 10, 8, 8, 200]
    _, packed = compress_integers(pack_integers(steps))
    assert len(packed) == 8 + 2 * 8


@st.composite
def chunks(draw: st.DrawFn) -> Chunk:
    """A chunk of one to three streams with a few parts."""
    width = draw(st.integers(1, 3))
    seq, place = draw(st.integers(1, 2**40)), 0
    parts = []
    for _ in range(draw(st.integers(1, 12))):
        if draw(st.booleans()):
            seq, place = seq + draw(st.integers(1, 1000)), draw(st.integers(0, 3))
        else:
            place += 1
        parts.append(ChunkPart(seq, place, draw(st.integers(1, 4))))
    rows = sum(part.rows for part in parts)
    steps = pack_integers(draw(st.lists(STEPS, min_size=rows, max_size=rows)))
    times = draw(st.binary(min_size=rows * 8, max_size=rows * 8))
    values = draw(st.binary(min_size=rows * 8 * width, max_size=rows * 8 * width))
    return Chunk(
        tuple(parts), PointGroup(streams=tuple(range(width)), steps=steps, times=times, values=values)
    )


@given(chunks())
def test_that_a_chunk_comes_back_bit_for_bit(chunk: Chunk) -> None:
    assert unpack_body(pack_body(chunk.group), chunk.group.streams) == chunk.group
    assert unpack_parts(pack_parts(chunk.parts, chunk.first_seq), chunk.first_seq) == chunk.parts


@given(st.floats(1.0e9, 2.0e9), st.lists(st.floats(0.0, 30.0), min_size=20, max_size=60))
def test_that_times_come_back_bit_for_bit_in_half_their_room(start: float, pauses: list[float]) -> None:
    times = pack_floats(accumulate(pauses, initial=start))
    rows = len(times) // 8
    group = PointGroup(streams=(1,), steps=pack_integers(range(rows)), times=times, values=bytes(8 * rows))
    body = pack_body(group)
    assert unpack_body(body, (1,)) == group
    assert len(body) <= 32 + 8 + 4 * rows + 8 * rows


def test_that_the_times_of_a_quick_loop_take_two_bytes() -> None:
    times = pack_floats(1.7e9 + step / 1_000 for step in range(4_000))
    group = PointGroup(streams=(1,), steps=pack_integers(range(4_000)), times=times, values=bytes(32_000))
    body = pack_body(group)
    assert unpack_body(body, (1,)) == group
    assert len(body) < 10.1 * 4_000


def test_that_a_body_of_the_first_version_is_read() -> None:
    times = pack_floats([1.5, 2.5])
    steps = pack_integers([7, 8])
    body = struct.pack("<BBHIII", 1, 1, 0, 1, 2, 16) + steps + times + pack_floats([0.25, -0.0])
    assert unpack_body(body, (1,)) == PointGroup(
        streams=(1,), steps=steps, times=times, values=pack_floats([0.25, -0.0])
    )


@given(chunks(), st.data())
def test_that_two_halves_join_to_the_whole(chunk: Chunk, data: st.DataObject) -> None:
    middle = data.draw(st.integers(chunk.first_seq - 1, chunk.last_seq))
    halves = [chunk.cut(0, middle), chunk.cut(middle, chunk.last_seq)]
    assert join_chunks([half for half in halves if half is not None]) == chunk
    for half, numbers in zip(halves, ((0, middle), (middle, chunk.last_seq)), strict=True):
        for part in half.parts if half is not None else ():
            assert numbers[0] < part.seq <= numbers[1]


@given(chunks())
def test_that_the_pieces_of_a_chunk_are_its_parts(chunk: Chunk) -> None:
    pieces = list(chunk.pieces())
    assert [piece.parts for piece in pieces] == [(part,) for part in chunk.parts]
    assert [piece.group.rows for piece in pieces] == [part.rows for part in chunk.parts]
    assert join_chunks(pieces) == chunk


@given(chunks(), st.data())
def test_that_a_body_cut_short_is_told_as_damage(chunk: Chunk, data: st.DataObject) -> None:
    body = pack_body(chunk.group)
    with pytest.raises(DamagedFile):
        unpack_body(body[: data.draw(st.integers(0, len(body) - 1))], chunk.group.streams)


def test_that_many_like_parts_take_little_room() -> None:
    parts = [ChunkPart(seq, 0, 1) for seq in range(1, 4097)]
    assert len(pack_parts(parts, 1)) < 300


def test_that_steps_are_read_as_they_were_written() -> None:
    assert list(integers(pack_integers([-1, 2**62]))) == [-1, 2**62]
