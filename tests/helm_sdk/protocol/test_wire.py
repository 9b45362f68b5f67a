"""Frames: what goes over a socket comes back the same, and nothing else comes in."""

from __future__ import annotations

import math
import struct

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helm_sdk.protocol import messages, wire
from helm_sdk.protocol.errors import InvalidValue, ProtocolError, SchemaError, WireError

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text() | st.binary(),
    lambda children: st.lists(children, max_size=4) | st.dictionaries(st.text(), children, max_size=4),
    max_leaves=20,
)


def same(a: object, b: object) -> bool:
    """Equal, with NaN equal to NaN and -0.0 unlike 0.0."""
    if isinstance(a, float) and isinstance(b, float):
        return struct.pack("<d", a) == struct.pack("<d", b) or (math.isnan(a) and math.isnan(b))
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    return type(a) is type(b) and a == b


@given(plain)
def test_that_plain_values_come_back_as_they_were(value: object) -> None:
    try:
        packed = wire.pack(value)
    except WireError as error:
        assert "surrogates" in str(error)
        return
    assert same(wire.unpack(packed), value)


def test_that_a_batch_can_be_read_with_messagepack_alone() -> None:
    values = struct.pack("<3d", math.nan, -0.0, math.inf)
    group = messages.PointGroup(
        streams=(4,),
        steps=struct.pack("<3q", 1, 2, 3),
        times=struct.pack("<3d", 9.0, 9.5, 10.0),
        values=values,
    )
    batch = messages.Batch(process="rank-0", attempt=2, seq=7, groups=(group,))
    topic, kind, body = wire.frames("run", batch)
    read = msgpack.unpackb(body)
    assert (topic, kind) == (b"run", b"batch")
    assert (read["process"], read["attempt"], read["seq"]) == ("rank-0", 2, 7)
    assert read["groups"][0]["values"] == values
    assert struct.unpack("<3q", read["groups"][0]["steps"]) == (1, 2, 3)
    assert wire.read_published([topic, kind, body]) == ("run", batch)


def test_that_bytes_stay_bytes_and_text_stays_text() -> None:
    part = messages.FilePart(request="1", path="a b", offset=0, size=3, data=b"\xff\x00Zg==")
    assert wire.read_reply(wire.frames("run", part)) == ("run", part)


def test_that_unknown_fields_are_ignored_and_unknown_types_skipped() -> None:
    body = msgpack.packb({"process": "p", "attempt": 1, "last_seq": 4, "time": 1.0, "new_field": [1]})
    read = wire.read_published([b"run", b"heartbeat", body])
    assert read is not None
    assert read[1] == messages.Heartbeat(process="p", attempt=1, last_seq=4, time=1.0)
    assert wire.read_published([b"run", b"from-the-future", b"\xc1"]) is None


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xc1",
        b"\x91" * 60 + b"\x01",
        b"\x91" * 5000 + b"\x01",
        b"\xdd\xff\xff\xff\xff",
        b"\xdf\xff\xff\xff\xff",
        b"\xdb\xff\xff\xff\xff",
        msgpack.packb([1, 2]),
        msgpack.packb({"process": 3}),
        msgpack.packb({"process": "p", "attempt": "one", "last_seq": 1, "time": 1}),
    ],
)
def test_that_a_body_that_does_not_fit_is_a_wire_error(body: bytes) -> None:
    with pytest.raises(WireError):
        wire.read_published([b"run", b"heartbeat", body])


@given(st.lists(st.binary(max_size=200), max_size=5))
def test_that_random_frames_raise_nothing_but_wire_errors(parts: list[bytes]) -> None:
    for read in (wire.read_published, wire.read_request, wire.read_reply):
        try:
            read(parts)
        except WireError as error:
            assert str(error)


@pytest.mark.parametrize("value", [2**64, -(2**63) - 1, "\ud800", {1, 2}])
def test_that_what_other_languages_cannot_read_is_refused_before_packing(value: object) -> None:
    with pytest.raises(WireError, match="cannot be sent"):
        wire.pack(value)


@pytest.mark.parametrize("kind", [WireError, SchemaError])
def test_that_an_error_stays_one_line_whatever_it_names(kind: type[ProtocolError]) -> None:
    assert str(kind("a\n\tb\ud800 — is wrong")) == "a\\n\\tb\\ud800 — is wrong"
    assert InvalidValue("x", "x\r is wrong").sentence == "x\\r is wrong"
