"""D34 (zeromq/libzmq#3689): 100,000 messages without a pause; what is lost is found and repaired."""

from __future__ import annotations

import helm_sdk
from helm_sdk.client import BatchUpdate, LinkUpdate, RunClient, Update
from helm_sdk.keys import load_keys
from helm_sdk.record.runs import find_run
from helpers.fake_run import FakeRun, make_keys
from helpers.follow import follow

KEYS = make_keys()
COUNT = 100_000


def test_that_gaps_of_a_tight_burst_are_detected_counted_and_repaired() -> None:
    have = 0
    with FakeRun(KEYS.public) as run, RunClient(run.address, keys=KEYS, rcvhwm=100) as client:
        run.page_batches = 2000
        follow(client, lambda _: client.processes["rank-0"] == "attached", run)
        run.write(1)
        told = follow(client, lambda told: any(isinstance(u, BatchUpdate) for u in told), run)
        run.write(COUNT - 1)
        while have < COUNT:
            run.heartbeat()  # as each second: the burst may have swallowed one
            run.serve()
            told.extend(client.poll(0.01))
            for update in told:
                if isinstance(update, BatchUpdate):
                    assert update.batch.start == have + 1
                    have = update.batch.seq
            told.clear()
        losses = client.losses

    assert losses.gaps > 0
    assert losses.missing > 0
    assert losses.repaired == losses.missing
    assert losses.outstanding == 0


def test_that_a_run_that_logs_flat_out_arrives_whole_at_a_reader_that_drops() -> None:
    run = helm_sdk.init("p", name="d34")
    rows = 0
    told: list[Update] = []
    with RunClient(find_run(None, run.run_id), keys=load_keys(), rcvhwm=1) as client:
        follow(client, lambda told: any(isinstance(u, LinkUpdate) and u.state == "attached" for u in told))
        for step in range(COUNT):
            run.log({"loss": float(step)}, step=step)
        while rows < COUNT:
            told = client.poll(0.2)
            rows += sum(g.rows for u in told if isinstance(u, BatchUpdate) for g in u.batch.groups)
        run.finish()
        assert client.losses.outstanding == 0

    assert rows == COUNT
