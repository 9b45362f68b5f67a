"""A command's life, over real sockets: received, waiting, applied; or refused in one sentence."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import helm_sdk
from helm_sdk._controls.tunables import Tunable
from helm_sdk.keys import Keys, load_keys, revoke, trust
from helm_sdk.models import Applied, Capability, CommandContext, record_schema
from helm_sdk.protocol import kinds
from helm_sdk.protocol.messages import (
    Answer,
    ApproveCommand,
    Batch,
    CancelCommand,
    Command,
    CommandState,
    SendCommand,
)
from helm_sdk.record.run import RunFolder
from helpers.raw_client import RawClient, state_of, wait_until

Start = Callable[..., helm_sdk.Run]


def rate(name: str = "rate", points: tuple[str, ...] = (), **more: Any) -> Capability:
    schema = record_schema(kinds.field("value", kinds.number(0, 1)))
    return Capability(name=name, input_schema=schema, safe_points=points, starting={"value": "0.1"}, **more)


def states(run: helm_sdk.Run, command_id: str) -> list[str]:
    assert run.folder is not None
    readers = RunFolder(run.folder).readers()
    found = [state_of(event) for reader in readers for event in reader.events("command")]
    for reader in readers:
        reader.close()
    return [state.state for state in found if state.command_id == command_id]


def waits_at(run: helm_sdk.Run, safe_point: str) -> bool:
    return run.trainer_port.wait(safe_point, 10.0)


def test_that_a_command_is_on_disk_before_it_is_answered_and_applied_at_its_safe_point(start: Start) -> None:
    run = start()
    seen: list[tuple[Any, CommandContext]] = []

    def handler(value: Any, context: CommandContext) -> dict[str, Any]:
        seen.append((value, context))
        return {"ok": True}

    run.on("after_step", rate(), handler)
    with RawClient(run.run_id) as client:
        snapshot = client.attach()
        assert snapshot.process == "rank-0"
        command_id, event = client.send("rate", {"value": "0.40"}, reason="try it")
        assert state_of(event).state == "waiting"
        assert states(run, command_id) == ["received", "waiting"]
        assert waits_at(run, "after_step")
        run.sync("other", step=6)
        assert not seen
        run.sync("after_step", step=7)
        told = client.await_state(command_id, "applied")
        again = client.send("rate", {"value": "0.9"}, id=command_id)[1]
    value, context = seen[0]
    assert value == {"value": "0.40"}
    assert (context.step, context.reason, context.before) == (7, "try it", {"value": "0.1"})
    assert (told.old, told.new, told.result) == ({"value": "0.1"}, {"value": "0.40"}, {"ok": True})
    assert (told.revision, told.via, told.safe_point) == (1, "test", "after_step")
    assert told.sender_key == load_keys().public
    assert (again.step, state_of(again).state) == (7, "applied")
    assert len(seen) == 1
    assert states(run, command_id) == ["received", "waiting", "applied"]


@pytest.mark.parametrize(
    ("name", "value", "more", "sentence"),
    [
        ("rate", {"value": -0.1}, {}, "value is -0.1, it must be 0 or more"),
        ("rate", {"value": True}, {}, "value is true"),
        ("rate", {"value": float("nan")}, {}, "value is nan"),
        ("rate", {"speed": 1}, {}, "speed is not a field"),
        ("unheard", {}, {}, "no control named unheard"),
        ("rate", {"value": 0.1}, {"expect_revision": 3}, "rate is at revision 0, the request expects 3"),
        ("rate", {"value": 0.1}, {"version": "9"}, "rate is version 1.0.0 here"),
        ("rate", {"value": 0.1}, {"expires_in": -1.0}, "expires_in is -1.0"),
        ("shut", {"value": 0.1}, {}, "shut is unavailable: no clip"),
    ],
)
def test_that_what_does_not_fit_is_rejected_in_one_sentence(
    start: Start, name: str, value: Any, more: dict[str, Any], sentence: str
) -> None:
    run = start()
    run.on("after_step", rate(), lambda value, context: None)
    run.trainer_port.declare(
        rate("shut", ("after_step",)), lambda value, context: None, unavailable="no clip"
    )
    with RawClient(run.run_id) as client:
        command_id, event = client.send(name, value, **more)
    assert state_of(event).state == "rejected"
    assert sentence in state_of(event).message
    assert states(run, command_id) == ["rejected"]


def test_that_a_handler_that_raises_fails_its_command_and_not_the_run(start: Start) -> None:
    run = start()

    def handler(value: Any, context: CommandContext) -> None:
        raise ValueError("no such rate")

    run.on("after_step", rate(), handler)
    with RawClient(run.run_id) as client:
        client.attach()
        command_id, _ = client.send("rate", {"value": 0.5})
        assert waits_at(run, "after_step")
        run.sync("after_step", step=1)
        told = client.await_state(command_id, "failed")
    assert told.message == "ValueError: no such rate"
    assert "in handler: raise ValueError" in told.frames[-1]
    assert told.revision == 0


def test_that_a_result_json_cannot_say_becomes_its_repr(start: Start) -> None:
    run = start()
    run.on("after_step", rate(), lambda value, context: {"when": 3 + 4j, 1: (2, {5})})
    with RawClient(run.run_id) as client:
        client.attach()
        command_id, _ = client.send("rate", {"value": 0.5})
        assert waits_at(run, "after_step")
        run.sync("after_step", step=1)
        told = client.await_state(command_id, "applied")
    assert told.result == {"when": "(3+4j)", "1": [2, [5]]}


def test_that_each_safe_point_has_its_own_queue_and_takes_one_a_call(start: Start) -> None:
    run = start()
    done: list[tuple[str, Any]] = []
    for point in ("a", "b"):
        run.on(
            point,
            rate(f"at_{point}"),
            lambda value, context: done.append((context.safe_point, value["value"])),
        )
    either = rate("either", ("a", "b"))
    run.on(
        "a", either, lambda value, context: done.append(("either at " + context.safe_point, value["value"]))
    )
    with RawClient(run.run_id) as client:
        client.attach()
        for value in (1, 2):
            client.send("at_a", {"value": value / 10})
        client.send("either", {"value": 0.3})
        client.send("at_b", {"value": 0.4})
        assert waits_at(run, "b")
    run.sync("b", step=0)
    assert done == [("either at b", 0.3)]
    run.sync("a", step=0)
    run.sync("b", step=0)
    run.sync("b", step=0)
    run.sync("a", step=0)
    run.sync("a", step=0)
    assert done == [("either at b", 0.3), ("a", 0.1), ("b", 0.4), ("a", 0.2)]


def test_that_a_stale_revision_is_rejected_at_the_safe_point_too(start: Start) -> None:
    run = start()
    run.on("after_step", rate(), lambda value, context: None)
    with RawClient(run.run_id) as client:
        client.attach()
        client.send("rate", {"value": 0.1}, expect_revision=0)
        second, event = client.send("rate", {"value": 0.2}, expect_revision=0)
        assert state_of(event).state == "waiting"
        assert waits_at(run, "after_step")
        run.sync("after_step", step=1)
        run.sync("after_step", step=2)
        told = client.await_state(second, "rejected")
    assert told.message == "rate is at revision 1, the request expects 0"


def test_that_a_waiting_command_can_be_cancelled_superseded_or_expire(start: Start) -> None:
    run = start()
    run.on("after_step", rate(), lambda value, context: None)
    with RawClient(run.run_id) as client:
        client.attach()
        first, _ = client.send("rate", {"value": 0.1})
        cancel = CancelCommand(request="1", process="rank-0", command_id=first, reason="wrong")
        answer = client.ask(cancel)
        assert isinstance(answer, Answer)
        assert state_of(answer.event).state == "cancelled"
        assert state_of(answer.event).message.endswith(": wrong")
        again = client.ask(cancel)  # the same request, sent again by a client that heard no answer
        assert isinstance(again, Answer)
        assert state_of(again.event).state == "cancelled"
        assert "it is cancelled" in client.refused(msgspec.structs.replace(cancel, request="2"))
        old, _ = client.send("rate", {"value": 0.2})
        new, _ = client.send("rate", {"value": 0.3}, supersedes=old)
        client.await_state(old, "superseded")
        soon, _ = client.send("rate", {"value": 0.4}, expires_in=0.05)
        client.await_state(soon, "expired")
        by_step, _ = client.send("rate", {"value": 0.5}, expires_step=10)
        assert waits_at(run, "after_step")
        run.sync("after_step", step=11)
        run.sync("after_step", step=11)
        client.await_state(by_step, "expired")
        client.await_state(new, "applied")
    assert states(run, old) == ["received", "waiting", "superseded"]


def test_that_approval_takes_another_key(start: Start, tmp_path: Path) -> None:
    run = start()
    run.on("after_step", rate(requires_approval=True), lambda value, context: None)
    other = load_keys(tmp_path / "other")
    trust("grace", other.public)
    with RawClient(run.run_id) as client:
        client.attach()
        command_id, event = client.send("rate", {"value": 0.1})
        assert state_of(event).state == "awaiting approval"
        approve = ApproveCommand(request="1", process="rank-0", command_id=command_id, approve=True)
        assert "another key" in client.refused(approve)
        assert wait_until(lambda: known(run, other))
        with RawClient(run.run_id, keys=Keys(other.public, other.secret, other.folder)) as grace:
            answer = grace.ask(approve)
            assert isinstance(answer, Answer)
            second, _ = client.send("rate", {"value": 0.2})
            refuse = msgspec.structs.replace(approve, command_id=second, approve=False, reason="too high")
            refused = grace.ask(refuse)
        assert isinstance(refused, Answer)
        assert state_of(refused.event).message == "refused by grace: too high"
        assert waits_at(run, "after_step")
        run.sync("after_step", step=3)
        assert client.await_state(command_id, "applied").approver == "grace"
    assert states(run, command_id) == ["received", "awaiting approval", "waiting", "applied"]


def known(run: helm_sdk.Run, keys: Keys) -> bool:
    recorder = run._recording.recorder
    assert recorder is not None
    assert recorder.services.connection.sockets is not None
    return recorder.services.connection.sockets.allowed.name_of(keys.public) is not None


def test_that_an_unknown_key_gets_nothing_and_a_revoked_one_is_cut_off(start: Start, tmp_path: Path) -> None:
    import zmq

    run = start()
    run.on("after_step", rate(), lambda value, context: None)
    stranger = load_keys(tmp_path / "stranger")
    with RawClient(run.run_id, keys=Keys(stranger.public, stranger.secret, stranger.folder)) as client:
        command = Command(id="x", capability="rate", input={"value": 0.1})
        from helm_sdk.protocol import wire

        message = SendCommand(request="1", process="rank-0", command=command)
        client.dealer.send_multipart(wire.frames(run.run_id, message))
        assert client.monitor.poll(10_000), "the refusal was not told"
        run.log({"a": 1.0}, step=0)
        run.flush()
        assert not client.dealer.poll(0)
        assert not client.sub.poll(0)
        assert isinstance(zmq.EVENT_HANDSHAKE_FAILED_AUTH, int)
    assert states(run, "x") == []
    trust("eve", stranger.public)
    assert wait_until(lambda: known(run, stranger))
    with RawClient(run.run_id, keys=Keys(stranger.public, stranger.secret, stranger.folder)) as eve:
        eve.attach()
        revoke("eve")
        assert wait_until(lambda: not known(run, stranger))
        while eve.sub.poll(0):
            eve.sub.recv_multipart()
        run.log({"a": 2.0}, step=1)
        run.flush()
        eve.dealer.send_multipart(wire.frames(run.run_id, message))
        assert not eve.sub.poll(200)
        assert not eve.dealer.poll(0)
    with RawClient(run.run_id) as own:
        own.attach()


def test_that_commands_of_an_earlier_attempt_are_known_and_not_replayed(start: Start) -> None:
    first = start(name="again")
    first.on("after_step", rate(), lambda value, context: None)
    with RawClient(first.run_id) as client:
        client.attach()
        applied, _ = client.send("rate", {"value": 0.1})
        assert waits_at(first, "after_step")
        first.sync("after_step", step=3)
        client.await_state(applied, "applied")
        waiting, _ = client.send("rate", {"value": 0.2})
    first.finish()
    assert states(first, waiting) == ["received", "waiting", "failed"]
    second = start(resume=first.run_id)
    calls: list[Any] = []
    second.on("after_step", rate(), lambda value, context: calls.append(value))
    with RawClient(second.run_id) as client:
        client.attach()
        _, again = client.send("rate", {"value": 0.1}, id=applied)
        _, late = client.send("rate", {"value": 0.2}, id=waiting)
    second.sync("after_step", step=4)
    assert (again.step, state_of(again).state) == (3, "applied")
    assert state_of(late).message == "the run ended first"
    assert calls == []


def test_that_controls_without_a_safe_point_go_to_the_first_that_is_named(start: Start) -> None:
    run = start()
    tuned = run.tunable("temperature", 0.5, 0, 2)
    with RawClient(run.run_id) as client:
        client.attach()
        command_id, event = client.send("set_temperature", {"value": "1.25"})
        assert state_of(event).safe_point == ""
        run.sync("step_end", step=1)
        if tuned.value == 0.5:
            assert waits_at(run, "step_end")
            run.sync("step_end", step=2)
        told = client.await_state(command_id, "applied")
        snapshot = client.attach()
    assert tuned.value == 1.25
    assert (told.old, told.new, told.safe_point) == ({"value": 0.5}, {"value": "1.25"}, "step_end")
    body = next(catalogue.body for catalogue in snapshot.catalogues if catalogue.kind == "capabilities")
    assert body[0]["capability"]["safe_points"] == ["step_end"]


def test_that_an_annotated_function_is_a_control_and_stays_a_function(start: Start) -> None:
    run = start()
    given: list[tuple[int, str]] = []

    @run.command(safe_point="after_step")
    def reshuffle(seed: int, why: str = "bored") -> str:
        """Draw the data anew."""
        given.append((seed, why))
        return f"seed {seed}"

    @run.command
    def halve() -> None:
        raise RuntimeError("cannot halve")

    assert reshuffle(3) == "seed 3"
    with RawClient(run.run_id) as client:
        client.attach()
        done, _ = client.send("reshuffle", {"seed": "7"})
        _, refused = client.send("reshuffle", {"why": "x"})
        failing, _ = client.send("halve")
        for step in range(2):
            assert waits_at(run, "after_step")
            run.sync("after_step", step=step)
        assert client.await_state(done, "applied").result == "seed 7"
        assert client.await_state(failing, "failed").message == "RuntimeError: cannot halve"
    assert state_of(refused).message == "seed is missing"
    assert given == [(3, "bored"), (7, "bored")]


def test_that_tunables_take_their_type_and_choices(start: Start) -> None:
    run = start()
    tunables: list[Tunable[Any]] = [
        run.tunable("layers", 4, 1, 12, safe_point="s"),
        run.tunable("frozen", False, safe_point="s"),
        run.tunable("mode", "fast", choices=["fast", "exact"], safe_point="s"),
        run.tunable("note", "", safe_point="s"),
    ]
    with RawClient(run.run_id) as client:
        for name, wrong in (
            ("layers", 2.5),
            ("layers", 13),
            ("frozen", "false"),
            ("mode", "slow"),
            ("note", 1),
        ):
            assert state_of(client.send(f"set_{name}", {"value": wrong})[1]).state == "rejected"
        for name, right in (("layers", "8"), ("frozen", True), ("mode", "exact"), ("note", "x")):
            client.send(f"set_{name}", {"value": right})
            assert waits_at(run, "s")
            run.sync("s", step=0)
    assert [tunable.value for tunable in tunables] == [8, True, "exact", "x"]


def test_that_a_command_sent_while_the_loop_serves_is_applied_at_once(start: Start) -> None:
    run = start()
    run.trainer_port.declare(
        rate("pause", ("trainer.step",)), lambda value, context: Applied(old=0, new=1, result="held")
    )
    run.trainer_port.set_paused(True)
    served: list[bool] = []
    loop = threading.Thread(
        target=lambda: served.append(run.trainer_port.wait_and_apply("trainer.step", 10.0, 5))
    )
    loop.start()
    with RawClient(run.run_id) as client:
        client.attach()
        command_id, _ = client.send("pause", {"value": 0.1})
        loop.join(10)
        told = client.await_state(command_id, "applied")
    assert served == [True]
    assert (told.old, told.new, told.result) == (0, 1, "held")
    run.trainer_port.confirm(command_id, 6, 1.5e-3)
    run.flush()
    assert states(run, command_id)[-1] == "confirmed"


def test_that_sent_is_applied_within_a_step_and_the_published_order_is_the_files(start: Start) -> None:
    run = start()
    run.on("after_step", rate(), lambda value, context: None)
    stop = threading.Event()

    def loop() -> None:
        step = 0
        while not stop.wait(0.002):
            run.log({"loss": 1.0}, step=step)
            run.sync("after_step", step=step)
            step += 1

    thread = threading.Thread(target=loop)
    thread.start()
    with RawClient(run.run_id) as client:
        client.attach()
        for value in range(10):
            command_id, _ = client.send("rate", {"value": value / 10})
            client.await_state(command_id, "applied")
        batches = [message for message in client.published if isinstance(message, Batch)]
    stop.set()
    thread.join()
    numbers = [batch.seq for batch in batches]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_that_ctrl_c_inside_a_handler_is_the_users(start: Start) -> None:
    run = start()

    def handler(value: Any, context: CommandContext) -> None:
        raise KeyboardInterrupt

    run.on("after_step", rate(), handler)
    with RawClient(run.run_id) as client:
        client.attach()
        command_id, _ = client.send("rate", {"value": 0.1})
        assert waits_at(run, "after_step")
        with pytest.raises(KeyboardInterrupt):
            run.sync("after_step", step=0)
        client.await_state(command_id, "failed")


def test_that_a_wrong_schema_makes_the_control_unavailable_and_says_why(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    run = start()
    wrong = Capability(name="odd", input_schema={"revision": "1", "root": {"kind": "record", "fields": 3}})
    run.on("after_step", wrong, lambda value, context: None)
    with RawClient(run.run_id) as client:
        _, event = client.send("odd", {})
    assert "its input schema is wrong" in state_of(event).message
    assert "odd cannot be used" in capsys.readouterr().err


def test_that_the_old_state_is_told_even_long_after(start: Start) -> None:
    run = start()
    run.on("after_step", rate(), lambda value, context: time.time())
    with RawClient(run.run_id) as client:
        client.attach()
        ids = [client.send("rate", {"value": 0.5})[0] for _ in range(5)]
        for step in range(5):
            assert waits_at(run, "after_step")
            run.sync("after_step", step=step)
        told: CommandState = client.await_state(ids[-1], "applied")
        _, first = client.send("rate", None, id=ids[0])
    assert told.revision == 5
    assert state_of(first).revision == 1


def test_that_a_handler_may_end_the_run(start: Start) -> None:
    run = start()
    run.on("after_step", rate(), lambda value, context: run.finish())
    with RawClient(run.run_id) as client:
        client.attach()
        command_id, _ = client.send("rate", {"value": 0.1})
        assert waits_at(run, "after_step")
        run.sync("after_step", step=4)
    assert states(run, command_id) == ["received", "waiting", "applied"]


def test_that_a_command_whose_handler_outlives_the_run_has_failed(start: Start) -> None:
    run = start()
    inside, ended = threading.Event(), threading.Event()

    def handler(value: Any, context: CommandContext) -> None:
        inside.set()
        assert ended.wait(20)

    run.on("after_step", rate(), handler)
    with RawClient(run.run_id) as client:
        client.attach()
        command_id, _ = client.send("rate", {"value": 0.1})
        assert waits_at(run, "after_step")
        loop = threading.Thread(target=run.sync, args=("after_step", 4))
        loop.start()
        assert inside.wait(20)
        run.finish()
        ended.set()
        loop.join()
    assert states(run, command_id) == ["received", "waiting", "failed"]
