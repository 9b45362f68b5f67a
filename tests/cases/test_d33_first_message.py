"""What a run says in the moment somebody connects is not lost."""

import threading
from collections.abc import Iterator

import pytest

import helm_sdk
from helm_sdk.protocol.messages import Backfill, Batch, Finished, Page
from helpers.raw_client import RawClient


@pytest.fixture
def run() -> Iterator[helm_sdk.Run]:
    made = helm_sdk.init("connect")
    yield made
    made.finish()


def test_that_nothing_is_lost_when_publishing_starts_as_somebody_connects(run: helm_sdk.Run) -> None:
    """D33"""
    connected = threading.Event()

    def publish() -> None:
        for step in range(3000):
            run.log({"a": float(step)}, step=step)
            if step == 500:
                connected.wait(10)
        run.finish()

    loop = threading.Thread(target=publish)
    loop.start()
    with RawClient(run.run_id) as client:
        client.ask_attach()
        connected.set()
        client.await_published(lambda message: isinstance(message, Finished))
        heard = {m.seq: m for m in client.published if isinstance(m, Batch)}
        finished = next(m for m in client.published if isinstance(m, Finished))
    loop.join()
    assert run.folder is not None
    from helm_sdk.record.run import RunFolder

    with RunFolder(run.folder).readers()[0] as reader:
        first = min(heard, default=finished.last_seq + 1)
        before = list(reader.batches(0, first - 1))
    assert sorted(heard) == list(range(first, finished.last_seq + 1))
    rows = sum(group.rows for batch in (*before, *heard.values()) for group in batch.groups)
    assert rows == 3000


def test_that_a_gap_can_be_asked_for_again(run: helm_sdk.Run) -> None:
    for step in range(100):
        run.log({"a": float(step)}, step=step)
    run.flush()
    with RawClient(run.run_id) as client:
        last = client.ask_attach().last_seq
        page = client.ask(Backfill(request="1", process="rank-0", attempt=1, after_seq=0, upto_seq=last))
    assert isinstance(page, Page)
    assert page.last == last
    assert sum(group.rows for batch in page.batches for group in batch.groups) == 100
