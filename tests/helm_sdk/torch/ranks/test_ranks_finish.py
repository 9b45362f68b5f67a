"""A value that every rank gave is logged, whichever rank ends first."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from torch._C._distributed_c10d import TCPStore

from helm_sdk._run.run import disabled_run
from helm_sdk.record.run import RunFolder
from helm_sdk.torch._ranks.coordinator import Coordinator
from helm_sdk.torch._ranks.member import HUB, Member, mailbox_of
from helm_sdk.torch._ranks.membership import NOWHERE
from helm_sdk.torch._ranks.reduce import RankValues, Reducer, Row
from helm_sdk.torch._ranks.registry import SharedControls
from helm_sdk.torch._ranks.store import StoreConnection
from helpers.rank_loops import finish_apart, finish_before_joining
from helpers.ranks import Job

PATIENCE_S = 30.0


@pytest.mark.parametrize("first", [0, 1])
def test_that_a_value_is_logged_although_one_rank_ended_before_the_other_gave_it(first: int) -> None:
    with Job(2, finish_apart, first=first) as job:
        (folder,) = job.wait("run", 0)
        if first:
            job.wait("finished", first)
            job.say("go", 0)
        job.wait("ended")

    assert _logged(folder) == [(7, 0.5)]


@pytest.mark.parametrize("late", [0, 1])
def test_that_a_value_is_logged_although_a_rank_ended_before_it_had_joined(late: int) -> None:
    with Job(2, finish_before_joining, late=late) as job:
        (folder,) = job.wait("run", 0)
        job.wait("ended")

    assert _logged(folder) == [(7, 0.5)]


def test_that_the_end_waits_until_the_mailbox_is_read() -> None:
    raw = TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
    line = StoreConnection(raw, "test", PATIENCE_S)
    logged: list[float] = []
    reducer = Reducer(2, lambda values, step: logged.extend(values.values()))
    run = disabled_run()
    registry = SharedControls(run, 0)
    member = Member(run, 0, registry, PATIENCE_S)
    coordinator = Coordinator(run, 2, registry, member, line, reducer, PATIENCE_S)
    for rank in (0, 1):
        line.post(HUB, {"re": "here", "from": rank, "pid": rank})
        line.post(HUB, {"re": "reduce", "from": rank, "rows": [("sum", 3, {"x": 1.0 + rank})]})
        line.post(HUB, {"re": "left", "from": rank, "at": NOWHERE})
    at_return: list[list[float]] = []

    def end() -> None:
        coordinator.end(0.0, True)
        at_return.append(list(logged))

    ending = threading.Thread(target=end)
    ending.start()
    line.again().await_(f"{mailbox_of(1)}/1")  # the end has been told to the ranks; only now somebody reads
    listening = threading.Thread(target=coordinator.listen, args=(line.again(),))
    listening.start()
    ending.join(PATIENCE_S)
    line.post(HUB, {"re": "stop"})
    listening.join(PATIENCE_S)

    assert at_return == [[3.0]]


def test_that_the_end_does_not_wait_for_values_where_none_were_given() -> None:
    raw = TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
    run = disabled_run()
    registry = SharedControls(run, 0)
    member = Member(run, 0, registry, PATIENCE_S)
    reducer = Reducer(2, lambda values, step: None)
    line = StoreConnection(raw, "test", PATIENCE_S)
    coordinator = Coordinator(run, 2, registry, member, line, reducer, timeout=3600.0)

    coordinator.end(0.0, False)  # returns, with nobody there to read or to leave


def test_that_values_under_way_on_another_thread_come_before_what_is_sent_at_the_end() -> None:
    values = RankValues()
    values.add({"x": 1.0}, "sum", 0)
    posting, go_on = threading.Event(), threading.Event()
    posted: list[str] = []

    def slowly(rows: list[Row]) -> None:
        posting.set()
        go_on.wait(PATIENCE_S)
        posted.append("values")

    def end() -> None:
        values.send(lambda rows: posted.append("more values"), all_=True)
        posted.append("left")

    pulse = threading.Thread(target=values.send, args=(slowly,))
    pulse.start()
    assert posting.wait(PATIENCE_S)
    leaving = threading.Thread(target=end)
    leaving.start()
    go_on.set()
    for thread in (pulse, leaving):
        thread.join(PATIENCE_S)

    assert posted == ["values", "left"]


class _SlowStore:
    """A store whose `set` waits until the test lets it go on."""

    def __init__(self) -> None:
        self.counted, self.go_on = threading.Event(), threading.Event()
        self.keys: list[str] = []
        self._count = 0

    def add(self, key: str, amount: int) -> int:
        self._count += amount
        return self._count

    def set(self, key: str, value: Any) -> None:
        self.counted.set()
        self.go_on.wait(PATIENCE_S)
        self.keys.append(key)


def test_that_a_closed_connection_has_no_message_half_posted_and_posts_no_more() -> None:
    store = _SlowStore()
    line = StoreConnection(store, "", PATIENCE_S)
    at_close: list[list[str]] = []

    def close() -> None:
        line.close()
        at_close.append(list(store.keys))

    posting = threading.Thread(target=line.post, args=("to/1", {"do": "go"}))
    posting.start()
    assert store.counted.wait(PATIENCE_S)
    closing = threading.Thread(target=close)
    closing.start()
    store.go_on.set()
    for thread in (posting, closing):
        thread.join(PATIENCE_S)
    line.post("to/1", {"do": "go"})

    assert at_close == [["to/1/1"]]
    assert store.keys == ["to/1/1"]


def _logged(folder: str) -> list[tuple[int | None, float]]:
    (reader,) = (one for one in RunFolder(Path(folder)).readers() if one.record.process == "rank-0")
    return [(step, value) for step, value, _ in reader.points("given/last")]
