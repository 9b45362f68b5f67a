"""Following real runs: history from files, live batches beside it, ends, restarts, other processes."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec import structs

import helm_sdk
from helm_sdk.client import (
    Address,
    BatchUpdate,
    FinishedUpdate,
    LinkUpdate,
    ProcessesUpdate,
    RunClient,
    Update,
)
from helm_sdk.keys import load_keys
from helm_sdk.protocol.messages import Command
from helm_sdk.record.layout import home
from helm_sdk.record.live import live_entries, remove_live_entry, write_live_entry
from helm_sdk.record.run import RunFolder, create_run
from helm_sdk.record.runs import find_run
from helpers.follow import follow, reach
from helpers.record_files import (
    batch,
    group,
    live_entry,
    run_record,
    start_python,
    write_loss,
)

LOOP = """
import sys, helm_sdk
run = helm_sdk.init("p", name="child")
for step, line in enumerate(sys.stdin):
    run.log({"loss": 1.0 / (step + 1)}, step=step)
    run.sync("after_step", step)
    run.flush()
    print(step, flush=True)
run.finish()
"""


@pytest.fixture
def child() -> Iterator[Callable[[str], subprocess.Popen[str]]]:
    """Starts a script that announces its run; whatever happens, it ends with the test."""
    started: list[subprocess.Popen[str]] = []

    def start(source: str) -> subprocess.Popen[str]:
        process = start_python(source)
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline().startswith("helm: run")
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def _points(told: list[Update], attempt: int = 1, process: str = "rank-0") -> int:
    return sum(
        group.rows
        for update in told
        if isinstance(update, BatchUpdate) and (update.attempt, update.process) == (attempt, process)
        for group in update.batch.groups
    )


def _finished(told: list[Update]) -> list[str]:
    return [update.finished.outcome for update in told if isinstance(update, FinishedUpdate)]


def _links(told: list[Update]) -> list[str]:
    return [update.state for update in told if isinstance(update, LinkUpdate)]


def test_that_a_finished_run_is_read_whole_from_its_files() -> None:
    run = helm_sdk.init("p", name="done")
    for step in range(500):
        run.log({"loss": float(step)}, step=step)
    run.finish()

    with RunClient(find_run(None, "latest"), keys=load_keys()) as client:
        told = follow(client, lambda told: bool(_finished(told)))
        assert client.caught_up

    assert _points(told) == 500
    assert reach(told) > 0
    assert _finished(told) == ["finished"]
    assert all(update.history for update in told if isinstance(update, BatchUpdate))


def test_that_history_and_what_comes_live_join_without_a_seam() -> None:
    run = helm_sdk.init("p", name="live")
    for step in range(200):
        run.log({"loss": float(step)}, step=step)
    run.flush()
    with RunClient(find_run(None, run.run_id), keys=load_keys()) as client:
        told = follow(client, lambda told: "attached" in _links(told) and _points(told) == 200)
        for step in range(200, 400):
            run.log({"loss": float(step)}, step=step)
        follow(client, lambda told: _points(told) == 400, seen=told)
        run.finish()
        follow(client, lambda told: bool(_finished(told)) and "ended" in _links(told), seen=told)
        losses = client.losses

    assert reach(told) > 0
    assert any(not update.history for update in told if isinstance(update, BatchUpdate))
    assert (losses.outstanding, losses.malformed) == (0, 0)


def test_that_a_killed_process_is_read_to_its_end(child: Callable[[str], subprocess.Popen[str]]) -> None:
    loop = child(LOOP)
    assert loop.stdin is not None
    assert loop.stdout is not None
    with RunClient(find_run(None, "latest"), keys=load_keys()) as client:
        told = follow(client, lambda told: "attached" in _links(told))
        for _ in range(5):
            loop.stdin.write("go\n")
            loop.stdin.flush()
            loop.stdout.readline()
        loop.kill()
        loop.wait()
        follow(client, lambda told: "ended" in _links(told) and client.caught_up, seen=told)

    assert _points(told) == 5
    assert _finished(told) == []


def test_that_the_next_attempt_is_found_and_followed() -> None:
    first = helm_sdk.init("p", name="again")
    first.log({"loss": 1.0}, step=0)
    first.finish()
    with RunClient(find_run(None, first.run_id), keys=load_keys()) as client:
        told = follow(client, lambda told: bool(_finished(told)))
        second = helm_sdk.init("p", resume=first.run_id)
        second.log({"loss": 0.5}, step=1)
        follow(client, lambda told: _points(told, 2) == 1 and "attached" in _links(told), seen=told)
        second.finish()
        follow(client, lambda told: len(_finished(told)) == 2, seen=told)

    found = [(update.process, update.attempt) for update in told if isinstance(update, ProcessesUpdate)]
    assert found == [("rank-0", 1), ("rank-0", 2)]
    assert reach(told, 1) > 0
    assert reach(told, 2) > 0


def test_that_a_process_that_joins_is_found_and_followed(
    child: Callable[[str], subprocess.Popen[str]],
) -> None:
    run = helm_sdk.init("p", name="two")
    with RunClient(find_run(None, run.run_id), keys=load_keys()) as client:
        told = follow(client, lambda told: "attached" in _links(told))
        evaluator = child(
            "import sys, helm_sdk\n"
            f"run = helm_sdk.init('p', join={run.run_id!r}, process='evaluator', role='eval')\n"
            "run.log({'score': 1.0}, step=3)\n"
            "sys.stdin.read()\n"
            "run.finish()\n"
        )
        follow(client, lambda told: _points(told, process="evaluator") == 1, seen=told)
        evaluator.communicate("")
        follow(client, lambda told: bool(_finished(told)), seen=told)
        run.finish()

    assert {update.role for update in told if isinstance(update, ProcessesUpdate)} >= {"eval"}


def test_that_a_copy_of_a_live_run_is_read_but_not_asked(tmp_path: Path) -> None:
    run = helm_sdk.init("p", name="copied")
    run.log({"loss": 1.0}, step=0)
    run.flush()
    original = find_run(None, run.run_id).path
    copy = tmp_path / "copy"
    copy.mkdir()
    for path in original.iterdir():
        (copy / path.name).write_bytes(path.read_bytes())
    with RunClient(RunFolder(copy), keys=load_keys()) as client:
        told = follow(client, lambda told: _points(told) == 1)
        outcome = client.send_and_wait(Command(id="c1", capability="lr"), 5)
    run.finish()

    assert "attached" not in _links(told)
    assert outcome.state == "unreachable"


def test_that_an_address_alone_gives_the_whole_history() -> None:
    run = helm_sdk.init("p", name="far")
    for step in range(300):
        run.log({"loss": float(step)}, step=step)
    run.flush()
    entry = live_entries(home(), run.run_id)[0]
    address = Address(entry.run_id, entry.publish, entry.request, entry.public_key, entry.process)
    with RunClient(address, keys=load_keys(), files=False) as client:
        told = follow(client, lambda told: _points(told) == 300)
        run.log({"loss": 1.0}, step=300)
        follow(client, lambda told: _points(told) == 301, seen=told)
        run.finish()
        follow(client, lambda told: bool(_finished(told)), seen=told)

    assert reach(told) > 0


def test_that_a_command_is_applied_by_a_real_run_and_seen_in_its_history(
    child: Callable[[str], subprocess.Popen[str]],
) -> None:
    steered = child(
        "import helm_sdk, time\n"
        "run = helm_sdk.init('p', name='steer')\n"
        "knob = run.tunable('knob', 1.0, minimum=0.0, maximum=2.0)\n"
        "step = 0\n"
        "while knob.value == 1.0:\n"
        "    run.sync('after_step', step); step += 1; time.sleep(0.002)\n"
        "run.finish()\n"
    )
    states: list[str] = []
    with RunClient(find_run(None, "latest"), keys=load_keys(), history=False) as client:
        bad = client.send_and_wait(Command(id="c1", capability="set_knob", input={"value": 3}), 20)
        good = client.send_and_wait(
            Command(id="c2", capability="set_knob", input={"value": "1.5"}, reason="try"),
            20,
            lambda record, stage: states.append(stage.state),
        )
    assert steered.wait(30) == 0

    assert (bad.state, bad.message) == ("rejected", "value is 3, it must be 2.0 or less")
    assert (good.state, states) == ("applied", ["received", "waiting", "applied"])
    assert good.records[0].reason == "try"


def test_that_a_command_to_all_is_applied_in_each_process_that_declares_it(
    child: Callable[[str], subprocess.Popen[str]],
) -> None:
    body = (
        "knob = run.tunable('knob', 1.0, minimum=0.0, maximum=2.0)\n"
        "step = 0\n"
        "while knob.value == 1.0:\n"
        "    run.sync('after_step', step); step += 1; time.sleep(0.002)\n"
        "run.finish()\n"
    )
    first = child("import helm_sdk, time\nrun = helm_sdk.init('p', name='all')\n" + body)
    run = find_run(None, "latest")
    join = f"run = helm_sdk.init('p', join={run.run_id!r}, process='rank-1')\n"
    second = child("import helm_sdk, time\n" + join + body)
    with RunClient(run, keys=load_keys(), history=False) as client:
        follow(client, lambda told: list(client.processes.values()) == ["attached", "attached"])
        outcome = client.send_and_wait(
            Command(id="c1", capability="set_knob", input={"value": 2}, process="all"), 20
        )

    assert outcome.state == "applied"
    assert sorted(record.process for record in outcome.records) == ["rank-0", "rank-1"]
    assert (first.wait(30), second.wait(30)) == (0, 0)


@pytest.mark.parametrize("change", [{"publish": ""}, {"host": "a-gpu-box"}])
def test_that_a_process_that_cannot_be_asked_from_here_is_followed_by_its_file(
    change: dict[str, str],
) -> None:
    folder = create_run(home(), run_record("20261129-120000-abcdef"))
    writer = write_loss(folder.path, 3, close=False, run_id=folder.run_id)
    entry = live_entry(
        folder,
        publish="tcp://127.0.0.1:9",
        request="tcp://127.0.0.1:9",
        public_key="x",
    )
    write_live_entry(home(), structs.replace(entry, **change))
    with RunClient(folder, keys=load_keys()) as client:
        told = follow(client, lambda told: _points(told) == 3)
        writer.commit([batch(5, group([1], [3], [[0.5]]))])
        follow(client, lambda told: _points(told) == 4, seen=told)
        outcome = client.send_and_wait(Command(id="c1", capability="lr"), 5)
        remove_live_entry(home(), folder.run_id, "rank-0")
        follow(client, lambda told: "ended" in _links(told), seen=told)
    writer.close()

    assert _links(told) == ["file only", "ended"]
    assert outcome.state == "unreachable"
