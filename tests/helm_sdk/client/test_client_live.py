"""Following a fake run over real sockets without its files."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from helm_sdk.client import (
    AnswerUpdate,
    BatchUpdate,
    FinishedUpdate,
    HeartbeatUpdate,
    LinkUpdate,
    RefusalUpdate,
    RunClient,
    Update,
)
from helm_sdk.protocol.messages import Attach, Backfill, Batch, Catalogue, Command
from helpers.fake_run import FakeRun, make_keys
from helpers.follow import follow, numbers, reach

KEYS = make_keys()


@pytest.fixture
def run() -> Iterator[FakeRun]:
    with FakeRun(KEYS.public) as run:
        yield run


@pytest.fixture
def client(run: FakeRun) -> Iterator[RunClient]:
    with RunClient(run.address, keys=KEYS, page_seconds=0.3) as client:
        yield client


def _attached(told: list[Update]) -> bool:
    return any(isinstance(update, LinkUpdate) and update.state == "attached" for update in told)


def test_that_a_client_without_files_gets_history_by_pages(run: FakeRun, client: RunClient) -> None:
    run.write(23)

    told = follow(client, lambda told: reach(told) == 23, run)

    assert all(update.history for update in told if isinstance(update, BatchUpdate))
    assert client.losses.gaps == 0
    assert [type(request) for request in run.requests].count(Backfill) == 5


def test_that_what_comes_after_attach_is_delivered_live(run: FakeRun, client: RunClient) -> None:
    told = follow(client, _attached, run)
    run.write(1)
    follow(client, lambda told: reach(told) == 1, run, seen=told)
    run.write(20)
    follow(client, lambda told: reach(told) == 21, run, seen=told)

    live = [update for update in told if isinstance(update, BatchUpdate) and not update.history]
    assert len(live) >= 20


def test_that_a_gap_is_noticed_repaired_and_counted(run: FakeRun, client: RunClient) -> None:
    told = follow(client, _attached, run)
    run.write(3)
    follow(client, lambda told: reach(told) == 3, run, seen=told)
    for _ in range(7):
        run.batch()
    run.write(2)
    follow(client, lambda told: reach(told) == 12, run, seen=told)

    losses = client.losses
    assert (losses.gaps, losses.missing, losses.repaired, losses.outstanding) == (1, 7, 7, 0)


def test_that_a_heartbeat_reveals_a_lost_last_batch(run: FakeRun, client: RunClient) -> None:
    told = follow(client, _attached, run)
    run.write(1)
    follow(client, lambda told: reach(told) == 1, run, seen=told)
    run.batch()
    run.heartbeat()
    follow(client, lambda told: reach(told) == 2, run, seen=told)

    assert (client.losses.gaps, client.losses.repaired) == (1, 1)
    assert any(isinstance(update, HeartbeatUpdate) for update in told)


def test_that_the_last_word_comes_after_every_batch(run: FakeRun, client: RunClient) -> None:
    told = follow(client, _attached, run)
    for _ in range(3):
        run.batch()
    run.finish("interrupted")
    follow(client, lambda told: any(isinstance(u, FinishedUpdate) for u in told), run, seen=told)

    assert reach(told) == 3
    assert isinstance(told[-1], FinishedUpdate)
    assert told[-1].finished.outcome == "interrupted"


def test_that_a_page_that_does_not_come_is_asked_for_again(run: FakeRun, client: RunClient) -> None:
    run.write(4)
    run.silent.add(Backfill)
    told = follow(client, lambda told: [type(r) for r in run.requests].count(Backfill) >= 2, run)
    run.silent.clear()
    follow(client, lambda told: reach(told) == 4, run, seen=told)


def test_that_only_one_page_is_outstanding(run: FakeRun, client: RunClient) -> None:
    run.write(30)
    run.silent.add(Backfill)
    told = follow(client, _attached, run)
    for _ in range(20):
        run.serve()
        told.extend(client.poll(0.002))

    assert [type(request) for request in run.requests].count(Backfill) == 1


def test_that_older_attempts_come_by_pages_too() -> None:
    with FakeRun(KEYS.public, attempt=2) as run:
        older = [Batch(process="rank-0", attempt=1, seq=seq) for seq in range(1, 9)]
        run.older[1] = older
        run.write(3)
        with RunClient(run.address, keys=KEYS) as client:
            told = follow(client, lambda told: reach(told, 1) == 8 and reach(told, 2) == 3, run)

    assert len(numbers(told, 1)) == 8


def test_that_too_much_waiting_is_dropped_and_read_again(run: FakeRun) -> None:
    run.write(20)
    run.silent.add(Backfill)
    with RunClient(run.address, keys=KEYS, page_seconds=0.3, buffer_bytes=2000) as client:
        told = follow(client, _attached, run)
        run.write(50)
        follow(client, lambda told: client.losses.dropped > 0, run, seen=told)
        run.silent.clear()
        follow(client, lambda told: reach(told) == 70, run, seen=told)


def test_that_a_refused_key_is_told_as_such_and_works_once_it_is_trusted() -> None:
    with FakeRun() as run, RunClient(run.address, keys=KEYS) as client:
        told = follow(client, lambda told: client.processes == {"rank-0": "key refused"}, run)
        refused = [u for u in told if isinstance(u, LinkUpdate) and u.state == "key refused"]
        run.trusted.add(KEYS.public)
        run.write(2)
        follow(client, lambda told: reach(told) == 2, run, seen=told)

    assert len(refused) == 1
    assert "trust" in refused[0].text


def test_that_a_command_is_answered_and_its_states_follow(run: FakeRun, client: RunClient) -> None:
    told = follow(client, _attached, run)
    client.send(Command(id="c1", capability="lr", input={"lr": "1e-3"}))
    follow(client, lambda told: reach(told) == 3, run, seen=told)

    answers = [update for update in told if isinstance(update, AnswerUpdate)]
    assert [(answer.command_id, answer.event.body["state"]) for answer in answers] == [("c1", "received")]
    assert client.routes("c1") == ["rank-0"]


def test_that_sending_before_the_first_poll_is_kept_until_it_can_go(run: FakeRun, client: RunClient) -> None:
    client.send(Command(id="c1", capability="lr"))

    follow(client, lambda told: any(isinstance(u, AnswerUpdate) for u in told), run)


def test_that_a_refusal_says_why(run: FakeRun, client: RunClient) -> None:
    told = follow(client, _attached, run)
    client.cancel("c9")
    follow(client, lambda told: any(isinstance(u, RefusalUpdate) for u in told), run, seen=told)

    assert isinstance(told[-1], RefusalUpdate)
    assert (told[-1].command_id, told[-1].message) == ("c9", "this fake neither cancels nor approves")


def test_that_send_and_wait_tells_each_state_and_the_result() -> None:
    states: list[str] = []
    with FakeRun(KEYS.public).start() as run, RunClient(run.address, keys=KEYS, history=False) as client:
        outcome = client.send_and_wait(
            Command(id="c1", capability="lr", input=1),
            20,
            lambda record, stage: states.append(stage.state),
        )

    assert (outcome.state, states) == ("applied", ["received", "waiting", "applied"])
    assert (outcome.records[0].result, outcome.records[0].step) == ("done", 7)


def test_that_send_and_wait_ends_with_the_run() -> None:
    with FakeRun(KEYS.public).start() as run, RunClient(run.address, keys=KEYS, history=False) as client:
        run.on_command = lambda request: [("received", {}), ("waiting", {})]
        outcome = client.send_and_wait(
            Command(id="c1", capability="lr"),
            20,
            lambda record, stage: run.finish() if stage.state == "waiting" else None,
        )

    assert (outcome.state, outcome.message) == ("failed", "the run ended first")


def test_that_send_and_wait_says_when_it_may_still_happen() -> None:
    with FakeRun(KEYS.public).start() as run, RunClient(run.address, keys=KEYS, history=False) as client:
        run.on_command = lambda request: [("received", {}), ("waiting", {})]
        outcome = client.send_and_wait(Command(id="c1", capability="lr"), 0.5)

    assert outcome.state == "timeout"


def test_that_nobody_home_is_unreachable() -> None:
    with FakeRun(KEYS.public) as run:
        address = run.address
    with RunClient(address, keys=KEYS) as client:
        outcome = client.send_and_wait(Command(id="c1", capability="lr"), 0.3)

    assert outcome.state == "unreachable"


def test_that_a_program_that_only_waits_reads_no_history(run: FakeRun) -> None:
    run.write(50)
    with RunClient(run.address, keys=KEYS, history=False) as client:
        told = follow(client, _attached, run)
        run.write(1)
        follow(client, lambda told: bool(numbers(told)), run, seen=told)

    assert numbers(told) == [(51, 51)]
    assert not any(isinstance(request, Backfill) for request in run.requests)


def test_that_controls_are_found_in_the_process_that_declares_them() -> None:
    body = [{"capability": {"name": "eval"}}]
    with FakeRun(KEYS.public) as run:
        run.catalogues = (Catalogue(kind="capabilities", revision=1, body=body),)
        with RunClient(run.address, keys=KEYS) as client:
            follow(client, _attached, run)
            client.send(Command(id="c1", capability="eval", process="all"))
            assert client.routes("c1") == ["rank-0"]


def test_that_attach_says_who_asks(run: FakeRun) -> None:
    with RunClient(run.address, keys=KEYS, via="a test") as client:
        follow(client, _attached, run)

    attach = next(request for request in run.requests if isinstance(request, Attach))
    assert attach.via == "a test"


def test_that_silence_is_told_as_lost_and_a_heartbeat_ends_it(run: FakeRun) -> None:
    later = [0.0]
    with RunClient(run.address, keys=KEYS, clock=lambda: time.monotonic() + later[0]) as client:
        told = follow(client, _attached, run)
        later[0] += 16.0
        follow(client, lambda told: client.processes["rank-0"] == "lost", run, seen=told)
        run.heartbeat()
        follow(client, lambda told: client.processes["rank-0"] == "attached", run, seen=told)

    states = [update.state for update in told if isinstance(update, LinkUpdate)]
    assert states == ["connecting", "attached", "lost", "attached"]


def test_that_a_connection_that_breaks_is_told(run: FakeRun, client: RunClient) -> None:
    follow(client, _attached, run)
    run.close()
    follow(client, lambda told: client.processes["rank-0"] == "connecting")
