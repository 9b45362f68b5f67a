"""What does not fit is counted and left out: it raises nothing, stops nothing and does not pile up."""

from __future__ import annotations

from collections.abc import Iterator

import msgpack
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helm_sdk.client import BatchUpdate, LinkUpdate, RunClient, Update
from helm_sdk.protocol import wire
from helm_sdk.protocol.messages import Batch, Finished, Heartbeat, PointGroup
from helpers.fake_run import RUN_ID, FakeRun, make_keys
from helpers.follow import follow, reach

KEYS = make_keys()
TOPIC = RUN_ID.encode()


@pytest.fixture(scope="module")
def pair() -> Iterator[tuple[FakeRun, RunClient, list[Update]]]:
    with FakeRun(KEYS.public) as run, RunClient(run.address, keys=KEYS) as client:
        told = follow(
            client, lambda told: any(isinstance(u, LinkUpdate) and u.state == "attached" for u in told), run
        )
        yield run, client, told


def _still_works(run: FakeRun, client: RunClient, told: list[Update]) -> None:
    run.write(1)
    follow(client, lambda told: reach(told) == run.last_seq, run, seen=told)


@pytest.mark.parametrize(
    "parts",
    [
        [TOPIC],
        [TOPIC, b"batch"],
        [TOPIC, b"batch", b"\xc1"],
        [TOPIC, b"batch", b""],
        [TOPIC, b"\xff", b"\x80"],
        [TOPIC, b"batch", msgpack.packb({"process": "rank-0", "attempt": 1})],
        [TOPIC, b"batch", msgpack.packb({"process": 3, "attempt": "x", "seq": None})],
        [TOPIC, b"batch", b"\xdd\xff\xff\xff\xff"],
        [TOPIC, b"batch", b"\x91" * 5000 + b"\x90"],
        [TOPIC + b"x", b"heartbeat", wire.encode(Heartbeat(process="rank-0", attempt=1, last_seq=1, time=0))],
        [TOPIC, b"batch", wire.encode(Batch(process="other", attempt=1, seq=1))],
        [TOPIC, b"batch", wire.encode(Batch(process="rank-0", attempt=2, seq=1))],
        [TOPIC, b"batch", wire.encode(Batch(process="rank-0", attempt=1, seq=0))],
        [TOPIC, b"batch", wire.encode(Batch(process="rank-0", attempt=1, seq=3, first=5))],
        [TOPIC, b"batch", wire.encode(Batch(process="rank-0", attempt=1, seq=2**62))],
        [TOPIC, b"heartbeat", wire.encode(Heartbeat(process="rank-0", attempt=1, last_seq=-5, time=0))],
        [TOPIC, b"finished", wire.encode(Finished(process="rank-1", attempt=1, last_seq=0, time=0))],
    ],
)
def test_that_a_message_that_does_not_fit_is_counted(
    pair: tuple[FakeRun, RunClient, list[Update]], parts: list[bytes]
) -> None:
    run, client, told = pair
    before = client.losses.malformed

    run.raw(*parts)
    _still_works(run, client, told)

    assert client.losses.malformed == before + 1


def test_that_columns_of_different_lengths_are_left_out(
    pair: tuple[FakeRun, RunClient, list[Update]],
) -> None:
    run, client, told = pair
    before = client.losses.malformed
    uneven = [
        PointGroup(streams=(1,), steps=b"12345678", times=b"1234", values=b"12345678"),
        PointGroup(streams=(1, 2), steps=b"12345678", times=b"12345678", values=b"12345678"),
        PointGroup(streams=(), steps=b"12345678", times=b"12345678", values=b""),
        PointGroup(streams=(1,), steps=b"1234", times=b"1234", values=b"1234"),
    ]

    for group in uneven:
        run.publish(Batch(process="rank-0", attempt=1, seq=run.last_seq + 1, groups=(group,)))
    _still_works(run, client, told)

    assert client.losses.malformed == before + len(uneven)


def test_that_an_unknown_type_is_skipped_undecoded(pair: tuple[FakeRun, RunClient, list[Update]]) -> None:
    run, client, told = pair
    before = client.losses.unknown

    run.raw(TOPIC, b"weather", b"\xc1\xc1")
    _still_works(run, client, told)

    assert client.losses.unknown == before + 1


def test_that_unknown_fields_are_ignored(pair: tuple[FakeRun, RunClient, list[Update]]) -> None:
    run, client, told = pair
    batch = run.batch()
    plain = msgpack.unpackb(wire.encode(batch))

    run.raw(TOPIC, b"batch", msgpack.packb({**plain, "colour": [1, {"a": None}]}))
    follow(client, lambda told: reach(told) == batch.seq, run, seen=told)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    kind=st.sampled_from([b"batch", b"heartbeat", b"finished", b"page", b"snapshot"]),
    body=st.binary(max_size=200)
    | st.recursive(
        st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["process", "attempt", "seq", "first", "last_seq", "groups", "time"]), inner
            )
        ),
        max_leaves=12,
    ).map(lambda plain: msgpack.packb(plain)),
)
def test_that_any_bytes_leave_the_client_whole(
    pair: tuple[FakeRun, RunClient, list[Update]], kind: bytes, body: bytes
) -> None:
    run, client, told = pair
    run.raw(TOPIC, kind, body)
    _still_works(run, client, told)


def test_that_numbers_far_ahead_do_not_pile_up() -> None:
    with (
        FakeRun(KEYS.public) as run,
        RunClient(run.address, keys=KEYS, buffer_bytes=5_000) as client,
    ):
        told = follow(client, lambda told: client.processes["rank-0"] == "attached", run)
        for number in range(900):
            run.publish(Batch(process="rank-0", attempt=1, seq=1000 + 2 * number))
        follow(client, lambda told: client.losses.dropped > 100, run, seen=told)
        _still_works(run, client, told)

    assert not any(isinstance(update, BatchUpdate) and update.batch.seq >= 1000 for update in told)


def test_that_a_page_with_a_hole_is_not_taken() -> None:
    with FakeRun(KEYS.public) as run:
        run.write(6)
        good = run.batches.copy()
        run.batches[2] = Batch(process="rank-0", attempt=1, seq=4)
        with RunClient(run.address, keys=KEYS) as client:
            told = follow(client, lambda told: client.losses.malformed > 0, run)
            assert reach(told) == 2
            run.batches[:] = good
            follow(client, lambda told: reach(told) == 6, run, seen=told)
