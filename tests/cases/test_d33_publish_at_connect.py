"""D33 (zeromq/libzmq#4656): what is published right when a reader connects is not lost."""

from __future__ import annotations

import pytest

import helm_sdk
from helm_sdk.client import Address, BatchUpdate, RunClient, Update
from helm_sdk.keys import load_keys
from helm_sdk.record.layout import home
from helm_sdk.record.live import live_entries
from helm_sdk.record.runs import find_run
from helpers.fake_run import FakeRun, make_keys
from helpers.follow import follow, reach

KEYS = make_keys()


def _rows(told: list[Update]) -> int:
    return sum(
        group.rows for update in told if isinstance(update, BatchUpdate) for group in update.batch.groups
    )


@pytest.mark.parametrize("files", [True, False])
def test_that_nothing_is_lost_when_a_run_logs_while_a_reader_connects(files: bool) -> None:
    run = helm_sdk.init("p", name="d33")
    folder = find_run(None, run.run_id)
    entry = live_entries(home(), run.run_id)[0]
    address = Address(entry.run_id, entry.publish, entry.request, entry.public_key, entry.process)
    with RunClient(folder if files else address, keys=load_keys(), files=files) as client:
        told: list[Update] = []
        for step in range(2000):
            run.log({"loss": float(step)}, step=step)
            if step % 100 == 0:
                told.extend(client.poll(0.0))
        follow(client, lambda told: _rows(told) >= 2000, seen=told)
        run.finish()
        losses = client.losses

    assert reach(told) > 0
    assert _rows(told) == 2000
    assert losses.outstanding == 0


def test_that_each_moment_of_connecting_is_covered() -> None:
    with FakeRun(KEYS.public) as run, RunClient(run.address, keys=KEYS) as client:
        told: list[Update] = []
        while client.processes["rank-0"] != "attached" or run.last_seq < 50:
            run.write(1)
            run.serve()
            told.extend(client.poll(0.001))
        run.heartbeat()
        follow(client, lambda told: reach(told) == run.last_seq, run, seen=told)
        assert client.losses.outstanding == 0
