"""A fake run floods the app or a client with nonsense, and sends what makes sense in between."""

from __future__ import annotations

import time
from pathlib import Path

import psutil

from helm_sdk.client import RunClient
from helm_sdk.keys import load_keys
from helm_sdk.protocol.messages import (
    PUBLISHED,
    REPLIES,
    Batch,
    Catalogue,
    Event,
    Heartbeat,
    Message,
    RunRecord,
    StreamDef,
)
from helm_sdk.record.live import write_live_entry
from helm_sdk.record.run import RunFolder, create_run
from helpers.fake_run import RUN_ID, FakeRun, group_of
from helpers.fleet import Collector, app
from helpers.follow import follow, reach
from helpers.noise import Noise
from helpers.record_files import live_entry


def lies() -> list[Message]:
    """What an honest run publishes, far enough ahead that no change of it can be taken for the next batch."""
    event = Event(id=1, kind="checkpoint", time=1.0, step=3, body={"name": "x"})
    return [
        Batch(
            process="rank-0",
            attempt=1,
            seq=1_000_000,
            streams=(StreamDef(id=1, name="train/loss"),),
            groups=(group_of([1, 2], [0.5, 0.25]),),
            events=(event,),
            catalogues=(Catalogue(kind="facts", revision=1, body={}),),
        ),
        Heartbeat(process="rank-0", attempt=1, last_seq=1_000_000, time=1.0),
    ]


def odd_batches(noise: Noise, run: FakeRun, count: int) -> list[Batch]:
    """Batches in sequence whose events and catalogues say anything at all."""
    kinds = ("command", "checkpoint", "capture", "note", "warning", "joined", "finished", "span", "rule", "?")
    catalogues = ("capabilities", "tensors", "plan", "facts", "summary", "streams", "?")
    made = []
    for number in range(count):
        body = noise.anything(3)
        event = run.event(
            kinds[number % len(kinds)], body if isinstance(body, dict) else {"state": body, "name": body}
        )
        batch = run.batch(events=[event])
        odd = Catalogue(
            kind=catalogues[number % len(catalogues)], revision=number + 1, body=noise.anything(4)
        )
        run.batches[-1] = Batch(
            process=batch.process,
            attempt=batch.attempt,
            seq=batch.seq,
            streams=batch.streams,
            groups=batch.groups,
            events=batch.events,
            catalogues=(odd,),
        )
        made.append(run.batches[-1])
    return made


def a_folder(home: Path, run: FakeRun) -> RunFolder:
    """A run folder and an index entry that lead to the fake."""
    record = RunRecord(run_id=RUN_ID, project="fake", name="fake", created=time.time())
    folder = create_run(home, record)
    entry = live_entry(
        folder,
        publish=run.address.publish,
        request=run.address.request,
        public_key=run.address.public_key,
        heartbeat=time.time(),
    )
    write_live_entry(home, entry)
    return folder


def flood_the_app(collector: Collector, run: FakeRun, noise: Noise, frames: int) -> None:
    """Publish noise, then a batch that makes sense, and wait until the app holds that."""
    for number in range(frames):
        run.raw(*noise.next())
        if number % 200 == 199:
            run.write(1)
            collector.wait_holds(run.last_seq)


def the_app_outlives(home: Path, out: Path, frames: int) -> int:
    """The app follows a fake run through that many frames of noise; by how many megabytes it grew."""
    with FakeRun(load_keys().public) as run:
        folder = a_folder(home, run)
        run.start()
        noise = Noise(RUN_ID, [*PUBLISHED, *REPLIES, "nonsense"], lies())
        with app(home, folder.path, out) as collector:
            collector.says("^link rank-0 attached$")
            flood_the_app(collector, run, noise, frames // 5)
            before = collector.memory_mb
            flood_the_app(collector, run, noise, frames - frames // 5)
            for batch in odd_batches(noise, run, 500):
                run.publish(batch)
            collector.wait_holds(run.last_seq)
            (held,) = collector.dump()
            assert held.steps.tolist() == list(range(1, run.last_seq + 1))
            assert not [line for line in collector.script.lines if "Error" in line or "Traceback" in line]
            return collector.memory_mb - before


def a_client_outlives(answers: int) -> float:
    """A client without files is answered that often with noise; by how many megabytes this process grew."""
    keys = load_keys()
    with FakeRun(keys.public) as run, RunClient(run.address, keys=keys, files=False) as client:
        told = follow(client, lambda told: client.processes == {"rank-0": "attached"}, run)
        noise = Noise(RUN_ID, [*REPLIES, "nonsense"], lies())
        before = 0
        for number in range(answers):
            if number == answers // 5:
                before = psutil.Process().memory_info().rss
            run.raw_reply(run.routes[-1], *noise.next())
            told += client.poll(0.0)
        growth = (psutil.Process().memory_info().rss - before) / (1 << 20)
        run.write(3)
        follow(client, lambda told: reach(told) == run.last_seq, run, seen=told)
        assert client.losses.malformed > 0
        return growth
